/** Suggests creating a first memory if there is none. */
export const FIRST_MEMORY = '`git mem bootstrap --dry-run` shows what the files and the history have to say.';
