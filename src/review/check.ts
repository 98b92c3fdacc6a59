import { loadConfig } from '../config.ts';
import { parseFileName } from '../memory/file-name.ts';
import { isNewer } from '../memory/format.ts';
import { splitFrontMatter } from '../memory/front-matter.ts';
import { isContent, LIMITS, OBSERVATION_TYPES } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { findSuspicious, INSTEAD } from '../privacy/suspicious.ts';
import { changedHere, changedSentence } from '../provenance/hand-edits.ts';
import { activeRedactions, redactionsOf } from '../provenance/redactions.ts';
import { loadSettings, SETTINGS_HINT, settingsNotice } from '../provenance/settings.ts';
import { withTrust } from '../provenance/trust.ts';
import { readTemplate } from '../templates.ts';
import { createSecretScanner, type SecretScanner } from './exposed.ts';
import { removalOf, removedMarks } from './mark-changes.ts';
import {
  commitTree,
  headCommit,
  MEMORY,
  type MemoryFile,
  type MemoryTree,
  stagedTree,
  startOf,
  type TreeOptions,
  worktreeTree,
} from './memory-tree.ts';
import { CONFIG, fileProblems } from './other-files.ts';
import { error, type Problem, warning } from './problem.ts';
import { type FiledRecord, isRecordPath, type RecordSet, readRecords, recordProblems } from './records.ts';
import { titleOf } from './review-item.ts';

export interface CheckOptions {
  /** Check what the next commit changes instead of the whole checkout. */
  staged?: boolean;
  /** Check only what changed since HEAD branched off this revision. */
  base?: string;
  /** The index of a commit in the making. */
  index?: string;
  /** The known observation types; by default the built-in ones and those in the settings. */
  types?: string[];
  /** Defaults to the clock. */
  now?: Date;
}

/** The problems found, in path order. */
export interface CheckReport {
  ok: boolean;
  checked: number;
  problems: Problem[];
}

/** Looks for problems in the memory. Throws no-such-revision. */
export async function checkMemory(workspace: Workspace, options: CheckOptions = {}): Promise<CheckReport> {
  const listed = await treeOf(workspace, options, { isRead: false });
  const isChecked = await scopeOf(workspace, listed, options);
  // This runs before every commit, and most touch no memory, so nothing has to be read.
  if (options.base === undefined && ![...listed.keys()].some(isChecked)) return { ok: true, checked: 0, problems: [] };
  const tree = options.staged ? await treeOf(workspace, options) : listed;
  const files = [...tree.values()].filter(({ path }) => isChecked(path));
  const set = readRecords(tree);
  const records = set.records.filter(({ file }) => isChecked(file.path));
  const known = () => [...OBSERVATION_TYPES, ...loadConfig(workspace.layout.memory, workspace.env).config.types];
  const { types = known(), now = new Date() } = options;
  const scanner = createSecretScanner();
  const problems = [
    ...recordProblems(set, isChecked),
    ...records.flatMap((filed) => contentProblems(filed, types, now)),
    ...files.flatMap((file) => fileProblems(file, workspace.env)),
    ...(await textProblems(files, records, scanner)),
    ...(isChecked(CONFIG) && !options.staged ? settingsProblems(workspace) : []),
    ...(await removalProblems(workspace, set, tree, options.base)),
    ...(options.staged ? await strangeTexts(workspace, files) : []),
    ...(await repeatedRedactions(workspace, set, records)),
  ].map((problem) => ({
    ...problem,
    path: scanner.cover(problem.path),
    message: scanner.cover(problem.message),
    hint: scanner.cover(problem.hint),
  }));
  problems.sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
  return { ok: problems.every(({ level }) => level !== 'error'), checked: files.length, problems };
}

async function textProblems(files: MemoryFile[], records: FiledRecord[], { scan }: SecretScanner): Promise<Problem[]> {
  const ids = new Map(records.map(({ file, record }) => [file.path, record.id]));
  const problems: Problem[] = [];
  for (const { path, bytes } of files) {
    if (bytes === undefined) continue;
    const text = bytes.toString('utf8');
    for (const { kind, line } of await scan(text)) {
      const hint = 'Take it out of the file, and revoke it: git keeps what was ever committed.';
      problems.push({ ...error('secret', path, `It holds a secret (${kind}).`, hint, ids.get(path)), line });
    }
    if (!isRecordPath(path)) continue;
    for (const { code, message, line } of findSuspicious(text)) {
      const hint = `Read it as untrusted text. If it is meant well: ${INSTEAD[code]}`;
      problems.push({ ...error('suspicious', path, message, hint, ids.get(path)), line });
    }
  }
  return problems;
}

/** Warns of settings that the team's file would change once it is reviewed; until then it has no effect. */
function settingsProblems(workspace: Workspace): Problem[] {
  const notice = settingsNotice(loadSettings(workspace));
  return notice === undefined ? [] : [warning('config', CONFIG, notice, SETTINGS_HINT)];
}

/** Removed marks would bring back what they hid; changed attributes would make git write texts that nobody reviewed. */
async function removalProblems(workspace: Workspace, head: RecordSet, tree: MemoryTree, base: string | undefined) {
  if (base === undefined) return [];
  const before = await commitTree(workspace, await startOf(workspace, base));
  const removed = removedMarks(readRecords(before), head).map(({ record, file: { path } }) => {
    const hint = `Put the file back. \`git mem undo ${record.id}\` ends a mark so that everybody sees it.`;
    return error('removed-mark', path, removalOf(titleOf(record)), hint, record.id);
  });
  const paths = [...new Set([...before.keys(), ...tree.keys()])].filter((path) => path.endsWith('/.gitattributes'));
  const changed = paths.filter((path) => {
    const isOurs = tree.get(path)?.bytes?.toString('utf8') === readTemplate('init/gitattributes');
    return before.get(path)?.blob !== tree.get(path)?.blob && !isOurs;
  });
  const hint = `Put back what ${base} has: the memory needs the line of \`git mem init\` alone.`;
  const message = 'The branch changes how git writes the memory into a checkout.';
  return [...removed, ...changed.map((path) => error('attributes', path, message, hint))];
}

/** Staged records that this clone wrote, whose text is not known to be that of a person here. */
async function strangeTexts(workspace: Workspace, files: MemoryFile[]): Promise<Problem[]> {
  const placed = files.flatMap(({ path, blob }) => {
    const name = parseFileName(path);
    const place = { store: 'team' as const, path: path.slice(MEMORY.length + 1) };
    return name === undefined ? [] : [{ entry: { ...name, ...place }, blob }];
  });
  const ids = changedHere(workspace, await withTrust(placed, workspace, { signatures: false }));
  if (ids.length === 0) return [];
  return [warning('strange-text', MEMORY, changedSentence(ids), 'Until then they are not injected here.')];
}

/** The files of the checkout, or those of the next commit. */
async function treeOf(workspace: Workspace, { staged, index }: CheckOptions, how?: TreeOptions) {
  return staged ? stagedTree(workspace, index, how) : worktreeTree(workspace);
}

/** Returns a test for paths: whether the file is new, or differs from a commit's. */
async function changedSince(workspace: Workspace, tree: MemoryTree, commit: string | undefined) {
  const before = await commitTree(workspace, commit, { isRead: false });
  return (path: string) => {
    const [was, is] = [before.get(path), tree.get(path)];
    return is === undefined || is.blob !== was?.blob || is.kind !== was.kind;
  };
}

async function scopeOf(workspace: Workspace, tree: MemoryTree, { staged, base }: CheckOptions) {
  if (base !== undefined) return changedSince(workspace, tree, await startOf(workspace, base));
  return staged ? changedSince(workspace, tree, await headCommit(workspace)) : () => true;
}

/** Records that repeat a redacted passage. A mark in the same change counts before its review: a person will look. */
async function repeatedRedactions(workspace: Workspace, set: RecordSet, checked: FiledRecord[]): Promise<Problem[]> {
  const brought = redactionsOf(set.records.flatMap(({ record }) => (record.kind === 'mark' ? [record] : [])));
  const all = [await activeRedactions(workspace), brought];
  return checked.flatMap(({ record, file: { path } }) => {
    if (all.some(({ ids }) => ids.has(record.id))) return [];
    const mark = all.map((redactions) => redactions.against(record)).find((id) => id !== undefined);
    if (mark === undefined) return [];
    const message = `It repeats what was redacted by the mark ${mark}.`;
    const hint = `Take the passage out, or \`git mem redact ${record.id}\`; \`git mem undo ${mark}\` lifts the redaction.`;
    return [error('redacted-again', path, message, hint, record.id)];
  });
}

/** How far another machine's clock may be ahead, in milliseconds: an hour, as if summer time was not set. */
const AHEAD_MS = 60 * 60_000;

/** Problems of a record that parses but is not fit for others to read. */
function contentProblems({ record, text, file: { path } }: FiledRecord, types: string[], now: Date): Problem[] {
  // Records by a newer version follow rules that are unknown here.
  if (isNewer(record)) return [];
  const { data, body } = splitFrontMatter(text, path);
  const problem = (code: Problem['code'], message: string, hint: string) => error(code, path, message, hint, record.id);
  if (Object.keys(data).length === 0 && body.trim() === '') {
    return [problem('empty', 'It is empty.', 'Delete the file, or write its text.')];
  }
  const problems: Problem[] = [];
  if (data.kind === undefined) {
    const hint = `Write \`kind: ${record.kind}\`: another reader would have to guess.`;
    problems.push(problem('no-kind', 'It has no kind.', hint));
  }
  if (isContent(record)) {
    const title = typeof data.title === 'string' ? data.title.trim() : '';
    const length = [...title].length;
    const lists = 'Lists show nothing else: write one line.';
    if (title === '') problems.push(problem('no-title', 'It has no title.', lists));
    if (length > LIMITS.title) {
      const message = `Its title has ${length} characters, of at most ${LIMITS.title}.`;
      problems.push(problem('long-title', message, 'Put the gist in one line, and the rest below.'));
    }
  }
  if (record.kind === 'observation' && !types.includes(record.type)) {
    const hint = `Use ${types.join(', ')}, or name it under \`types\` in .memory/config.yaml.`;
    const message = `Its type is ${JSON.stringify(record.type)}, which is not known here.`;
    problems.push(problem('unknown-type', message, hint));
  }
  const at = Date.parse(record.generated.at);
  const shown = JSON.stringify(record.generated.at);
  const hint = 'Write generated.at as 2026-11-20T20:05:01Z.';
  if (Number.isNaN(at)) problems.push(problem('bad-date', `Its time is ${shown}, which is not a date.`, hint));
  else if (at > now.getTime() + AHEAD_MS) {
    problems.push(problem('bad-date', `Its time is ${shown}, which is in the future.`, hint));
  }
  return problems;
}
