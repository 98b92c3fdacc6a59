import { basename } from 'node:path';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cleaner } from './clean.ts';

/** A home folder as the systems place it, under Windows' Linux as well. `/home/name` alone may be a web route, unless it ends a line of a screen. */
const HOMES =
  /(?<![\w.~-])(?:file:\/\/)?(?:\/mnt\/[a-z])?(?:\/Users\/[^\s/"'`()[\]<>,;:]+|\/home\/[^\s/"'`()[\]<>,;:]+(?=\/|(?<=\s{2}\S+)[^\S\n]*$)|\/root(?=\/)|[A-Za-z]:[\\/]+Users[\\/]+[^\s\\/"'`()[\]<>,;:]+)/gmu;
/** A folder that clients name after the path of a checkout, with a dash for each slash. */
const NAMED_AFTER_HOME = /(?<=\/)-(?:Users|home)-[^\s/"'`()[\]<>,;:]+/gu;

/** Makes a function that takes this machine out of texts: paths in the checkout become relative, others in a home `~/...`. */
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

/** A cleaner that also takes this machine out of texts, for what is written into records. */
export function cleanedHere(cleaner: Cleaner, { checkout, env }: Pick<Workspace, 'checkout' | 'env'>): Cleaner {
  const local = withoutLocalPaths(checkout.root, env.HOME);
  return { ...cleaner, text: async (raw) => local(await cleaner.text(raw)) };
}

/** A folder before what is in it, without which it keeps its slash. */
function pathPattern(folder: string): RegExp {
  const escaped = folder.replace(/(?<![\\/])[\\/]+$/u, '').replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  // macOS resolves its temporary folders to others below /private.
  const inside = '[\\\\/](?=[^\\s"\'`)\\]<>,;:.]|\\.\\w)';
  const whole = '([\\\\/]?)(?![\\w-]|\\.\\w)';
  return new RegExp(`(?<![\\w.~-])(?:file://)?(?:/private)?${escaped}(?:${inside}|${whole})`, 'gu');
}
