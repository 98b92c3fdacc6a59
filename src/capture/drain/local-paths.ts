import { basename } from 'node:path';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cleaner } from './clean.ts';

/** Home folders as operating systems place them, WSL included; a bare `/home/name` may be a web route, unless it ends a line. */
const HOMES =
  /(?<![\w.~-])(?:file:\/\/)?(?:\/mnt\/[a-z])?(?:\/Users\/[^\s/"'`()[\]<>,;:]+|\/home\/[^\s/"'`()[\]<>,;:]+(?=\/|(?<=\s{2}\S+)[^\S\n]*$)|\/root(?=\/)|[A-Za-z]:[\\/]+Users[\\/]+[^\s\\/"'`()[\]<>,;:]+)/gmu;
/** A folder that clients name after the path of a checkout, with a dash for each slash. */
const NAMED_AFTER_HOME = /(?<=\/)-(?:Users|home)-[^\s/"'`()[\]<>,;:]+/gu;

/** Makes a function that removes local paths from texts: those in the checkout become relative, others in a home `~/...`. */
export function withoutLocalPaths(root: string, home = ''): (text: string) => string {
  const name = basename(root);
  const inRoot = pathPattern(root);
  const inHome = home.length > 1 ? pathPattern(home) : undefined;
  return (text) => {
    const inside = text.replace(inRoot, (_, end?: string) => (end === undefined ? '' : `${name}${end}`));
    const above = inHome === undefined ? inside : inside.replace(inHome, (_, end = '/') => `~${end}`);
    return above.replace(HOMES, '~').replace(NAMED_AFTER_HOME, '~');
  };
}

/** A cleaner that also removes local paths, for text that goes into records. */
export function cleanedHere(cleaner: Cleaner, { checkout, env }: Pick<Workspace, 'checkout' | 'env'>): Cleaner {
  const local = withoutLocalPaths(checkout.root, env.HOME);
  return { ...cleaner, text: async (raw) => local(await cleaner.text(raw)) };
}

/** Matches a folder's path in front of a path inside it, or alone with its optional slash. */
function pathPattern(folder: string): RegExp {
  const escaped = folder.replace(/(?<![\\/])[\\/]+$/u, '').replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  // macOS resolves its temporary folders to paths below /private.
  const inside = '[\\\\/](?=[^\\s"\'`)\\]<>,;:.]|\\.\\w)';
  const whole = '([\\\\/]?)(?![\\w-]|\\.\\w)';
  return new RegExp(`(?<![\\w.~-])(?:file://)?(?:/private)?${escaped}(?:${inside}|${whole})`, 'gu');
}
