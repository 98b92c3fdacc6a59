import * as z from 'zod/mini';
import type { Config } from '../../config.ts';
import { OBSERVATION_TYPES } from '../../memory/record.ts';
import { readTemplate } from '../../templates.ts';

const line = z.string().check(z.minLength(1), z.maxLength(160), z.regex(/^[^\n{}<>]+$/));

const modeShape = z.object({
  /** The kind of work that the mode is for. */
  about: line,
  /** What a session is called: `a coding agent's session`. */
  session: line,
  remember: line,
  leave_out: line,
  /** What each type of observation is about, by name. */
  types: z.record(z.string().check(z.regex(/^[a-z][a-z-]*$/)), line),
  concepts: z.array(line),
});

/** A kind of work: what is worth remembering, and as which types. One file each in `templates/modes/`. */
export type Mode = z.infer<typeof modeShape>;

/** Reads the mode that the settings name. Throws if its file is not a mode, which happens only in a broken package. */
export function readMode(name: Config['extract']['mode']): Mode {
  return modeShape.parse(JSON.parse(readTemplate(`modes/${name}.json`)));
}

/** The observation types under these settings: those of every store, the mode's and the team's own. */
export function typesOf(config: Pick<Config, 'extract' | 'types'>): string[] {
  const mode = readMode(config.extract.mode);
  return [...new Set([...OBSERVATION_TYPES, ...Object.keys(mode.types), ...config.types])];
}

/** What agents call an observation's type, and the type they mean. */
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

/** The type that a word means, ignoring case and punctuation; `usual` without a word, or if it means none of `types`. */
export function typeMeant(word: string | undefined, types: readonly string[], usual: string): string {
  const said = bare(word ?? '');
  const singular = said.replace(/s$/, '');
  const known = (name = '') => types.find((type) => bare(type) === name);
  return known(said) ?? known(singular) ?? known(MEANT[said] ?? MEANT[singular]) ?? usual;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
