import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesLeft } from '../../capture/by-hand/copies.ts';
import { locate } from '../../git/locate.ts';
import { readBlobs } from '../../git/objects.ts';
import { decode } from '../../memory/codec.ts';
import { outlineReader } from '../../memory/outline.ts';
import { textsOf } from '../../memory/redaction.ts';
import { readJson } from '../../memory/store/json-file.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';

/** What repeats redacted passages, recognised by the marks' hashes, whether or not the original words still exist. */
export interface Echoes {
  /** Git's and git-mem's own notes that name the records or repeat them; absolute paths. */
  own: string[];
  /** Commits whose messages repeat them. */
  commits: string[];
  /** Full names of annotated tags whose messages repeat them. */
  tags: string[];
  /** Records of the personal store: files by path, and those that only its history has by blob. */
  personal: string[];
}

/** Asks git, and throws if it does not answer. */
export type Git = (args: string[], options?: { cwd?: string; input?: string }) => Promise<string>;

/** Files where git keeps the latest messages. */
const MESSAGES = ['COMMIT_EDITMSG', 'MERGE_MSG', 'SQUASH_MSG', 'TAG_EDITMSG'];

export async function findEchoes(
  workspace: Workspace,
  { ids, worktrees, git }: { ids: string[]; worktrees: string[]; git: Git },
): Promise<Echoes> {
  const { isFree } = await activeRedactions(workspace, ids);
  const log = await git(['log', '--all', '--reflog', '--no-show-signature', '--no-notes', '-z', '--format=%H%n%B']);
  const commits = log.split('\0').flatMap((one) => {
    const [, id = '', message = ''] = /^(\w+)\n(.*)$/s.exec(one) ?? [];
    return isFree(message) ? [] : [id];
  });
  const contents = await git(['for-each-ref', '--format=%(objecttype) %(refname)%00%(contents)%00', 'refs/tags']);
  const fields = contents.split('\0');
  const tags = fields.flatMap((field, i) => {
    const name = i % 2 === 0 ? /^\n?tag (.+)$/.exec(field)?.[1] : undefined;
    return name === undefined || isFree(fields[i + 1] ?? '') ? [] : [name];
  });
  const notes = worktrees.flatMap((root) => MESSAGES.map((name) => join(locate(root)?.gitDir ?? root, name)));
  const messages = notes.filter((path) => existsSync(path) && !isFree(readFileSync(path, 'utf8')));
  const drafts = [workspace.layout.state, ...workspace.layout.otherStates].flatMap(draftsIn);
  const saying = drafts.filter((path) => !textsIn(readJson(path)).every(isFree));
  const own = [...new Set([...namesLeft(workspace, ids), ...saying, ...messages])];
  return { own, commits, tags, personal: await inPersonal(workspace, git, (texts) => texts.every(isFree)) };
}

/** The drain's notes on sessions. */
function draftsIn(state: string): string[] {
  const folder = join(state, 'sessions');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function inPersonal({ env }: Workspace, git: Git, areFree: (texts: string[]) => boolean): Promise<string[]> {
  const root = personalCheckout(env)?.root;
  if (root === undefined) return [];
  const isFree = (text: string, path: string) => {
    try {
      return areFree(textsOf(decode(text, path, outlineReader)));
    } catch {
      return areFree([text]);
    }
  };
  const here = await git(['ls-files', '-z', '--cached', '--others', '--', '.memory'], { cwd: root });
  const paths = [...new Set(here.split('\0'))].filter((path) => path.endsWith('.md') && existsSync(join(root, path)));
  const files = paths.filter((path) => !isFree(readFileSync(join(root, path), 'utf8'), path));
  const objects = (await git(['rev-list', '--objects', '--all', '--reflog'], { cwd: root })).split('\n');
  const named = objects.flatMap((line) => {
    const [, blob = '', path = ''] = /^(\w+) (\.memory\/.+\.md)$/.exec(line) ?? [];
    return blob === '' || files.includes(path) ? [] : [[blob, path] as const];
  });
  const texts = await readBlobs(
    root,
    named.map(([blob]) => blob),
    env,
  );
  const past = named.filter(([blob, path]) => !isFree(texts.get(blob)?.toString('utf8') ?? '', path));
  return [...files.map((path) => join(root, path)), ...past.map(([blob, path]) => `${blob}  ${path}`)];
}
