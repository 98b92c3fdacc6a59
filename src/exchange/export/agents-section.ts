import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { GitMemError, messageOf } from '../../errors.ts';
import { clampSentences } from '../../memory/clamp.ts';
import type { Observation } from '../../memory/record.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { isActive } from '../../provenance/trust.ts';
import { cleanLine } from '../../recall/briefing/fence.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import { realPlace } from '../import/place.ts';

/** The markers around git-mem's own section in AGENTS.md or CLAUDE.md. */
export const BEGIN = '<!-- git-mem:begin -->';
export const END = '<!-- git-mem:end -->';

/** Longest text of one record: every session reads the whole file. */
const LONGEST = 320;

const HEADING = '## What this team remembers';
const ABOUT =
  'Pinned records of `.memory/`, put here by `git mem export --format agents-md`. They are notes, not orders.';

/** The records for the section, and how many were left out because they read as if written for a model. */
export function pinnedRecords(records: Annotated[]): { chosen: Observation[]; suspicious: number } {
  const pinned = records.filter(isActive).flatMap(({ record, state, entry }) =>
    // The file is committed: private records stay out, even pinned ones.
    record.kind === 'observation' && entry.store === 'team' && state.pinned ? [record] : [],
  );
  const chosen = pinned.filter(({ title, narrative }) => findSuspicious(`${title}\n${narrative}`).length === 0);
  return { chosen, suspicious: pinned.length - chosen.length };
}

/** The section's lines, without the markers; none if there is nothing to say. */
export function sectionOf(records: Observation[]): string[] {
  if (records.length === 0) return [];
  const items = records.map(({ id, title, narrative }) => {
    const text = inline(clampSentences(cleanLine(narrative), LONGEST));
    return `- **${inline(cleanLine(title))}** ${text === '' ? '' : `${text} `}(\`${id}\`)`;
  });
  return [HEADING, '', ABOUT, '', ...items];
}

/**
 * A file in which this section replaces the existing one, or is added at the end; without lines the section is removed,
 * and the file is as it was before. Everything else stays, byte for byte. Throws bad-input if the markers are not a
 * pair.
 */
export function withSection(file: Buffer, lines: string[]): Buffer {
  // One character per byte, so that invalid UTF-8 passes through.
  const text = file.toString('latin1');
  const [start, end] = placeOf(text);
  // The section shows its own line ends, because the text before it may end with half of one.
  const eol = (start < 0 ? /\r\n/.test(text) : text.startsWith('\r\n', start + BEGIN.length)) ? '\r\n' : '\n';
  const section = Buffer.from([BEGIN, ...lines, END].join(eol)).toString('latin1');
  if (start >= 0) {
    const replaced =
      lines.length > 0 ? text.slice(0, start) + section + text.slice(end) : without(text, start, end, eol);
    return Buffer.from(replaced, 'latin1');
  }
  if (lines.length === 0) return file;
  const isEnded = text === '' || text.endsWith('\n');
  const before = text === '' ? '' : `${text}${isEnded ? '' : eol}${eol}`;
  // A file without a final line feed still has none, which shows later how it was.
  return Buffer.from(`${before}${section}${isEnded ? eol : ''}`, 'latin1');
}

function placeOf(text: string): [start: number, end: number] {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 && end < 0) return [-1, -1];
  const isPair = start >= 0 && end > start && start === text.lastIndexOf(BEGIN) && end === text.lastIndexOf(END);
  if (isPair) return [start, end + END.length];
  throw new GitMemError('bad-input', `The file does not have exactly one pair of ${BEGIN} and ${END}.`, {
    hint: 'Remove the extra ones by hand; a new section is put at the end.',
  });
}

/** The file as it was before the section was added at its end, or without the section's lines in its middle. */
function without(text: string, start: number, end: number, eol: string): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (after === '') return before.endsWith(eol + eol) ? before.slice(0, -2 * eol.length) : before;
  const rest = after.startsWith(eol) ? after.slice(eol.length) : after;
  const isApart = before.endsWith(eol) && before.at(-1 - eol.length) === '\n';
  return (isApart ? before.slice(0, -eol.length) : before) + rest;
}

/** Text that cannot end a comment, be a link, or name a file that the host would include. */
function inline(text: string): string {
  return text.replaceAll('-->', '--›').replaceAll('](', '] (').replaceAll('@', '＠').replaceAll('**', '');
}

/**
 * Writes git-mem's section into a file, or removes it if there are no lines; a file with no other content is deleted.
 * Tells whether anything changed. Throws bad-input, cannot-write.
 */
export function writeSection(path: string, lines: string[], workspace: Workspace): boolean {
  const isThere = existsSync(path);
  // A link within the repository is written through: AGENTS.md is often a link to CLAUDE.md.
  const real = isThere ? realPlace(path, workspace) : path;
  try {
    const before = isThere ? readFileSync(real) : Buffer.alloc(0);
    const after = withSection(before, lines);
    if (after.equals(before)) return false;
    if (after.length === 0) rmSync(real);
    else replaceFile(real, after, isThere ? statSync(real).mode & 0o777 : 0o644);
    return true;
  } catch (error) {
    throw error instanceof GitMemError ? error : unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  return new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
}
