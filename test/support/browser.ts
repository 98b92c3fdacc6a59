import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium } from './chromium.ts';
import type { TestRepository } from './repository.ts';
import { startViewer } from './viewer-client.ts';

/** Where a browser lies on this machine; undefined without any, and then its tests are skipped and say so. */
export const CHROMIUM = findChromium();

// One browser serves all test files of a process and ends with it; a test has a context of its own.
let launched: Promise<Browser> | undefined;

/** A guard against what never comes, not a bound: on a busy machine a page takes its time. */
const HANG_MS = 120_000;

/** A page, and all that it complained about: errors, what its security policy forbade, dialogs. */
export interface OpenPage {
  page: Page;
  complaints: string[];
  /** The addresses that it asked for. */
  requests: string[];
}

/** A page of the viewer. */
export interface OpenViewer extends OpenPage {
  /** With the token: opens another page. */
  url: string;
}

/**
 * Opens a place in a viewer, which is a running one, or else is started in the repository and ends with the test, as
 * the page does.
 */
export async function openViewer(
  of: TestRepository | { url: string },
  { place = '#/feed', ...options }: BrowserContextOptions & { place?: string } = {},
): Promise<OpenViewer> {
  const { url } = 'url' in of ? of : await startViewer(of);
  return { ...(await openPage(`${url}${place}`, options)), url };
}

/** Opens an address in a browser; the page ends with the test. */
export async function openPage(address: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  launched ??= chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: ['--no-sandbox'] });
  const context = await (await launched).newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, complaints, requests };
}

/** What axe finds wrong with a page as it is now. */
export async function violationsOf(page: Page): Promise<string[]> {
  // As long as nothing else is loaded, it is still there.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Waits until what the page has to draw is drawn: two frames later, everything that was due is done. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}
