/** A question asked of git in this process. */
export interface Asked {
  cwd: string;
  args: readonly string[];
  input: string;
  /** The whole answer; undefined if git failed or the answer was not noted. */
  output?: string;
}

let asked: Asked[] | undefined;

/** Starts a list of everything asked of git, for an answer that is cached with its inputs. */
export function listAsked(): Asked[] {
  asked = [];
  return asked;
}

/** Ends the list. */
export function endAsked(): void {
  asked = undefined;
}

/** Called for every git child; returns the entry for its answer while there is a list. */
export function noteAsked(cwd: string, args: readonly string[], input = ''): Asked | undefined {
  const one: Asked = { cwd, args, input };
  asked?.push(one);
  return asked && one;
}
