/** What points to a first memory where there is none. */
export const FIRST_MEMORY = '`git mem bootstrap --dry-run` shows what the files and the history have to tell.';
