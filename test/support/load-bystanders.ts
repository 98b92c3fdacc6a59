import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadGround, LoadWorktree } from './load-ground.ts';
import { connectMcp } from './mcp-client.ts';
import { residentMb } from './process-memory.ts';
import { PROGRAM } from './program.ts';
import { openViewer } from './viewer-connection.ts';

/** Memory use of one server, in megabytes: at its first answer, at its peak, and when idle. */
export interface Resident {
  before: number;
  peak: number;
  after: number;
}

/** Whoever works in the repository beside the sessions. */
export interface Bystanders {
  /** How often each did its work. */
  done: Record<string, number>;
  /** Ends their work; the two servers stay. */
  stop(): Promise<void>;
  /** What the servers hold, once both had `restMs` to themselves. */
  rest(restMs: number): Promise<Record<'mcp' | 'viewer', Resident>>;
  /** Ends the servers. */
  close(): Promise<void>;
}

/** Waits between two turns of one bystander, so that the sessions get on. */
const PAUSE_MS = 200;

/** What people and scripts ask meanwhile; in every worktree in turn. */
const COMMANDS = [
  ['sync'],
  ['search', 'why does the importer drop rows', '--json'],
  ['status', '--json'],
  ['list', '--json'],
];

const PAGES = ['feed', 'search?q=importer', 'meta', 'review', 'context'];

/** Starts them all: commands, an MCP client, a viewer with a page, git in every worktree, and git's clean-up. */
export async function startBystanders(ground: LoadGround): Promise<Bystanders> {
  const { env, worktrees, note } = ground;
  const [main] = worktrees;
  if (main === undefined) throw new Error('There is no worktree.');
  const done: Record<string, number> = {};
  const server = await connectMcp({ cwd: main.root, env, onTalk: (text) => note('mcp', text) });
  let viewerPid = 0;
  const viewer = await openViewer({ root: main.root, env }, (child) => {
    viewerPid = child.pid ?? 0;
    child.stderr?.on('data', (chunk) => {
      if (String(chunk) !== 'Ctrl-C ends the viewer.\n') note('viewer', String(chunk));
    });
  });
  const page = get({ port: viewer.port, path: '/api/events', headers: { cookie: viewer.cookie } }, (response) =>
    response.on('data', (chunk) => {
      if (String(chunk).includes('event: change')) count('changes told to the page');
    }),
  );
  // It ends with the viewer.
  page.on('error', () => {});
  await server.call('search', { query: 'importer' });
  await viewer.ask('feed');
  const before = { mcp: residentMb(server.pid), viewer: residentMb(viewerPid) };

  let stopped = false;
  const gate = createGate();
  const commandIn = (root: string, args: string[]) => run(ground, process.execPath, [PROGRAM, ...args], root);
  const gitIn = (root: string, args: string[]) => run(ground, 'git', args, root);
  const loops = [
    loop('commands', async (n) => {
      const { root } = worktrees[n % worktrees.length] ?? main;
      // Lengths without a common factor: every command comes to every worktree.
      await commandIn(root, COMMANDS[Math.floor(n / worktrees.length + n) % COMMANDS.length] ?? []);
    }),
    loop('MCP calls', async (n) => {
      const { data } = await called('search', { query: `importer drops row ${n}` });
      const ids = data.hits.map(({ id }: { id: string }) => id).slice(0, 3);
      if (ids.length === 0) return;
      await called('timeline', { anchor: ids[0] });
      await called('get_observations', { ids });
    }),
    loop('pages asked for', async (n) => {
      await viewer.ask(PAGES[n % PAGES.length] ?? 'feed');
    }),
    ...worktrees.map((worktree, i) =>
      loop('commits', (n) => gate.pass(() => commit(worktree, n, { switches: i % 2 === 1 }))),
    ),
    loop('clean-ups', async () => {
      // Git itself loses what another git is about to commit when it prunes at once; git-mem has no such excuse.
      await gate.alone(() => gitIn(main.root, ['gc', '--quiet', '--prune=now']));
      await sleep(1000);
    }),
  ];

  async function called(tool: string, given: Record<string, unknown>) {
    const answer = await server.call(tool, given);
    if (answer.isError) note(`mcp ${tool}`, answer.text);
    return answer;
  }

  async function commit({ root, branches }: LoadWorktree, n: number, { switches }: { switches: boolean }) {
    writeFileSync(join(root, 'work.txt'), `${n}\n`);
    await gitIn(root, ['add', '--all']);
    await gitIn(root, ['commit', '--quiet', '--allow-empty', '-m', `Work ${n}`]);
    if (switches) await gitIn(root, ['checkout', '--quiet', branches[(n + 1) % 2] ?? branches[0]]);
  }

  function count(what: string): void {
    done[what] = (done[what] ?? 0) + 1;
  }

  async function loop(what: string, work: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !stopped; n++) {
      try {
        await work(n);
        count(what);
      } catch (error) {
        note(what, String(error));
      }
      await sleep(PAUSE_MS);
    }
  }

  return {
    done,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
    async rest(restMs) {
      await sleep(restMs);
      const held = (name: 'mcp' | 'viewer', pid: number) => ({
        before: before[name],
        peak: residentMb(pid, 'VmHWM'),
        after: residentMb(pid),
      });
      return { mcp: held('mcp', server.pid), viewer: held('viewer', viewerPid) };
    },
    async close() {
      await server.close();
      viewer.child.kill('SIGTERM');
      if (viewer.child.exitCode === null) await new Promise((ended) => viewer.child.once('exit', ended));
    },
  };
}

/** Runs a command to its end; notes what it says on standard error, and an exit code that is not 0. */
function run({ env, note }: LoadGround, command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const who = `${command === 'git' ? 'git' : 'git-mem'} ${args.filter((arg) => arg !== PROGRAM).join(' ')}`;
    let talk = '';
    child.stderr.on('data', (chunk) => (talk += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (talk !== '') note(who, talk);
      if (code !== 0) note(who, `ended with ${code}`);
      resolve();
    });
  });
}

/** Many pass at once, or one alone. */
function createGate() {
  let inside = 0;
  let closed = false;
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await sleep(10);
  };
  return {
    async pass(work: () => Promise<void>): Promise<void> {
      await until(() => !closed);
      inside++;
      await work().finally(() => inside--);
    },
    async alone(work: () => Promise<void>): Promise<void> {
      closed = true;
      await until(() => inside === 0);
      await work().finally(() => (closed = false));
    },
  };
}
