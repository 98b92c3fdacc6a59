import { spawn } from 'node:child_process';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium } from './chromium.ts';
import { PROGRAM } from './program.ts';
import type { TestRepository } from './repository.ts';

/** Where a browser lies on this machine; undefined without any, and then its tests are skipped and say so. */
export const CHROMIUM = findChromium();

// One browser serves all test files of a process and ends with it; a test has a context of its own.
let launched: Promise<Browser> | undefined;

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

/** Starts the real `git-mem ui` in the repository and opens a place in it; page and child end with the test. */
export async function openViewer(
  repository: TestRepository,
  { place = '#/feed', ...options }: BrowserContextOptions & { place?: string } = {},
): Promise<OpenViewer> {
  const url = await startViewer(repository);
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
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function startViewer({ root, env }: TestRepository): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'ui', '--no-open', '--json'], { cwd: root, env });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  const output = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
      const address = /"url":\s*"([^"]+)"/.exec(output.stdout)?.[1];
      if (address !== undefined) resolve(address);
    });
    void exited.then(() => reject(new Error(`The viewer ended: ${output.stderr}`)));
  });
}
