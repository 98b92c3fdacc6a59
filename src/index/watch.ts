import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { watch } from 'chokidar';
import { fieldsOf } from '../json.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Cache } from './cache.ts';
import type { Card, IndexedDocument } from './memory-index.ts';

/** What a sync of the watcher found. */
export interface WatchedChange {
  added: Card[];
  /** Records whose file has new content. */
  edited: Card[];
  removed: Card[];
  tookMs: number;
}

export interface Watching {
  records: number;
  close(): Promise<void>;
}

/** How long changes must pause before a sync starts, in milliseconds: git writes a checkout's files in one burst. */
const QUIET_MS = 200;

/** Git takes longer than this, in milliseconds, only on the largest checkouts, or it was killed and left its lock behind. */
const GIT_MS = 30_000;

/**
 * Keeps the cache up to date until it is closed: one sync after each burst of changes, however many files it touches.
 * Nothing runs while nothing changes.
 */
export async function watchMemory(
  workspace: Workspace,
  cache: Cache,
  handlers: { onChange: (change: WatchedChange) => void; onError: (error: unknown) => void },
): Promise<Watching> {
  const { layout, checkout } = workspace;
  const isOurs = (path: string) =>
    [layout.memory, layout.private].some((place) => path === place || path.startsWith(place + sep));
  // The watcher notices one new folder level at a time, not two at once.
  createFolder(layout.private, 0o700);
  // Only folders are watched, with one handle each: they report changes of their files, and a handle per file would
  // soon be too many. The top of the checkout is watched too, because a branch without memory removes `.memory` and
  // another one adds it again.
  const watcher = watch([checkout.root, layout.private], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => (path !== checkout.root && !isOurs(path)) || stats?.isDirectory() === false,
  });
  let timer: NodeJS.Timeout | undefined;
  let firstMs: number | undefined;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;
  let before = new Map<string, Seen>();
  const look = () =>
    cache.query((index) => {
      const seen = new Map<string, Seen>();
      for (const { blob, card } of index.newest()) seen.set(card.id, { blob, card });
      return seen;
    });

  function notice(): void {
    if (isClosed) return;
    firstMs ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(settle, QUIET_MS);
  }

  function settle(): void {
    // A checkout or a rebase pauses at times; while git holds its lock, more changes follow.
    const isBusy = existsSync(join(checkout.gitDir, 'index.lock')) && Date.now() - (firstMs ?? 0) < GIT_MS;
    if (isBusy) {
      notice();
      return;
    }
    firstMs = undefined;
    working = working.then(catchUp).catch(handlers.onError);
  }

  async function catchUp(): Promise<void> {
    if (isClosed) return;
    const start = performance.now();
    await cache.sync();
    const after = await look();
    const change = difference(before, after);
    before = after;
    const isNews = change.added.length + change.edited.length + change.removed.length > 0;
    if (isNews) handlers.onChange({ ...change, tookMs: performance.now() - start });
  }

  watcher.on('all', notice);
  // Events of files in a watched folder; the checkout's own files are noise.
  watcher.on('raw', (_event, _path, details: unknown) => {
    const { watchedPath } = fieldsOf(details);
    if (typeof watchedPath === 'string' && isOurs(watchedPath)) notice();
  });
  watcher.on('error', handlers.onError);
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  await cache.sync();
  before = await look();

  return {
    records: before.size,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await watcher.close();
      await working;
    },
  };
}

type Seen = Pick<IndexedDocument, 'blob' | 'card'>;

function difference(before: Map<string, Seen>, after: Map<string, Seen>): Omit<WatchedChange, 'tookMs'> {
  const cards = (all: Map<string, Seen>, isChosen: (id: string, seen: Seen) => boolean) =>
    [...all].filter(([id, seen]) => isChosen(id, seen)).map(([, { card }]) => card);
  return {
    added: cards(after, (id) => !before.has(id)),
    edited: cards(after, (id, { blob }) => (before.get(id)?.blob ?? blob) !== blob),
    removed: cards(before, (id) => !after.has(id)),
  };
}
