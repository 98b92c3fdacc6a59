import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { replaceFile } from '../repo/atomic.ts';
import { webFolder } from '../templates.ts';
import type { SiteData } from './protocol.ts';

/** Writes the site into a folder, as one page that needs nothing else; gives its path and size in bytes. */
export function writeSite(folder: string, data: SiteData): { path: string; bytes: number } {
  const page = sitePage(data);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'index.html');
  replaceFile(path, page, 0o644);
  return { path, bytes: Buffer.byteLength(page) };
}

/**
 * The page with its style, its scripts and its data inside. Its policy allows exactly these scripts, by their hashes: no
 * text of a record can become one.
 */
function sitePage(data: SiteData): string {
  const [theme, app, style] = ['theme.js', 'site.js', 'style.css'].map((file) =>
    readFileSync(join(webFolder(), file), 'utf8'),
  );
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(theme)} ${hash(app)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
  const inside: [tag: string, text: string][] = [
    ['<script src="theme.js"></script>', `<script>${theme}</script>`],
    ['<link rel="stylesheet" href="style.css" />', `<style>${style}</style>`],
    ['<script src="app.js" defer></script>', ''],
    ['</body>', `<script type="application/octet-stream" id="data">${packed}</script><script>${app}</script></body>`],
    [
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    ],
  ];
  let page = readFileSync(join(webFolder(), 'index.html'), 'utf8');
  for (const [tag, text] of inside) page = page.split(tag).join(text);
  return page;
}
