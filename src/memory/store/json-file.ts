import { isSystemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { readFileSync } from '../../looks.ts';

/** The value in a JSON file; undefined if it is missing or not JSON. Throws other system errors: the file may exist. */
export function readJson(path: string): unknown {
  try {
    return jsonIn(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The same for a cache file: undefined whatever is wrong with it. */
export function readNotes(path: string): unknown {
  try {
    return readJson(path);
  } catch {
    return undefined;
  }
}
