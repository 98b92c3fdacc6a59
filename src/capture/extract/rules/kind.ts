import type { Unit } from './units.ts';

const PREFIX: [RegExp, string][] = [
  [/^(?:fix|bugfix|hotfix)(?:e[sd])?\b/iu, 'bugfix'],
  [/^feat(?:ure)?\b|^(?:add|introduce|implement|support)(?:s|ed)?\b/iu, 'feature'],
  [/^(?:refactor|rename|split|extract|unify|move|simplify|restructure)(?:s|e?d)?\b/iu, 'refactor'],
  [/^security\b/iu, 'security'],
];

const TROUBLE = /\b(?:bugs?|fix|fails?|failing|failed|broken|errors?|crash\w*|wrong|bypass\w*|regression|flaky)\b/iu;

/** The type of a piece of work: what its title says it is, else whether something failed before it. */
export function kindOf({ check, edited, asked }: Unit, title: string): string {
  const said = PREFIX.find(([pattern]) => pattern.test(title))?.[1];
  if (said !== undefined) return said;
  if (edited.every((path) => /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|CHANGELOG)/iu.test(path))) return 'change';
  return check?.hadFailed || (check !== undefined && TROUBLE.test(asked)) ? 'bugfix' : 'change';
}
