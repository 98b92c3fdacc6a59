import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { GitMemError, isSystemError, messageOf } from '../../errors.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { webFolder } from '../../templates.ts';
import type { SiteData } from './record-protocol.ts';

/** Identifies a page that may be overwritten; it is within these first bytes, far before any record's text. */
const MARKER = '<meta name="generator" content="git-mem site" />';
const BEGINNING = 4096;

/** The path of a site's page; throws cannot-write if a different page is there. */
export function siteFile(folder: string): string {
  const path = join(folder, 'index.html');
  const beginning = beginningOf(path);
  if (beginning !== undefined && !beginning.includes(MARKER)) {
    throw new GitMemError('cannot-write', `${path} was not written by git-mem, and stays as it is.`, {
      hint: 'Name a new folder, or remove that file.',
    });
  }
  return path;
}

/** Writes the site into a folder, as one self-contained page; returns its path and size in bytes. Throws cannot-write. */
export function writeSite(folder: string, data: SiteData): { path: string; bytes: number } {
  const path = siteFile(folder);
  const page = sitePage(data);
  try {
    createFolder(folder);
    replaceFile(path, page, 0o644);
  } catch (error) {
    throw new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
  return { path, bytes: Buffer.byteLength(page) };
}

/**
 * The page with its style, its script and its data inside. Its policy allows exactly this script, by its hash,
 * so that no record's text can become one.
 */
function sitePage(data: SiteData): string {
  const [app = '', style = ''] = ['site.js', 'style.css'].map((file) => readFileSync(join(webFolder(), file), 'utf8'));
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(app)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  // Contains no timestamp, so that the same data give the same bytes.
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
  const inside: [tag: string, text: string][] = [
    [
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" />${MARKER}<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    ],
    ['<title>git-mem</title>', `<title>${escaped(data.meta.repository)} · git-mem</title>`],
    ['<link rel="stylesheet" href="style.css" />', `<style>${style}</style>`],
    ['<script src="app.js" defer></script>', ''],
    ['</body>', `<script type="application/octet-stream" id="data">${packed}</script><script>${app}</script></body>`],
  ];
  let page = readFileSync(join(webFolder(), 'index.html'), 'utf8');
  for (const [tag, text] of inside) {
    const [before, after, ...more] = page.split(tag);
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`The page has not one ${tag}.`);
    page = before + text + after;
  }
  return page;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The first bytes of a file; undefined if there is none. */
function beginningOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').slice(0, BEGINNING);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
