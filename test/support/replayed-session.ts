import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findAgent } from '../../src/capture/agents/agents.ts';
import { accept } from '../../src/capture/spool/spool.ts';
import { locate, readHead } from '../../src/git/locate.ts';
import { filesBelow } from './files-below.ts';
import { PROGRAM } from './program.ts';

/** One hook call in a replay. */
export interface ReplayedHook {
  event: string;
  ms: number;
  exit: number | null;
  stdout: string;
}

/** A recorded session replayed through the real launcher, with the repository that it left behind. */
export interface ReplayedSession {
  /** Where the session's agent worked: the repository, or a linked worktree of it. */
  root: string;
  /** The shared git directory's state folder. */
  state: string;
  hooks: ReplayedHook[];
  /** Planted secrets and private text found anywhere outside the spool. */
  leaks: { kind: string; text: string; where: string }[];
  /** Runs git-mem in the repository and gives its standard output. */
  gitMem(...args: string[]): string;
  /** Reports every event once more and drains. */
  again(): void;
}

/** The recorder's replay script, as far as it is used here. */
interface Recorder {
  replay(options: Record<string, unknown>): Promise<{
    repo: string;
    leaks: ReplayedSession['leaks'];
    results: ReplayedHook[];
    nonZero: unknown[];
    work: string;
    setup: { exit: number; stderr: string } | null;
    after: { exit: number; stdout: string; stderr: string } | null;
  }>;
}

/** Replays one of the recorded sessions (`<sessions>/dev/NAME`) in `work`, and drains it. */
export async function replaySession(sessions: string, folder: string, work: string): Promise<ReplayedSession> {
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
  const host = /Codex/.test(truth.client) ? 'codex' : /Gemini/.test(truth.client) ? 'gemini-cli' : 'claude-code';
  const bin = join(work, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, 'git-mem'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, GIT_MEM_EXTRACT_PROVIDER: 'none' };
  const { replay }: Recorder = await import(pathToFileURL(join(sessions, 'replay.mjs')).href);
  const sent: { event: string; payload: unknown; cwd: string }[] = [];
  const report = await replay({
    dir: folder,
    work: join(work, 'replay'),
    cmd: `sh .memory/hook ${host} {event}`,
    // A linked worktree has the launcher as every checkout of the branch has it: committed.
    setup: `git-mem init --yes --host ${host}`,
    after: 'git-mem drain --wait --all --json',
    env,
    onEvent: (row: { event: string }, { payload }: { payload: { cwd: string } }) => {
      sent.push({ event: row.event, payload, cwd: payload.cwd });
    },
  });
  if (report.setup?.exit !== 0) throw new Error(`git mem init failed: ${report.setup?.stderr}`);
  const root = join(report.work, truth.repo.root.slice(1));
  const options = { cwd: root, env: { ...process.env, ...env, HOME: join(report.work, 'home') } };
  const gitMem = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { ...options, encoding: 'utf8', maxBuffer: 1 << 26 });
  const state = join(locate(root)?.commonDir ?? '', 'git-mem');
  return {
    root,
    state,
    hooks: report.results,
    leaks: report.leaks,
    gitMem,
    again() {
      // Straight into the spool: that the launcher does the same has been seen by now.
      for (const { event, payload, cwd } of sent) {
        const checkout = locate(cwd);
        if (checkout === undefined || !findAgent(host)?.events.includes(event)) continue;
        const head = { host, event, root: checkout.root, ...readHead(checkout) };
        accept(state, head, Buffer.from(`${JSON.stringify(payload)}\n`));
      }
      gitMem('drain', '--wait', '--all');
    },
  };
}

/** Every file below a folder with its content, for "nothing changed". */
export function snapshot(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
