import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findChromium } from './chromium.ts';
import type { TestRepository } from './repository.ts';
import { startViewer } from './viewer-client.ts';

/** Path of a browser on this machine; undefined if there is none, and then its tests are skipped by name. */
export const CHROMIUM = findChromium();

// One browser serves all test files of a process and ends with it.
let launched: Promise<Browser> | undefined;

/** Pages that tests gave back: a page of its own costs a test two processes of the browser, a second and a half of CPU. */
const idle: Page[] = [];

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

/** How a page begins. */
export interface PageOptions extends Pick<BrowserContextOptions, 'viewport' | 'locale' | 'colorScheme'> {
  /** For a test that does to its page what cannot be undone: a script before each document, another clock. */
  isOwn?: boolean;
  /** For a test in which something fails that a page complains about: a server that is gone, an answer that is refused. */
  mayComplain?: boolean;
}

/**
 * Opens a place in a viewer, which is a running one, or else is started in the repository and ends with the test, as
 * the page does.
 */
export async function openViewer(
  of: TestRepository | { url: string },
  { place = '#/feed', ...options }: PageOptions & { place?: string } = {},
): Promise<OpenViewer> {
  const { url } = 'url' in of ? of : await startViewer(of);
  return { ...(await openPage(`${url}${place}`, options)), url };
}

/** Opens an address in a browser; the page ends with the test, which fails where the page complained. */
export async function openPage(address: string, options: PageOptions = {}): Promise<OpenPage> {
  const page = await (options.isOwn || options.locale ? newPage(options) : sharedPage(options));
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
  onTestFinished(() => {
    if (!options.mayComplain) expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return { page, complaints, requests };
}

async function newPage(
  { isOwn: _, mayComplain: __, ...options }: PageOptions,
  atEnd: typeof onTestFinished = onTestFinished,
) {
  launched ??= chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: ['--no-sandbox'] });
  const context = await (await launched).newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  atEnd(() => context.close());
  context.setDefaultTimeout(HANG_MS);
  return context.newPage();
}

/** A page as if it were new; it is emptied when the test ends, and serves another one. */
async function sharedPage({ viewport, colorScheme }: PageOptions): Promise<Page> {
  const page = idle.pop() ?? (await newPage({}, () => {}));
  onTestFinished(async () => {
    page.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.mouse.move(0, 0);
    // Another page or file may have no storage to empty.
    await page.evaluate('try { localStorage.clear(); sessionStorage.clear(); } catch {}');
    await page.context().clearCookies();
    // Said by the page itself, it needs no other process.
    await page.evaluate('location.href = "about:blank"');
    await page.waitForURL('about:blank');
    for (const other of page.context().pages()) if (other !== page) await other.close();
    idle.push(page);
  });
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme: colorScheme ?? 'light' });
  return page;
}

/** What axe finds wrong with a page as it is now. */
export async function violationsOf(page: Page): Promise<string[]> {
  // As long as nothing else is loaded, it is still there.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  // Only what is wrong comes over: all that axe looked at is a megabyte a page.
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/** Waits until what the page has to draw is drawn: two frames later, everything that was due is done. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}
