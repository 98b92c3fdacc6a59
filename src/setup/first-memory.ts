/** Suggests creating a first memory if there is none. */
export const FIRST_MEMORY =
  '`git mem bootstrap --dry-run` shows what the files say; `git mem bootstrap --agent` prints what to ask of your agent.';
