import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import type { Mark } from '../../../src/memory/record.ts';
import { commit, KNOWN, reviewed } from '../../support/branches.ts';
import { gitMem } from '../../support/command-line.ts';
import { drop, edit, markOf, observationOf } from '../../support/written-records.ts';

const it = test.extend('repository', () => reviewed());

describe('git mem diff --format md', () => {
  it('writes a comment in which no record text is active', async ({ repository }) => {
    const hostile = [
      '<img src=x onerror=alert(1)> @everyone',
      '](http://evil.example) ![x](http://evil.example/p.png)',
      '` @octocat <b>bold</b> #1',
      '</summary></details> http://evil.example',
    ];
    hostile.forEach((title, i) => {
      drop(repository, observationOf({ id: `h0st11e00${i}`, title, type: title, narrative: title }));
      drop(repository, retired(`mark00000${i}`, `h0st11e00${i}`, `${title}\n\n# x`));
    });
    edit(repository, KNOWN.clock, { ...KNOWN.clock, title: hostile.join(' ') });
    const { stdout } = await gitMem(repository, ['diff', '--format', 'md']);
    const nodes = flat(unified().use(remarkParse).parse(stdout));
    const html = nodes.flatMap((node) => (node.type === 'html' ? [node.value] : []));
    expect(html.length).toBeGreaterThan(4);
    for (const value of html)
      expect(value).toMatch(/^(?:<details( open)?><summary>[A-Za-z .-]+ \(\d+\)<\/summary>|<\/details>)$/);
    expect(nodes.filter(({ type }) => /link|image|definition|code$/i.test(type) && type !== 'inlineCode')).toEqual([]);
    const text = nodes.flatMap((node) => (node.type === 'text' ? [node.value] : [])).join('\n');
    expect(text).not.toMatch(/@|https?:|#\d/);
    expect(stdout).toContain('onerror');
  });

  it('shows in a comment what each new or changed record says, who wrote it, what it cites and replaces', async () => {
    const repository = reviewed();
    repository.git('remote', 'add', 'origin', 'https://me:pa55word@github.com/acme/shop.git');
    repository.write('src/a (b)_c.ts', 'export {};\n');
    const head = commit(repository, 'code') ?? repository.git('rev-parse', 'HEAD').trim();
    const sentences = Array.from({ length: 8 }, (_, i) => `Sentence ${i} says ${'word '.repeat(40)}end.`);
    drop(
      repository,
      observationOf({
        id: 'newrec0rd1',
        type: 'decision',
        title: 'The queue retries three times',
        session: 'session-one',
        narrative: sentences.join(' '),
        facts: ['Three was measured.'],
        supersedes: [KNOWN.clock.id],
        files_modified: ['src/a (b)_c.ts', 'src/nowhere.ts'],
        extractor: 'agent',
        generated: { by: 'codex/0.169.0', at: '2026-11-21T09:00:00Z' },
      }),
    );
    const { stdout } = await gitMem(repository, ['diff', '--format', 'md']);
    expect(stdout).toContain('**`The queue retries three times`** `decision` `newrec0rd1`');
    expect(stdout).toContain('agent `codex/0.169.0`, session `session-one`');
    expect(stdout).toContain(`replaces \`${KNOWN.clock.id}\` \`${KNOWN.clock.title}\``);
    expect(stdout).toContain(
      `[\`src/a (b)_c.ts\`](https://github.com/acme/shop/blob/${head}/src/a%20%28b%29%5Fc.ts), \`src/nowhere.ts\``,
    );
    // All of it is there, the end of it folded.
    for (const sentence of sentences) expect(stdout).toContain(sentence.slice(0, 60));
    expect(stdout.indexOf('Sentence 0')).toBeLessThan(stdout.indexOf('The rest ('));
    expect(stdout.indexOf('Sentence 7')).toBeGreaterThan(stdout.indexOf('The rest ('));
    expect(stdout).toContain('`Three was measured.`');
    expect(stdout).not.toContain('pa55word');
  });

  it('expands twenty records, and collapses the others and those from bootstrap', async ({ repository }) => {
    for (let i = 0; i < 23; i++) {
      drop(
        repository,
        observationOf({ id: `many00${String(i).padStart(4, '0')}`, title: `Record ${i}`, narrative: 'So.' }),
      );
    }
    drop(repository, observationOf({ id: 'b00tstrap1', title: 'Mined', narrative: 'Deep.', extractor: 'bootstrap' }));
    const { stdout } = await gitMem(repository, ['diff', '--format', 'md']);
    expect(stdout.match(/^- \*\*`Record \d+`\*\*/gm)).toHaveLength(20);
    expect(stdout).toContain('<summary>More records (3)</summary>');
    expect(stdout).toContain('<summary>Mined from the history (1)</summary>');
    expect(stdout).not.toContain('Deep.');
  });

  it('fits into a comment, however many changes there are', async ({ repository }) => {
    for (let i = 0; i < 200; i++) {
      const id = `many00${String(i).padStart(4, '0')}`;
      const title = `${i} ${'<word> '.repeat(100)}`;
      drop(repository, observationOf({ id, title, narrative: '<!-- x -->' }));
      drop(repository, retired(id.replace('many', 'mark'), id, title));
    }
    const { stdout } = await gitMem(repository, ['diff', '--format', 'md']);
    expect(stdout.length).toBeLessThan(65_000);
    expect(stdout).toContain('(200)');
    expect(stdout).toMatch(/and \d+ more\./);
  });
});

function flat(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(flat) : [])];
}

function retired(id: string, target: string, reason: string): Mark {
  return markOf({ id, type: 'retire', targets: [target], reason });
}
