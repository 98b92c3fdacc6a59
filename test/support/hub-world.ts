import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type HubConfig, readHubConfig } from '../../src/hub/config.ts';
import type { Database } from '../../src/hub/database/database.ts';
import { openPglite } from '../../src/hub/database/pglite.ts';
import { type Ingestion, openIngestion } from '../../src/hub/ingest/ingestion.ts';
import type { Hub } from '../../src/hub/open.ts';
import { openDatabase, serveDatabase } from '../../src/hub/open.ts';
import type { Viewer } from '../../src/hub/port.ts';
import { openVectors } from '../../src/hub/vectors/vectors.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { repositoryTemplate } from './repository-template.ts';
import { type AtEnd, forAllTests } from './set-up.ts';

/** Remotes on disk and a hub that indexes them. */
export interface HubWorld {
  folder: string;
  database: Database;
  hub: Hub;
  ingestion: Ingestion;
  config: HubConfig;
  /** A person who may read these repositories. */
  viewer(name: string, repositories: string[]): Promise<Viewer>;
  /** Syncs everything; the names of what changed, and problems. */
  sync(): Promise<{ changed: string[]; problems: string[] }>;
  close(): Promise<void>;
}

/** A remote whose default branch holds these records, and other files. */
export interface Remote {
  name: string;
  root: string;
  git(...args: string[]): string;
  /** Commits records and files; a record given as null is removed. */
  commit(records: MemoryRecord[], files?: Record<string, string | null>): void;
}

/** A folder for remotes and a hub, removed with the test unless `atEnd` ties it to several. */
export function makeFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-hub-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeRemote(folder: string, name: string, records: MemoryRecord[] = []): Remote {
  const root = join(folder, 'remotes', name);
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const remote: Remote = {
    name,
    root,
    git,
    commit(records, files = {}) {
      const all = Object.entries(files);
      for (const record of records) all.push([join('.memory', storePath(record)), encode(record)]);
      for (const [path, text] of all) {
        const place = join(root, path);
        mkdirSync(dirname(place), { recursive: true });
        if (text === null) rmSync(place);
        else writeFileSync(place, text);
      }
      git('add', '-A');
      git('commit', '-qm', 'records');
    },
  };
  if (records.length > 0) remote.commit(records);
  return remote;
}

/**
 * Puts an empty database of PGlite into a folder that has none, copied from one that is made once in a run: making it
 * takes ten times as long as opening it.
 */
export async function putDatabase(folder: string): Promise<void> {
  const [place, made] = [join(folder, 'pglite'), join(repositoryTemplate(), 'database')];
  if (existsSync(place)) return;
  if (!existsSync(made)) {
    const making = mkdtempSync(`${made}-`);
    await (await openPglite(making)).close();
    try {
      renameSync(join(making, 'pglite'), made);
    } catch (error) {
      // Another process made one in the meantime.
      if (!existsSync(made)) throw error;
    }
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(made, place, { recursive: true });
}

/** An open database of PGlite for all tests of a file: opening one takes seconds. */
export function databaseForAllTests(): () => Database {
  return forAllTests(async (atEnd) => {
    const folder = makeFolder(atEnd);
    await putDatabase(folder);
    const database = await openDatabase({ folder });
    atEnd(database.close);
    return database;
  });
}

interface WorldOptions {
  address?: string | undefined;
  more?: string;
  database?: Database;
  atEnd?: AtEnd;
}

/**
 * A hub over remotes, until the test ends or `atEnd` says: on a database that is open, which stays open, or on the one at
 * an address, else on PGlite.
 */
export async function openWorld(
  folder: string,
  remotes: { name: string; root: string; teams?: string[] }[],
  { address, more = '', atEnd = onTestFinished, ...given }: WorldOptions = {},
): Promise<HubWorld> {
  const listed = remotes.map(
    ({ name, root, teams = [] }) => `  - {id: ${name}, path: ${root}, teams: [${teams.join(', ')}]}`,
  );
  const text = `folder: ${join(folder, 'hub')}\n${more}\nrepositories:\n${listed.join('\n')}\n`;
  const env = { ...process.env, ...(address !== undefined && { GIT_MEM_HUB_DATABASE: address }) };
  writeFileSync(join(folder, 'hub.yaml'), text);
  const config = readHubConfig(join(folder, 'hub.yaml'), env);
  if (given.database === undefined && address === undefined) await putDatabase(config.folder);
  const database = given.database ?? (await openDatabase(config));
  const hub = await serveDatabase(database, { config, env });
  const ingestion = openIngestion(database, { config, env, vectors: openVectors(database, { config, env }) });
  let isOpen = given.database === undefined;
  const close = async () => {
    if (isOpen) await hub.close();
    isOpen = false;
  };
  atEnd(close);
  return {
    folder,
    database,
    hub,
    ingestion,
    config,
    close,
    async viewer(name, repositories) {
      const principal = await hub.principal(`test:${name}`, name);
      await hub.putAccess('test', [{ principal, repositories }], new Date());
      return hub.viewerOf(principal);
    },
    async sync() {
      const changed: string[] = [];
      const problems: string[] = [];
      await ingestion.syncDue({
        all: true,
        onSynced(one) {
          if (one.changed) changed.push(one.name);
          if (one.problem !== undefined) problems.push(`${one.name}: ${one.problem}`);
        },
      });
      return { changed: changed.sort(), problems };
    },
  };
}
