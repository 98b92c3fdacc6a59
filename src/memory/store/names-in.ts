import { isSystemError } from '../../errors.ts';
import { readdirSync } from '../../looks.ts';

/** The names in a folder; none if it is missing or not a folder. Throws other system errors. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
