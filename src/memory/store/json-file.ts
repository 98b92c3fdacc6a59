import { isSystemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { readFileSync } from '../../looks.ts';

/** The value in a JSON file; undefined if it is missing or no JSON. Throws other system errors: it may be there. */
export function readJson(path: string): unknown {
  try {
    return jsonIn(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The same for a file that only caches what can be computed again: undefined whatever is wrong with it. */
export function readNotes(path: string): unknown {
  try {
    return readJson(path);
  } catch {
    return undefined;
  }
}
