/** A question that git was asked in this process. */
export interface Asked {
  cwd: string;
  args: readonly string[];
  input: string;
  /** Its whole answer; undefined where it failed, or where nobody noted the answer. */
  output?: string;
}

let asked: Asked[] | undefined;

/** Begins a list of all that git is asked from now on, for an answer that is kept with what it rests on. */
export function listAsked(): Asked[] {
  asked = [];
  return asked;
}

/** Ends the list. */
export function endAsked(): void {
  asked = undefined;
}

/** Called for every git child; gives the entry for its answer while there is a list. */
export function noteAsked(cwd: string, args: readonly string[], input = ''): Asked | undefined {
  const one: Asked = { cwd, args, input };
  asked?.push(one);
  return asked && one;
}
