import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createScratch, readRecording, removeFolder, type Scratch } from '../../src/setup/demo.ts';
import { findChromium } from '../support/chromium.ts';
import { residentMb } from '../support/process-memory.ts';
import { fill } from './filled-scratch.ts';
import { type Figure, figure, figuresIn, median, printTable } from './table.ts';

const RECORDS = 10_000;
const QUESTIONS = 20;
const ROUNDS = 3;

/** Far longer than all of it takes: a page that hangs answers nothing, and would be waited for without end. */
const LIMIT_MS = 9 * 60_000;

/** What the pages cost with ten thousand records, in a real browser: the live ones, and a static site of the same. */
export async function viewer(): Promise<Figure[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.log('\nViewer: left out, there is no Chromium here. CHROMIUM=/path/to/it says where one is.');
    return [];
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  // What waits for a page of it fails.
  const limit = setTimeout(() => void browser.close(), LIMIT_MS);
  try {
    const program = resolve('dist/bin.cjs');
    const scratch = await createScratch(join(folder, 'scratch'), readRecording(), program);
    await fill(scratch, RECORDS);
    const rows = [
      figure('pages, style and icons, gzipped KB', bundleSize(), 0, { atMost: 250 }),
      ...(await live(browser, scratch, program)),
      ...(await site(browser, scratch, join(folder, 'site'), program)),
    ];
    printTable(`Viewer, ${RECORDS} records`, ['', 'value', 'bound', ''], rows);
    return figuresIn(rows, { about: `viewer, ${RECORDS.toLocaleString('en')} records` });
  } finally {
    clearTimeout(limit);
    await browser.close();
    await removeFolder(folder);
  }
}

function bundleSize(): number {
  const files = ['index.html', 'app.js', 'style.css'].map((name) => readFileSync(join('dist/web', name)));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1000;
}

async function live(browser: Browser, { repository, env }: Scratch, program: string): Promise<string[][]> {
  const child = spawn(process.execPath, [program, 'ui', '--no-open', '--keep', '--json'], { cwd: repository, env });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const url = await addressOf(child.stdout);
    // The first page of all also fills the cache.
    await (await opened(browser, url)).page.context().close();
    const starts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { page, firstMs } = await opened(browser, url);
      starts.push(firstMs);
      await page.context().close();
    }
    const { page } = await opened(browser, url);
    const answers = await askQuestions(page);
    const shift = await shiftOf(page);
    const [before, heap] = [await heapOf(page), await heapAtTheEnd(page)];
    return [
      figure('first records on the page, ms', median(starts), 0, { atMost: 1000 }),
      ...answerRows('answer after the last key', answers),
      figure('layout shift', shift, 3, { atMost: 0 }),
      figure('heap, MB', before, 0),
      figure('heap at the end of the feed, MB', heap, 0, { atMost: 150 }),
      figure('memory of the server, MB', residentMb(child.pid ?? 0), 0),
    ];
  } finally {
    child.kill();
    await exited;
  }
}

async function site(browser: Browser, scratch: Scratch, out: string, program: string): Promise<string[][]> {
  const { repository, env } = scratch;
  const { status, stderr } = spawnSync(process.execPath, [program, 'site', '--out', out], { cwd: repository, env });
  if (status !== 0) throw new Error(`The site went wrong: ${stderr}`);
  const file = join(out, 'index.html');
  const url = pathToFileURL(file).href;
  const [starts, searchable]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const { page, firstMs } = await opened(browser, url);
    starts.push(firstMs);
    await page.context().close();
    searchable.push(await firstAnswer(browser, url));
  }
  const { page } = await opened(browser, url);
  const answers = await askQuestions(page);
  return [
    figure('static site, MB', statSync(file).size / 1e6, 1, { atMost: 15 }),
    figure('its first records on the page, ms', median(starts), 0),
    figure('its first answer after opening, ms', median(searchable), 0, { atMost: 2000 }),
    ...answerRows('its answer after the last key', answers),
    figure('its layout shift', await shiftOf(page), 3, { atMost: 0 }),
    figure('its heap at the end of the feed, MB', await heapAtTheEnd(page), 0),
  ];
}

function answerRows(name: string, answers: number[]): string[][] {
  const sorted = [...answers].sort((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
  return [
    figure(`${name}, ms, median`, median(answers), 0, { atMost: 100 }),
    figure(`${name}, ms, 95th percentile`, p95, 0, { atMost: 100 }),
  ];
}

/** Notes in the page itself when the first record and the first hit are drawn, and how far things jump. */
const NOTING = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const note = (name, selector) => new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis[name] = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
  note('firstRecord', 'article h3');
  note('firstHit', 'article mark');`;

async function opened(browser: Browser, url: string): Promise<{ page: Page; firstMs: number }> {
  const page = await emptyPage(browser);
  await page.goto(`${url}#/feed`);
  return { page, firstMs: await noted(page, 'firstRecord') };
}

/** Milliseconds from the start of the page to the hits of a question that is typed as soon as there is a field for it. */
async function firstAnswer(browser: Browser, url: string): Promise<number> {
  const page = await emptyPage(browser);
  await page.goto(`${url}#/feed`, { waitUntil: 'commit' });
  await page.locator('input[type=search]').pressSequentially('lease');
  const ms = await noted(page, 'firstHit');
  await page.context().close();
  return ms;
}

async function emptyPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(NOTING);
  return page;
}

/** What the page noted, as soon as it has; its policy forbids to wait for that inside of it. */
async function noted(page: Page, name: 'firstRecord' | 'firstHit' | 'answered'): Promise<number> {
  for (let tries = 0; tries < 3000; tries++) {
    const value = await page.evaluate<number | undefined>(`globalThis.${name}`);
    if (value !== undefined) return value;
    await page.waitForTimeout(10);
  }
  throw new Error(`The page never noted ${name}.`);
}

/** Types questions, and measures in the page from the last key to the last change that it brings. */
async function askQuestions(page: Page): Promise<number[]> {
  const subjects = 'token cache parser queue worker index router session upload schema'.split(' ');
  const causes = ['two writers race', 'the lease is short'];
  const times: number[] = [];
  await page.keyboard.press('/');
  for (let i = 0; i < QUESTIONS; i++) {
    const question = `${subjects[i % subjects.length]} ${causes[i % causes.length]}`;
    await page.keyboard.press('Control+A');
    await page.keyboard.type(question.slice(0, -1));
    // What the words so far bring has to be there before the last letter is measured.
    await page.waitForTimeout(400);
    await page.evaluate(MEASURING);
    await page.keyboard.type(question.slice(-1));
    times.push(await noted(page, 'answered'));
  }
  return times;
}

const MEASURING = `
  globalThis.answered = undefined;
  addEventListener('keydown', ({ timeStamp }) => {
    let quiet;
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      // The former hits stay, dimmed, until the new ones are there, and are drawn once more before the question is asked.
      if (document.querySelector('.hits.busy')) return;
      const ms = performance.now() - timeStamp;
      quiet = setTimeout(() => {
        observer.disconnect();
        globalThis.answered = ms;
      }, 400);
    });
    const all = { childList: true, subtree: true, characterData: true, attributes: true };
    observer.observe(document.querySelector('.feed-main'), all);
  }, { once: true, capture: true });`;

/** How far things jumped that nobody had moved, as browsers count it. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.shifted');
}

/** Megabytes that scripts hold, after everything was collected that can be. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

async function heapAtTheEnd(page: Page): Promise<number> {
  await page.evaluate("location.hash = '#/feed'");
  await page.locator(`article[aria-setsize="${RECORDS}"]`).first().waitFor();
  for (let isEnd = false; !isEnd; ) {
    await page.evaluate('scrollBy(0, innerHeight * 10)');
    await page.waitForTimeout(40);
    isEnd = await page.evaluate<boolean>('scrollY + innerHeight >= document.documentElement.scrollHeight - 1');
  }
  await page.locator(`article[aria-posinset="${RECORDS}"] h3`).waitFor();
  return heapOf(page);
}

function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stdout.on('data', (chunk) => {
      text += chunk;
      const address = /"url":\s*"([^"]+)"/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}
