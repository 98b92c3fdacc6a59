/** The next step in a checkout without the folder. */
export const NOT_SET_UP = 'This checkout is not set up: run `git mem init`.';

/** Suggests creating a first memory if there is none. */
export const FIRST_MEMORY =
  '`git mem bootstrap --dry-run` shows what the files say; `git mem bootstrap --agent` prints what to ask of your agent.';
