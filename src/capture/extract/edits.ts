import { isChange } from '../agents/event.ts';
import { partsOfLine, pathsIn } from '../agents/shell-reads.ts';
import type { Turn } from './turn.ts';

/** What a turn did to files: repository-relative POSIX paths, in the order of first touch. */
export interface Edits {
  edited: string[];
  /** Restored to git's version, which discards every change to them. */
  restored: string[];
  /** The whole working tree was restored. */
  resetAll: boolean;
}

/** Package managers, and the files that they write when something is added, removed or updated. */
const MANIFESTS: [RegExp, string[]][] = [
  [/^go (?:get|mod (?:tidy|edit))\b/u, ['go.mod', 'go.sum']],
  [/^npm (?:install|i|update|uninstall) /u, ['package.json', 'package-lock.json']],
  [/^pnpm (?:add|update|remove)\b/u, ['package.json', 'pnpm-lock.yaml']],
  [/^yarn (?:add|upgrade|remove)\b/u, ['package.json', 'yarn.lock']],
  [/^cargo (?:add|update|remove)\b/u, ['Cargo.toml', 'Cargo.lock']],
  [/^(?:poetry|uv) (?:add|update|remove|lock)\b/u, ['pyproject.toml', 'poetry.lock', 'uv.lock']],
  [/^bundle (?:add|update)\b/u, ['Gemfile', 'Gemfile.lock']],
  [/^composer (?:require|update|remove)\b/u, ['composer.json', 'composer.lock']],
];

/** The files that a turn changed and did not restore itself. A formatter's run says nothing about its purpose. */
export function editsOf(turn: Turn): Edits {
  const edited = new Set<string>();
  const restored = new Set<string>();
  let resetAll = false;
  for (const call of turn.calls) {
    const { paths, command, ok } = call;
    if (ok === false) continue;
    if (isChange(call)) for (const path of paths) edited.add(path);
    for (const part of partsOfLine(command ?? '')) {
      for (const path of changedBy(part)) edited.add(path);
      const back = restoredBy(part);
      if (back === undefined) continue;
      resetAll ||= back.length === 0;
      for (const path of back.length === 0 ? [...edited] : back) {
        edited.delete(path);
        restored.add(path);
      }
    }
  }
  return { edited: [...edited], restored: [...restored], resetAll };
}

function changedBy(part: string): string[] {
  const inside = (paths: string[]) => paths.filter((path) => !path.startsWith('/'));
  if (/^(?:git )?(?:mv|rm)\b|^(?:sed|perl)\s+(?:-\w+\s+)*-\w*i/u.test(part)) return inside(pathsIn(part));
  if (/^cp\b/u.test(part)) return inside(pathsIn(part).slice(-1));
  return MANIFESTS.find(([pattern]) => pattern.test(part))?.[1] ?? [];
}

/** The files that a command restores, an empty list for all; undefined if it restores nothing. */
function restoredBy(part: string): string[] | undefined {
  if (/^git (?:reset --hard|checkout (?:-f|--force|\.|-- \.)(?:\s|$)|restore \.|stash(?: push)?$|revert\b)/u.test(part))
    return [];
  if (/^git restore\b(?!.*--staged)/u.test(part)) return pathsIn(part.replace(/^git /u, ''));
  const files =
    /^git checkout(?: \S+)? -- (.+)$/u.exec(part)?.[1] ?? /^git checkout ((?:\S+\.\w+\s*)+)$/u.exec(part)?.[1];
  return files === undefined ? undefined : pathsIn(`checkout ${files}`);
}
