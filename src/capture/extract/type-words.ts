/** What agents call an observation's type, and the type that it is. */
const MEANT: Record<string, string> = {
  bug: 'bugfix',
  fix: 'bugfix',
  cause: 'discovery',
  finding: 'discovery',
  fact: 'discovery',
  gotcha: 'discovery',
  insight: 'discovery',
  learning: 'discovery',
  lesson: 'discovery',
  note: 'discovery',
  pitfall: 'discovery',
  trap: 'discovery',
  choice: 'decision',
  convention: 'rule',
  constraint: 'rule',
  policy: 'rule',
  vulnerability: 'security',
};

/** The type that a word means, whatever its case and marks; `usual` where there is none, or it means none of `types`. */
export function typeMeant(word: string | undefined, types: readonly string[], usual: string): string {
  const said = bare(word ?? '');
  const singular = said.replace(/s$/, '');
  const known = (name = '') => types.find((type) => bare(type) === name);
  return known(said) ?? known(singular) ?? known(MEANT[said] ?? MEANT[singular]) ?? usual;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
