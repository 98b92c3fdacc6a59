import { createHash } from 'node:crypto';
import { parseFileName } from '../../memory/file-name.ts';
import type { FileState, RecordSource } from '../../memory/store/source.ts';
import { isSettled } from '../../memory/store/stamp.ts';

/** The current state of a folder of records. */
export interface Scan {
  /** Path inside the store. */
  folder: string;
  /** The file names of its records, with the file state but without the content. */
  files(): [name: string, state: FileState | undefined][];
  /** Over all names, sizes and times; empty while a file is so young that it could change without its time changing. */
  digest: string;
}

/** Numbers noted of each file: its size, both times, and whether it is a regular file; all NaN if it does not exist. */
const NUMBERS = 4;

/** Checks every file of a folder without reading any. The digest alone usually shows that nothing changed. */
export function scanFolder(source: RecordSource, folder: string, now: number): Scan {
  const names = source.files.names(folder);
  // Numbers in one array: ten thousand objects that stay alive would have V8 copy them again and again.
  const numbers = new Float64Array(names.length * NUMBERS).fill(Number.NaN);
  let settled = true;
  for (let i = 0, at = 0; i < names.length; i++, at += NUMBERS) {
    const state = source.files.state(`${folder}/${names[i]}`);
    if (state === undefined) continue;
    settled &&= isSettled(state, now);
    numbers[at] = state.size;
    numbers[at + 1] = state.modifiedMs;
    numbers[at + 2] = state.changedMs;
    numbers[at + 3] = Number(state.isFile);
  }
  const files = () =>
    names.flatMap((name, i): [string, FileState | undefined][] =>
      parseFileName(name) === undefined ? [] : [[name, stateAt(numbers, i * NUMBERS)]],
    );
  const digest = settled ? createHash('sha1').update(names.join('/')).update(numbers).digest('base64') : '';
  return { folder, files, digest };
}

function stateAt(numbers: Float64Array, at: number): FileState | undefined {
  const [size = 0, modifiedMs = 0, changedMs = 0, isFile] = numbers.subarray(at, at + NUMBERS);
  return Number.isNaN(size) ? undefined : { isFile: isFile === 1, size, modifiedMs, changedMs };
}
