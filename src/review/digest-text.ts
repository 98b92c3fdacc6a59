import { sanitiseForTerminal } from '../privacy/sanitise.ts';
import type { Digest, DigestEntry } from './digest.ts';
import { codeSpan } from './markdown.ts';

/** How one form of a digest is written. */
interface Form {
  title(text: string): string;
  group(text: string): string;
  section(text: string): string;
  /** A record: its title, why, its files and its id. */
  list(entries: DigestEntry[]): string;
  line(text: string): string;
}

/** Most files that an entry names: it is a line in a mail. */
const FILES = 3;

/** The digest as Markdown for a mail, a release note or a job's summary: foreign text only displays. */
export function digestMarkdown(digest: Digest): string {
  return written(digest, {
    title: (text) => `# ${text}\n`,
    group: (text) => `## ${plainMarkdown(text)}\n`,
    section: (text) => `${isGrouped(digest) ? '###' : '##'} ${text}\n`,
    list: (entries) => `${entries.map(entryMarkdown).join('\n')}\n`,
    line: (text) => `${text}\n`,
  });
}

/** The same as a page of its own, without scripts; `home` is the page that it lies beside. */
export function digestHtml(digest: Digest, home = ''): string {
  const level = isGrouped(digest) ? 'h3' : 'h2';
  const body = written(digest, {
    title: (text) => `<h1>${escapeHtml(text)}</h1>`,
    group: (text) => `<h2>${escapeHtml(text)}</h2>`,
    section: (text) => `<${level}>${escapeHtml(text)}</${level}>`,
    list: (entries) => `<ul>\n${entries.map(entryHtml).join('\n')}\n</ul>`,
    line: (text) => `<p>${escapeHtml(text)}</p>`,
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(titleOf(digest))}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
li { margin: 0.4rem 0; }
small { opacity: 0.75; }
</style>
${home && `<p><a href="${escapeHtml(home)}">All records</a></p>\n`}${body}
</html>
`;
}

function written(digest: Digest, form: Form): string {
  const { groups, records, unreviewed } = digest;
  const count = (n: number) => (n === 1 ? '1 record' : `${n} records`);
  const parts = [form.title(titleOf(digest))];
  if (groups.length === 0) parts.push(form.line('Nothing was recorded, and nothing was taken back.'));
  else parts.push(form.line(`${count(records)} of these days.`));
  for (const { name, sections } of groups) {
    if (isGrouped(digest)) parts.push(form.group(name));
    for (const { title, entries } of sections) parts.push(form.section(title), form.list(entries));
  }
  if (unreviewed > 0) parts.push(form.line(`${count(unreviewed)} more that nobody has reviewed yet.`));
  return parts.join('\n');
}

function isGrouped({ groups }: Digest): boolean {
  return groups.some(({ name }) => name !== '');
}

function titleOf({ since, until }: Digest): string {
  return `What was learned from ${since.slice(0, 10)} to ${until.slice(0, 10)}`;
}

function entryMarkdown(entry: DigestEntry): string {
  const { title, text, author, files, id } = entry;
  const cited = files.slice(0, FILES).map((file) => codeSpan(oneLine(file)));
  const about = [author && plainMarkdown(author), ...cited, codeSpan(id)].filter(Boolean);
  const why = text === '' ? '' : ` ${plainMarkdown(text)}`;
  return `- **${plainMarkdown(withStop(title))}**${why} (${about.join(', ')})`;
}

function entryHtml({ title, text, author, files, id }: DigestEntry): string {
  const about = [author, ...files.slice(0, FILES), id].filter(Boolean).map(escapeHtml).join(', ');
  return `<li><strong>${escapeHtml(withStop(title))}</strong> ${escapeHtml(text)} <small>${about}</small></li>`;
}

function withStop(title: string): string {
  const text = title.trim();
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

/** Text that Markdown shows as it is, with what the record has as code as code. */
function plainMarkdown(text: string): string {
  return oneLine(text)
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 === 1 ? codeSpan(part.slice(1, -1)) : escaped(part)))
    .join('');
}

/**
 * Hosts look for mentions and references after rendering, when escapes are gone: an
 * invisible joiner stands behind `@`, `#` and `!`, and in the scheme of an address.
 */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]<>&]|(?<!\w)_|_(?!\w)|~(?=~)/g, (sign) => ENTITIES[sign] ?? `\\${sign}`)
    .replace(/[@#!](?=\w)/g, '$&\u2060')
    .replace(/:\/\//g, ':\u2060//')
    .replace(/\bwww\./gi, '$&\u2060');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

function oneLine(text: string): string {
  return sanitiseForTerminal(text).replace(/\s+/gu, ' ').trim();
}
