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

/** Checks every file of a folder without reading any. The digest alone usually shows that nothing changed. */
export function scanFolder(source: RecordSource, folder: string, now: number): Scan {
  const names = source.files.names(folder);
  const states = names.map((name) => source.files.state(`${folder}/${name}`));
  const numbers = new Float64Array(names.length * 4);
  let settled = true;
  states.forEach((state, i) => {
    if (state === undefined) return;
    settled &&= isSettled(state, now);
    numbers.set([state.size, state.modifiedMs, state.changedMs, Number(state.isFile)], i * 4);
  });
  const files = () =>
    names.flatMap((name, i): [string, FileState | undefined][] =>
      parseFileName(name) === undefined ? [] : [[name, states[i]]],
    );
  const digest = settled ? createHash('sha1').update(names.join('/')).update(numbers).digest('base64') : '';
  return { folder, files, digest };
}
