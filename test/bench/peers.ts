import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createScratch, readRecording } from '../../src/setup/demo/recording.ts';
import { removeFolder } from '../../src/setup/demo/remove-folder.ts';
import type { Environment } from '../../src/user-folders.ts';
import { endScratchProcesses, findPeers, type Peer, whyNotSafe } from './peers/installed.ts';
import { median, printTable } from './table.ts';

const EVENTS = ['PostToolUse', 'UserPromptSubmit', 'SessionStart'];
const ROUNDS = 11;
/** A command that prepares the peer rather than serves the event; one would reach for the network. */
const PREPARES = /install|setup/;

interface Options {
  rounds?: number;
  print?: (text: string) => void;
}

/**
 * Times the hooks of other memories that are installed here beside ours, on the same payloads. A peer runs from a copy,
 * in a home and a data folder of its own that are thrown away; where that is not safe, it is left out with the reason.
 */
export async function peers(env: Environment, { rounds = ROUNDS, print = console.log }: Options = {}): Promise<number> {
  const { found, left } = findPeers(env);
  for (const { place, reason } of left) print(`\n${place}: left out, ${reason}.`);
  if (found.length === 0) {
    print('\nNo peer is installed. Looked for: the claude-mem plugin below ~/.claude/plugins, and claude-mem on PATH.');
    print(`Would be run, with the payloads of a recorded session: its hooks for ${EVENTS.join(', ')}, beside ours.`);
    return 0;
  }
  for (const peer of found) {
    const reason = await whyNotSafe();
    if (reason !== undefined) print(`\n${peer.name} in ${peer.folder}: left out, ${reason}.`);
    else await compare(peer, rounds);
  }
  return 0;
}

async function compare(peer: Peer, rounds: number): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
  try {
    const program = resolve('dist/bin.cjs');
    const recording = readRecording();
    const { repository, env } = await createScratch(folder, recording, program);
    execFileSync(process.execPath, [program, 'init', '--yes'], { cwd: repository, env, stdio: 'ignore' });
    const theirEnv = peerEnvironment(peer, folder, env);
    const rows = EVENTS.map((event) => {
      const isMeant = (one: (typeof recording.events)[number]) =>
        one.event === event && (event !== 'PostToolUse' || one.payload.tool_name === 'Edit');
      const payload = JSON.stringify(recording.events.find(isMeant)?.payload ?? {});
      const input = payload.replaceAll(recording.root, repository);
      const commands = (peer.hooks.get(event) ?? []).filter((command) => !PREPARES.test(command));
      const times = { ours: [] as number[], theirs: [] as number[] };
      let failures = 0;
      for (let round = 0; round <= rounds; round++) {
        const ours = time(['sh', '.memory/hook', 'claude-code', event], repository, env, input);
        const theirs = commands.map((command) => time(['sh', '-c', command], repository, theirEnv, input));
        // The first round warms both up.
        if (round === 0) continue;
        times.ours.push(ours.ms);
        times.theirs.push(theirs.reduce((sum, { ms }) => sum + ms, 0));
        failures += theirs.filter(({ ok }) => !ok).length;
      }
      const note = commands.length === 0 ? 'has none' : failures > 0 ? `${failures} of its runs failed` : '';
      const cell = (values: number[]) => `${median(values).toFixed(1)} ms`;
      return [event, cell(times.ours), commands.length === 0 ? '' : cell(times.theirs), note];
    });
    const title = `git-mem beside ${peer.name} (${peer.folder}): wall time, medians of ${rounds} rounds`;
    printTable(title, ['hook', 'git-mem', peer.name, ''], rows);
  } finally {
    endScratchProcesses(folder);
    await removeFolder(folder);
  }
}

/** A home, a data folder and a copy of the program, all below `folder`: whatever it writes is thrown away. */
function peerEnvironment({ folder: source }: Peer, folder: string, env: Environment): Environment {
  const [root, data, home] = [join(folder, 'peer'), join(folder, 'peer-data'), join(folder, 'peer-home')];
  for (const dir of [data, home]) mkdirSync(dir, { recursive: true });
  cpSync(source, root, { recursive: true });
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_MEM_DATA_DIR: data,
  };
}

function time([program = '', ...args]: string[], cwd: string, env: Environment, input: string) {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(program, args, {
    cwd,
    env,
    input,
    timeout: 60_000,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return { ms: Number(process.hrtime.bigint() - started) / 1e6, ok: status === 0 };
}
