import { matchesGlob } from '../memory/glob.ts';
import { withoutEndSlashes } from '../slashes.ts';

/** Who owns which file, as GitHub and GitLab read their CODEOWNERS files. */
export interface CodeOwners {
  /** The owners of a path, in the order of the file; none if nobody is named. */
  of(path: string): string[];
}

/** Where the file may be; the first one found counts. */
export const CODEOWNERS_PATHS = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

interface Rule {
  pattern: string;
  owners: string[];
}

/**
 * Parses a CODEOWNERS file. In each section the last matching line counts, and one without owners removes them; GitHub
 * has no sections, so its whole file is one. Sources:
 * https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners,
 * https://docs.gitlab.com/user/project/codeowners/reference/.
 */
export function parseCodeOwners(text: string): CodeOwners {
  const sections = new Map<string, Rule[]>([['', []]]);
  let rules = sections.get('') ?? [];
  let standard: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.replace(/(^|\s)#.*$/s, '').trim();
    if (content === '') continue;
    const section = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?$/.exec(content);
    if (section) {
      const name = section[1]?.toLowerCase() ?? '';
      rules = sections.get(name) ?? [];
      sections.set(name, rules);
      standard = ownersIn(section[2] ?? '');
      continue;
    }
    // A space within a path is escaped by a backslash.
    const [pattern = '', rest = ''] = splitOnce(content);
    if (pattern.startsWith('!')) continue;
    const owners = ownersIn(rest);
    rules.push({ pattern, owners: owners.length > 0 ? owners : standard });
  }
  return {
    of(path) {
      const named = [...sections.values()].flatMap(
        (list) => list.findLast(({ pattern }) => fits(pattern, path))?.owners ?? [],
      );
      return [...new Set(named)];
    },
  };
}

function splitOnce(content: string): [string, string] {
  const match = /^((?:\\.|[^\s\\])+)(?:\s+(.*))?$/s.exec(content);
  return [(match?.[1] ?? '').replace(/\\(.)/g, '$1'), match?.[2] ?? ''];
}

function ownersIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => /^@.|.@./.test(word));
}

/** As in .gitignore, except that a trailing `*` matches only files directly in that folder. */
function fits(pattern: string, path: string): boolean {
  const isFolder = pattern.endsWith('/');
  const bare = withoutEndSlashes(pattern.replace(/^\/+/, ''));
  if (bare === '') return isFolder;
  const isAnchored = pattern.startsWith('/') || bare.includes('/');
  const glob = isAnchored || bare === '**' ? bare : `**/${bare}`;
  if (!isFolder && matchesGlob(glob, path)) return true;
  return !bare.endsWith('/*') && matchesGlob(`${glob}/**`, path);
}
