import { posix } from 'node:path';
import { tokenizeWords } from '../../index/tokens.ts';
import { isRule, type Observation } from '../../memory/record.ts';
import { namesIn, stands } from '../../provenance/names.ts';
import { workingFile } from '../../provenance/working-file.ts';
import { isInformative } from '../../search/topic-words.ts';
import type { FileHit } from './file-recall.ts';

/** Larger files are not searched for names: an agent waits. In bytes. */
const MOST_BYTES = 1_000_000;

/** What is read of files, or that they are about to be changed. */
export interface Reading {
  /** The first and the last line, where it is not the whole file. */
  lines?: readonly [number, number] | undefined;
  isEdit: boolean;
}

/**
 * Tells which records bear on what is read of a file: those of which a name, or a line that they cite, lies in there, and
 * those that name the file as their main subject. Before an edit, also rules about the file. Each file is read once.
 */
export function readBearing(root: string, { lines, isEdit }: Reading): (record: Observation, hit: FileHit) => boolean {
  const files = new Map<string, { whole: string; part: string }>();
  function textOf(path: string) {
    const bytes = workingFile(root, path, () => true);
    const whole = bytes === undefined || bytes.length > MOST_BYTES ? '' : bytes.toString('utf8');
    return {
      whole,
      part: lines
        ? whole
            .split('\n')
            .slice(lines[0] - 1, lines[1])
            .join('\n')
        : whole,
    };
  }
  return (record, { path, cited }) => {
    if (isEdit && isRule(record)) return true;
    const { whole, part } = files.get(path) ?? textOf(path);
    files.set(path, { whole, part });
    const names = namesIn(record);
    const inTitle = () => names.some((name) => stands(name, record.title) && stands(name, whole));
    const isFirst = [...record.files_modified, ...record.files_read][0] === cited;
    return (
      names.some((name) => stands(name, part)) ||
      citesLines(record, cited, lines) ||
      (isFirst && (namesFile(record.title, cited) || namesFile(record.title, path) || inTitle()))
    );
  };
}

/** Tells whether a record cites a line of a file, as `limit.ts:12-40`, that is read. */
function citesLines({ title, narrative, facts }: Observation, cited: string, lines: Reading['lines']): boolean {
  const text = [title, narrative, ...facts].join('\n');
  const [, after = ''] = text.split(`${posix.basename(cited)}:`, 2);
  const found = /^(\d+)(?:-(\d+))?/.exec(after);
  if (found === null || lines === undefined) return found !== null;
  return Number(found[1]) <= lines[1] && Number(found[2] ?? found[1]) >= lines[0];
}

/** Tells whether a title names a file: by its name, or by the words of it that tell something. */
function namesFile(title: string, path: string): boolean {
  const name = posix.basename(path);
  if (stands(name, title)) return true;
  const said = new Set(tokenizeWords(title).flat());
  const words = tokenizeWords(name.replace(/\..*$/s, '')).flatMap((tokens) =>
    tokens.length > 1 ? tokens.slice(0, -1) : tokens,
  );
  return words.some(isInformative) && words.every((word) => said.has(word));
}
