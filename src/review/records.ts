import { GitMemError, messageOf } from '../errors.ts';
import { decode } from '../memory/codec.ts';
import { FOLDERS, parseFileName, wholeSeconds } from '../memory/file-name.ts';
import { isNewer } from '../memory/format.ts';
import { contentId, isId } from '../memory/id.ts';
import { type EffectiveStates, foldMarks, isHidden } from '../memory/marks.ts';
import { outlineReader } from '../memory/outline.ts';
import { isContent, type MemoryRecord } from '../memory/record.ts';
import { MAX_HOOK_BYTES, MAX_PARSED_BODY, MAX_RECORD_BYTES } from '../memory/size.ts';
import { repeatsAmong } from '../search/repeats.ts';
import { MEMORY, type MemoryFile, type MemoryTree } from './memory-tree.ts';
import { error, type Problem, warning } from './problem.ts';

/** A record with its file, read from any tree: the checkout, the index or a commit. */
export interface FiledRecord<R extends MemoryRecord = MemoryRecord> {
  record: R;
  file: MemoryFile;
  text: string;
}

/** A file that should be a record and is not one. */
export type InvalidFile = Pick<Problem, 'path' | 'code' | 'message' | 'hint'>;

/** The files of a tree, decoded. */
export interface RecordSet {
  records: FiledRecord[];
  /** The first file with each id. */
  byId: Map<string, FiledRecord>;
  invalid: InvalidFile[];
}

const IN_FOLDERS = new RegExp(`^\\${MEMORY}/(?:${Object.values(FOLDERS).join('|')})/`);
const RECORD_PLACE = /^[^/]+\/[^/]+\/\d{4}-\d\d\/[^/]+$/;

/** Tells whether a path is where records are. */
export function isRecordPath(path: string): boolean {
  return IN_FOLDERS.test(path);
}

/** Reads the records of a tree; `known` are those of another tree, whose unchanged files are not read again. */
export function readRecords(tree: MemoryTree, known?: RecordSet): RecordSet {
  const earlier = new Map(known?.records.map((filed) => [filed.file.path, filed]));
  const set: RecordSet = { records: [], byId: new Map(), invalid: [] };
  for (const file of tree.values()) {
    if (!isRecordPath(file.path)) continue;
    const same = earlier.get(file.path);
    const filed = same !== undefined && same.file.blob === file.blob ? same : readFile(file);
    if ('record' in filed) {
      set.records.push(filed);
      if (!set.byId.has(filed.record.id)) set.byId.set(filed.record.id, filed);
    } else set.invalid.push(filed);
  }
  return set;
}

function readFile(file: MemoryFile): FiledRecord | InvalidFile {
  const { path, bytes } = file;
  if (file.kind === 'unmerged') return conflict(path);
  if (file.kind === 'link' || file.kind === 'other') {
    const hint = 'Put the file itself there: git-mem follows no link and reads no other repository.';
    return { path, code: 'link', message: 'It is not a regular file.', hint };
  }
  if (bytes === undefined) {
    const message = `It is larger than ${MAX_RECORD_BYTES / 1e6} MB, or git has lost it.`;
    return { path, code: 'size', message, hint: 'A record is a few hundred words: move the rest elsewhere.' };
  }
  if (!RECORD_PLACE.test(path) || parseFileName(path) === undefined) {
    const message = 'Its name is not that of a record, so nothing reads it.';
    const name = '2026-11/20261120T200501Z-a-few-words-k3v9x2qd7m.md';
    const hint = `For example observations/${name}; \`git mem add FILE\` makes one.`;
    return { path, code: 'file-name', message, hint };
  }
  const text = bytes.toString('utf8');
  if (/^<{7}(?: |$)/mu.test(text) && /^>{7}(?: |$)/mu.test(text)) return conflict(path);
  try {
    return { record: decode(text, path, outlineReader), file, text };
  } catch (error) {
    const hint = error instanceof GitMemError ? (error.hint ?? '') : '';
    const message = messageOf(error).replace(`${path}: `, '');
    const code = error instanceof GitMemError && error.code === 'newer-format' ? error.code : 'bad-record';
    return { path, code, message, hint: hint || 'Correct the file by hand, or delete it.' };
  }
}

function conflict(path: string): InvalidFile {
  const hint = 'Records never conflict by themselves: keep one side, or both as two files.';
  return { path, code: 'conflict', message: 'It has a merge conflict in it.', hint };
}

/** Problems of single records and between records; `isChecked` tells which files to report on. */
export function recordProblems(set: RecordSet, isChecked: (path: string) => boolean): Problem[] {
  const checked = set.records.filter(({ file }) => isChecked(file.path));
  const about = new Set(checked.map(({ record }) => record.id));
  const stateOf = foldMarks(set.records.map(({ record }) => record)).of;
  return [
    ...set.invalid
      .filter(({ path }) => isChecked(path))
      .map(({ code, path, message, hint }) => {
        // A record by a colleague's newer version needs no fix.
        const problem = code === 'newer-format' ? warning : error;
        return problem(code, path, message, hint, parseFileName(path)?.id);
      }),
    ...checked.flatMap(formatProblems),
    ...checked.flatMap(placeProblems),
    ...checked.flatMap(sizeProblems),
    ...duplicateIds(set, isChecked),
    ...checked.flatMap((filed) => danglingProblems(filed, set)),
    ...nearDuplicateProblems(set, stateOf, about),
  ];
}

function formatProblems({ record, file: { path } }: FiledRecord): Problem[] {
  if (!isNewer(record)) return [];
  const message = 'It has a newer format than this git-mem knows, which uses what it knows of it.';
  return [warning('newer-format', path, message, 'Update git-mem to use the rest.', record.id)];
}

function placeProblems({ record, file: { path } }: FiledRecord): Problem[] {
  const name = parseFileName(path);
  const [, folder, month] = path.split('/');
  const problems: Problem[] = [];
  if (name !== undefined && name.id !== record.id) {
    const hint = `Write the same id in both places; references go by the record's own, ${record.id}.`;
    problems.push(error('id-mismatch', path, `Its id is ${record.id}, its name says ${name.id}.`, hint, record.id));
  }
  if (folder !== FOLDERS[record.kind]) {
    const message = `Its kind is ${record.kind}: the folder is that of another kind.`;
    const hint = `Move it to .memory/${FOLDERS[record.kind]}/${month}/.`;
    problems.push(error('kind-mismatch', path, message, hint, record.id));
  }
  if (record.kind === 'prompt') {
    const hint = 'Prompts stay in the private store of each clone: delete the file.';
    problems.push(error('kind-mismatch', path, 'It is a prompt, which the team has no use for.', hint, record.id));
  }
  const time = wholeSeconds(record.generated.at);
  if (name !== undefined && (name.time !== time || month !== time.slice(0, 7))) {
    const message = `The record is of ${time}, its path says ${month} and ${name.time}.`;
    const hint = 'Lists go by the path: rename the file, or correct generated.at.';
    problems.push(warning('wrong-month', path, message, hint, record.id));
  }
  return problems;
}

function sizeProblems({ record, file, text }: FiledRecord): Problem[] {
  const bytes = file.bytes?.length ?? 0;
  const body = text.length - Math.max(0, text.indexOf('\n---', 3));
  if (bytes <= MAX_HOOK_BYTES && body <= MAX_PARSED_BODY) return [];
  const message = `It has ${bytes} bytes; an agent that reads it pays for each.`;
  const hint = 'Keep what the next session needs, and link to the rest.';
  return [warning('size', file.path, message, hint, record.id)];
}

function duplicateIds({ records, byId }: RecordSet, isChecked: (path: string) => boolean): Problem[] {
  return records.flatMap(({ record, file }) => {
    const known = byId.get(record.id);
    const first = known?.file.path ?? file.path;
    if (first === file.path || !(isChecked(file.path) || isChecked(first))) return [];
    // Two branches may write the same finding, which every reader takes for one record. An identical copy is a mistake.
    const isCopy = known?.file.blob === file.blob;
    if (known !== undefined && !isCopy && isSameFinding(known.record, record)) return [];
    const hint = 'Delete one of the two, or give it an id of its own.';
    return [error('duplicate-id', file.path, `${first} has the id ${record.id} too.`, hint, record.id)];
  });
}

/** Two records may rightly say the same about two files, so this is not an error. */
function nearDuplicateProblems(set: RecordSet, stateOf: EffectiveStates['of'], about: Set<string>): Problem[] {
  const fileOf = (id: string) => set.byId.get(id)?.file.path ?? '';
  return repeatedRecords(set, stateOf, about).map(({ id, other, gone, kept }) => {
    const message = `It is a near-duplicate of ${other} (${fileOf(other)}).`;
    const hint = `Keep one: \`git mem supersede ${gone} --by ${kept}\`, or write down what differs.`;
    return warning('near-duplicate', fileOf(id), message, hint, id);
  });
}

/** The active observations that nearly repeat a better one, each once; `id` is the one of the two in `about`. */
export function repeatedRecords({ byId }: RecordSet, stateOf: EffectiveStates['of'], about: ReadonlySet<string>) {
  const rated = [...byId.values()].flatMap(({ record }) => {
    const state = stateOf(record.id);
    return record.kind === 'observation' && !isHidden(state) ? [{ record, state }] : [];
  });
  return repeatsAmong(rated, { about, withOtherFiles: true }).map((repeat) => {
    const [gone, kept] = [repeat.gone.record.id, repeat.kept.record.id];
    const [id, other] = about.has(gone) ? [gone, kept] : [kept, gone];
    return { id, other, gone, kept, similarity: repeat.similarity };
  });
}

function isSameFinding(one: FiledRecord['record'], other: FiledRecord['record']): boolean {
  return one.kind === 'observation' && other.kind === 'observation' && contentId(one) === contentId(other);
}

/** Another branch may add the record that is named, so this is not an error. */
function danglingProblems({ record, file }: FiledRecord, { byId }: RecordSet): Problem[] {
  const replaced = isContent(record) ? record.supersedes : [];
  const named = record.kind === 'mark' ? [...record.targets, record.by ?? []].flat() : replaced;
  return named.flatMap((id) => {
    if (byId.has(id)) return [];
    const what = isId(id) ? `${id}, which is not here` : `${JSON.stringify(id.slice(0, 40))}, which is not an id`;
    const hint = 'Another branch, or your private store, may have it; otherwise correct the id.';
    return [warning('dangling', file.path, `It names ${what}.`, hint, record.id)];
  });
}
