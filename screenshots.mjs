// Takes the pictures of README.md: a scratch repository with a recorded session and plausible records, the real viewer
// over it, and a browser: npm run screenshots
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const OUT = 'docs/screenshots';
const MOST_BYTES = 320 * 1024;
const SIZE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Places by the names of their pictures; `record` stands for the page of one that replaced another. */
const PLACES = {
  feed: '#/feed',
  search: '#/feed?q=lease%20expired',
  record: '#/record/',
  review: '#/review',
  'next-session': '#/context',
};

const program = resolve('dist/bin.cjs');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-pictures-')));
const bundle = resolve(`dist/pictured-${process.pid}.mjs`);
let server;
let browser;
try {
  await build({
    entryPoints: ['test/support/pictured-memory.ts'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const { picturedMemory } = await import(pathToFileURL(bundle).href);
  const { repository, env, record } = await picturedMemory(folder, program);
  server = spawn(process.execPath, [program, 'ui', '--no-open', '--keep', '--json'], { cwd: repository, env });
  const url = await addressOf(server.stdout);
  const { CHROMIUM: executablePath = '/usr/bin/chromium' } = process.env;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  mkdirSync(OUT, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, place] of Object.entries(PLACES)) {
      await take(`${name}-${colorScheme}`, place === '#/record/' ? place + record : place, {
        viewport: SIZE,
        colorScheme,
      });
    }
  }
  await take('phone-light', PLACES.feed, { viewport: PHONE, colorScheme: 'light' });

  async function take(name, place, options) {
    const context = await browser.newContext({
      ...options,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      bypassCSP: true,
    });
    const page = await context.newPage();
    await page.goto(url + place);
    await page.locator('main :is(article, h1, h2)').first().waitFor();
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    const path = join(OUT, `${name}.png`);
    await page.screenshot({ path });
    await context.close();
    const { size } = statSync(path);
    if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes.`);
    console.log(`${path}: ${Math.round(size / 1000)} KB`);
  }
} finally {
  await browser?.close();
  server?.kill();
  rmSync(bundle, { force: true });
  rmSync(folder, { recursive: true, force: true });
}

function addressOf(stdout) {
  let text = '';
  return new Promise((found) => {
    stdout.on('data', (chunk) => {
      text += chunk;
      const address = /"url":\s*"([^"]+)"/.exec(text)?.[1];
      if (address !== undefined) found(address);
    });
  });
}
