import { basename } from 'node:path';

/** A home folder as the systems place it, under Windows' Linux as well; `/home/name` alone may be a web route. */
const HOMES =
  /(?<![\w.~-])(?:file:\/\/)?(?:\/mnt\/[a-z])?(?:\/Users\/[^\s/"'`()[\]<>,;:]+|\/home\/[^\s/"'`()[\]<>,;:]+(?=\/)|\/root(?=\/)|[A-Za-z]:[\\/]+Users[\\/]+[^\s\\/"'`()[\]<>,;:]+)/gu;
/** A file in a folder for temporary ones. */
const TEMPORARY =
  /(?<![\w.~-])(?:file:\/\/)?(?:\/private)?\/(?:tmp|var\/folders)\/(?:[^\s/"'`()[\]<>,;:]+\/)*(?=[^\s/])/gu;

/** Makes a function that takes this machine out of texts: paths in the checkout become relative, others in a home `~/...`. */
export function withoutLocalPaths(root: string, home = ''): (text: string) => string {
  const name = basename(root);
  const inRoot = pathPattern(root);
  const inHome = home.length > 1 ? pathPattern(home) : undefined;
  return (text) => {
    const inside = text.replace(inRoot, (_, rest: string) => (rest === '' ? name : ''));
    const above = inHome === undefined ? inside : inside.replace(inHome, (_, rest: string) => `~${rest}`);
    return above.replace(HOMES, '~').replace(TEMPORARY, '');
  };
}

/** A folder as a whole, with the slash behind it if there is one. */
function pathPattern(folder: string): RegExp {
  const escaped = withoutEnd(folder).replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  // macOS resolves its temporary folders to others below /private.
  return new RegExp(`(?<![\\w.~-])(?:file://)?(?:/private)?${escaped}([\\\\/]|(?![\\w-]|\\.\\w))`, 'gu');
}

/** A folder without the slashes at its end. */
function withoutEnd(folder: string): string {
  let end = folder.length;
  while (end > 0 && (folder[end - 1] === '/' || folder[end - 1] === '\\')) end--;
  return folder.slice(0, end);
}
