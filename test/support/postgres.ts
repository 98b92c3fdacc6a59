import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forAllTests } from './set-up.ts';

/** A PostgreSQL server of its own, on a socket in a temporary folder. */
export interface TestServer {
  /** Of the server's first process. */
  pid: number;
  /** The address of a new, empty database; one that was created by its name before is given again. */
  createDatabase(name?: string): string;
  stop(): void;
}

/** Where Debian puts the programs of the newest PostgreSQL; undefined if none is installed. */
export function postgresPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0];
  const programs = join(versions, newest ?? '', 'bin');
  return existsSync(join(programs, 'initdb')) ? programs : undefined;
}

/**
 * Starts a server; as root it runs as the user `postgres`, because it refuses root. Its data is removed when it stops,
 * unless a folder is given to keep it in.
 */
export function startPostgres(programs: string, settings: string[] = [], kept?: string): TestServer {
  const folder = mkdtempSync(join(tmpdir(), 'gm-pg-'));
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid);
    // The folder of a run is of root alone: another user has to get through it to its own.
    if (statSync(tmpdir()).uid === 0 && (statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711);
  }
  const options = { ...user, cwd: folder, stdio: 'ignore' as const };
  const data = join(kept ?? folder, 'data');
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
    execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], options);
  }
  const listening = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off'];
  const { pid = 0 } = spawn(join(programs, 'postgres'), ['-D', data, ...listening, ...settings], options);
  const psql = (sql: string) =>
    execFileSync(join(programs, 'psql'), ['-h', folder, '-U', 'postgres', '-qtc', sql], { stdio: 'pipe' });
  waitFor(() => void psql('SELECT 1'));
  const names = new Set(psql('SELECT datname FROM pg_database').toString().split(/\s+/));
  let databases = 0;
  return {
    pid,
    createDatabase(name = `hub${++databases}`) {
      if (!names.has(name)) psql(`CREATE DATABASE "${name}"`);
      names.add(name);
      return `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`;
    },
    stop() {
      execFileSync(
        join(programs, 'pg_ctl'),
        ['-D', data, '-m', kept === undefined ? 'immediate' : 'fast', '-w', 'stop'],
        options,
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server for all tests of a `describe`, which is skipped where these programs are not installed. */
export function postgresForAllTests(programs: string | undefined): () => TestServer {
  return forAllTests((atEnd) => {
    const server = startPostgres(programs ?? '');
    atEnd(server.stop);
    return server;
  });
}

function waitFor(isReady: () => void): void {
  for (let attempt = 0; ; attempt++) {
    try {
      isReady();
      return;
    } catch (error) {
      if (attempt > 600) throw error;
      execFileSync('sleep', ['0.1']);
    }
  }
}
