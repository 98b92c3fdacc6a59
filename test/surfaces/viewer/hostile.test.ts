import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { CHROMIUM, openViewer } from '../../support/browser.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { sampled } from '../../support/sampled.ts';
import { observationOf, put } from '../../support/written-records.ts';

const BAIT = '<script>document.title = "taken"; alert(1)</script><img src=x onerror=alert(2)>';

const MARKUP = [
  `${BAIT} </script><svg onload=alert(3)>`,
  '[one](javascript:alert(4)) [two](data:text/html,<script>alert(5)</script>) <javascript:alert(6)> [six](file:///etc/passwd)',
  '[three](//elsewhere.example/x) [four](https://elsewhere.example/ok) [five](vbscript:x) [seven](#/context)',
  '![i](https://elsewhere.example/i.png) <img src="https://elsewhere.example/j.png"> ![d](data:image/svg+xml,<svg/>)',
  '<!-- hidden --> <iframe src="https://elsewhere.example"></iframe> <form action="https://elsewhere.example"><input></form>',
  '<style>body { background: url(https://elsewhere.example/k.png) }</style> <a href="x" onclick="alert(7)" style="position:fixed">z</a>',
  'safe \u202Egnp.exe\u202C \u2066end',
  `| ${'a | '.repeat(20)}\n|${' - |'.repeat(21)}\n| ${BAIT} |`,
].join('\n\n');

/** Texts that take Markdown parsers long, or nest deep. */
const SLOW: Record<string, string> = {
  quotes: '>'.repeat(10_000),
  'open brackets': '['.repeat(10_000),
  'nested links': '[a]('.repeat(2_500),
  emphasis: '*a_'.repeat(3_333),
  'strong emphasis': '**a **b'.repeat(1_428),
  'nested lists': Array.from({ length: 130 }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  'list markers': '- '.repeat(5_000),
  'table cells': `|a|\n|-|\n${'|'.repeat(9_000)}`,
  tables: '|a|\n|-|\n'.repeat(1_250),
  addresses: 'www.a.b@c.d_'.repeat(833),
  'code ticks': Array.from({ length: 140 }, (_, i) => '`'.repeat(i)).join(' '),
  footnotes: '[^a]'.repeat(2_500),
  'open tags': '<a '.repeat(3_333),
  tildes: '~a ~~'.repeat(2_000),
};

function withRecord(fields: Partial<Observation>): { repository: TestRepository; id: string } {
  const repository = createRepository();
  const id = idOf('hostile');
  put(repository, observationOf({ id, ...fields }));
  return { repository, id };
}

/** Addresses other than the viewer's own that a page asked for. */
function foreignRequests(page: Page, url: string): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(new URL(url).origin) && !address.startsWith('data:image/svg+xml,%3Csvg')) {
      foreign.push(address);
    }
  });
  return foreign;
}

describe.skipIf(CHROMIUM === undefined)('a hostile record', () => {
  it('does nothing on any page, and makes no external requests', async () => {
    const { repository, id } = withRecord({
      type: 'x"><b>',
      title: BAIT.slice(0, 78),
      subtitle: BAIT,
      narrative: MARKUP,
      facts: [BAIT, MARKUP],
      concepts: [BAIT, 'javascript:alert(1)'],
      branch: BAIT,
      session: BAIT,
      files_modified: ['a/<img src=x onerror=alert(9)>.ts', 'b/\u202Egnp.exe', `${'deep/'.repeat(40)}end.ts`],
    });
    const { page, url, complaints } = await openViewer(repository, { viewport: { width: 390, height: 800 } });
    const foreign = foreignRequests(page, url);
    let popups = 0;
    page.on('popup', () => popups++);
    for (const place of [`#/record/${id}`, '#/feed', '#/context', '#/review']) {
      await page.goto(`${url}${place}`);
      await page.locator('#main').getByText('script').filter({ visible: true }).first().waitFor();
      expect(await page.locator('#app :is(script, img, iframe, form[action], style, object, b)').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), place).toBe(true);
      expect(await page.locator('#app').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
    await page.goto(`${url}#/record/${id}`);
    await page.getByText('The file').click();
    await page.getByText('kind: observation').waitFor();
    const links = page.locator('.record .markdown a');
    const hrefs = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    for (const href of hrefs) expect(href).toMatch(/^(?:https?:\/\/|mailto:|\/\/elsewhere)/);
    expect(await links.evaluateAll((all) => all.every((a) => a.getAttribute('rel') === 'noopener noreferrer'))).toBe(
      true,
    );
    expect(await page.locator('[onclick], [onerror], [onload], .markdown [style]').count()).toBe(0);
    expect(await page.title()).not.toContain('taken');
    expect({ foreign, popups, complaints }).toEqual({ foreign: [], popups: 0, complaints: [] });
  });

  it('is shown, whatever its text contains and however deeply it nests', async () => {
    const repository = createRepository();
    // The parser takes its time with each: a third by default.
    const names = sampled(Object.keys(SLOW), () => 'text', 3);
    for (const name of names) {
      put(repository, observationOf({ id: idOf('slow', name), title: name, narrative: SLOW[name] ?? '' }));
    }
    const { page, url } = await openViewer(repository);
    for (const name of names) {
      await page.goto(`${url}#/record/${idOf('slow', name)}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect((await page.locator('.record .markdown').textContent())?.length, name).toBeGreaterThan(0);
    }
  });

  it('of nearly a megabyte appears at once, and in full on request', async () => {
    const { repository, id } = withRecord({
      title: 'Long',
      narrative: `${'A line of words.\n'.repeat(50_000)}The end.`,
    });
    const { page } = await openViewer(repository, { place: `#/record/${id}` });
    const more = page.getByRole('button', { name: 'Show all' });
    await more.waitFor();
    expect(await page.getByText('The end.').count()).toBe(0);
    await more.click();
    await page.getByText('The end.').waitFor();
  });
});
