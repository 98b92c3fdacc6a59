import { basename, isAbsolute, join } from 'node:path';
import type { Config } from '../../config.ts';
import { realPath } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import { cacheFolder, type Environment, homeOf } from '../../user-folders.ts';

/** Another repository whose memory may be searched. */
export interface Link {
  /** The label of its records; unique among the links. */
  name: string;
  place: { path: string } | { url: string };
  /** The place as it may be shown: an address without the part before its host. */
  source: string;
  /** The commit whose memory is read, by at least the first seven digits of its id. */
  at?: string;
  /** Our own folder for its cached data. */
  folder: string;
}

/** Allowed schemes: `ext` runs programs, `http` and `ftp` can be read and changed in transit. */
const SCHEMES = ['https:', 'ssh:', 'file:', 'git:'];

/** The links in the settings, and a sentence for each invalid entry. */
export function readLinks(entries: Config['links'], env: Environment): { links: Link[]; problems: string[] } {
  const links: Link[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const { path, url, name, at } = typeof entry === 'string' ? split(entry) : entry;
    const text = url ?? path ?? '';
    const problem = problemWith(path, url);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    const place = url === undefined ? { path: placeAt(text, env) } : { url };
    links.push({
      name: unused(name ?? nameOf(text), links),
      place,
      source: 'url' in place ? withoutUser(place.url) : place.path,
      ...(at !== undefined && { at }),
      folder: join(linksFolder(env), idOf(...Object.values(place), at ?? '')),
    });
  }
  return { links, problems };
}

/** An entry that is only text: an address has a scheme, or is `user@host:path`. */
function split(text: string): Exclude<Config['links'][number], string> {
  return /^[a-z][a-z\d+.-]*:/i.test(text) || isShortSsh(text) ? { url: text } : { path: text };
}

function isShortSsh(text: string): boolean {
  return /^\w[\w.-]*@\w[\w.-]*:[^:]/.test(text);
}

function problemWith(path: string | undefined, url: string | undefined): string | undefined {
  if ((path === undefined) === (url === undefined)) return 'A link has either a path or a url.';
  if (url !== undefined) {
    const isKnown = isShortSsh(url) || SCHEMES.some((scheme) => url.toLowerCase().startsWith(`${scheme}//`));
    return isKnown ? undefined : `The link ${withoutUser(url)} is not an https, ssh, git or file URL.`;
  }
  // The settings apply to every repository: a relative path would mean another place in each.
  const isFixed = path !== undefined && (isAbsolute(path) || /^~(?:\/|$)/.test(path));
  return isFixed ? undefined : `The link ${path} is neither an absolute path nor one that begins with ~/.`;
}

function placeAt(path: string, env: Environment): string {
  // If it does not exist yet, opening it reports that.
  return realPath(path.startsWith('~') ? join(homeOf(env) ?? '/nonexistent', path.slice(1)) : path);
}

/** A label for a place: the last part of its path or address. */
export function nameOf(place: string): string {
  const last = basename(place.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*:/, '')).replace(/\.git$/, '');
  return (
    last
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 40) || 'link'
  );
}

/** The name, with a number if one of the others has it. */
export function unused(name: string, others: readonly { name: string }[]): string {
  const isTaken = (wanted: string) => others.some((other) => other.name === wanted);
  let free = name;
  for (let n = 2; isTaken(free); n++) free = `${name}-${n}`;
  return free;
}

/** An address without its user part, which may contain a password. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/** The folder for links: the user's cache folder, since everything in it can be fetched and rebuilt. */
function linksFolder(env: Environment): string {
  return join(cacheFolder(env) ?? '/nonexistent', 'links');
}
