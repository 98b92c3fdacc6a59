import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteFailure } from '../../src/capture/extract/budget.ts';
import { chosenProviders } from '../../src/capture/extract/chosen-provider.ts';
import { accept, pending, setAside } from '../../src/capture/spool/spool.ts';
import { loadConfig } from '../../src/config.ts';
import { tryLock } from '../../src/memory/store/lock.ts';
import { gitMem } from '../support/command-line.ts';
import { launched } from '../support/hook-call.ts';
import { oldNode } from '../support/old-node.ts';
import { initialised } from '../support/prepared-repository.ts';
import { PROGRAM } from '../support/program.ts';
import type { TestRepository } from '../support/repository.ts';

const NEVER = '/nonexistent';
const START = { session_id: 's1', source: 'startup' };
const PROMPT = { session_id: 's1', prompt_id: 'p1', prompt: 'mend the parser' };
const STOP = { host: 'claude-code', event: 'Stop', root: '/' };

interface World extends TestRepository {
  state: string;
  /** A folder for PATH with what every system has, and neither Node nor git-mem. */
  tools: string;
}

async function createWorld(): Promise<World> {
  const repository = await initialised('--host', 'claude-code');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--no-verify', '-m', 'Set up git-mem');
  const tools = join(repository.folder, 'tools');
  mkdirSync(tools);
  for (const name of ['sh', 'cat', 'env', 'mktemp', 'mkdir', 'mv', 'rm', 'sync', 'setsid', 'sed', 'grep', 'git']) {
    const path = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (path !== '') symlinkSync(path, join(tools, name));
  }
  return { ...repository, state: join(repository.root, '.git/git-mem'), tools };
}

/** A session of which nothing is heard: a start and a prompt, with what the hooks find on PATH, and what was noted before. */
function deadSession({ root, env, state, tools }: World, noted: [node: string, program: string]): void {
  writeFileSync(join(state, 'program'), `${noted.join('\n')}\n`);
  for (const [event, payload] of [
    ['SessionStart', START],
    ['UserPromptSubmit', PROMPT],
  ] as const) {
    const heard = launched({ root, env: { ...env, PATH: tools } }, 'claude-code', event, payload);
    expect(heard).toEqual({ status: 0, stdout: '', stderr: '' });
  }
}

function program({ tools }: World, ...lines: string[]): void {
  writeFileSync(join(tools, 'git-mem'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
}

const node = ({ tools }: World, path = process.execPath) => symlinkSync(path, join(tools, 'node'));

function commitBy({ write, git }: World, author: string): void {
  write('a.ts', 'export {};\n');
  git('add', 'a.ts');
  git('commit', '--quiet', '--no-verify', '-m', `Add a\n\nCo-Authored-By: ${author}`);
}

type Harm = (world: World) => unknown;

/**
 * Every way to be dead: what happened, who says it within one session, what it says, and how it is mended. A full disk has a
 * law of its own (`laws/no-room.test.ts`), and the switches of each host a table in `setup/doctor.test.ts`.
 */
const DEATHS: Record<string, [harm: Harm, by: 'start' | 'doctor' | 'status' | 'list', says: RegExp, mend: RegExp]> = {
  'no Node': [
    (world) => deadSession(world, [NEVER, NEVER]),
    'start',
    /Node was not found by 2 hooks/,
    /put it on the PATH/,
  ],
  'a Node that is too old': [
    (world) => {
      node(world, oldNode());
      program(world, `exec node ${PROGRAM} "$@"`);
      deadSession(world, [NEVER, PROGRAM]);
    },
    'start',
    /2 hooks found a Node that is too old/,
    /put a newer one first/,
  ],
  'no program': [
    (world) => {
      node(world);
      deadSession(world, [NEVER, NEVER]);
    },
    'start',
    /git-mem was not found by 2 hooks/,
    /put it on the PATH/,
  ],
  'no program, and no session that works': [
    (world) => {
      node(world);
      deadSession(world, [process.execPath, NEVER]);
    },
    'status',
    /git-mem was not found by 2 hooks/,
    /put it on the PATH/,
  ],
  'another program called git-mem': [
    (world) => {
      node(world);
      program(world, 'echo version 3');
      deadSession(world, [NEVER, NEVER]);
    },
    'start',
    /2 hooks got no answer/,
    /git mem doctor/,
  ],
  'a drain that was killed': [
    (world) => {
      const path = join(world.state, 'lock');
      tryLock(path);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(spawnSync('true').pid)));
      world.gitMem('drain', '--wait');
    },
    'start',
    /1 drain died while working/,
    /git mem drain --wait/,
  ],
  'hooks that the host’s settings switch off': [
    ({ write }) => write('.claude/settings.local.json', '{"disableAllHooks": true}'),
    'doctor',
    /"disableAllHooks": Claude Code runs no hook/,
    /Remove it/,
  ],
  'hooks that the host does not trust': [
    (world) => commitBy(world, 'Claude <noreply@anthropic.com>'),
    'doctor',
    /Claude Code made commit \w+, but its hooks do not run: last event never/,
    /asks once whether you trust/,
  ],
  'an agent that commits and is not heard': [
    (world) => commitBy(world, 'Claude <noreply@anthropic.com>'),
    'list',
    /its hooks do not run: last event never/,
    /git mem doctor/,
  ],
  'settings that are not committed': [
    ({ git }) => git('rm', '--quiet', '--cached', '.claude/settings.json'),
    'doctor',
    /not committed: \.claude\/settings\.json/,
    /git add \.claude\/settings\.json/,
  ],
  'a state folder that cannot be written': [
    ({ state }) => {
      rmSync(state, { recursive: true });
      writeFileSync(state, '');
    },
    'doctor',
    /The git folder cannot be written/,
    /Nothing is lost/,
  ],
  'a damaged spool': [
    ({ state }) => {
      accept(state, STOP, Buffer.from('{}'));
      setAside(state, pending(state)[0]?.name ?? '');
    },
    'doctor',
    /1 event could not be read/,
    /See hook\.log/,
  ],
  'a provider that is down for days': [
    ({ state, env }) => {
      env.GIT_MEM_EXTRACT_PROVIDER = 'ollama';
      const { extract } = loadConfig(NEVER, env).config;
      noteFailure(state, chosenProviders(extract, env)[0]?.id ?? '', new Error('overloaded'), new Date());
    },
    'doctor',
    /ollama failed 1 time.*overloaded/,
    /Events are kept/,
  ],
  'a cache that cannot be read': [
    ({ state }) => {
      rmSync(join(state, 'cache.sqlite'), { force: true });
      mkdirSync(join(state, 'cache.sqlite/in the way'), { recursive: true });
    },
    'doctor',
    /In memory only/,
    /Search still works/,
  ],
  'an entry of another program under our name': [
    ({ write }) => write('.mcp.json', '{"mcpServers":{"git-mem":{"command":"npx","args":["some-memory"]}}}\n'),
    'doctor',
    /The server git-mem in \.mcp\.json starts another program/,
    /Give that server another name/,
  ],
  'a sparse checkout without .memory': [
    ({ git }) => git('sparse-checkout', 'set', '--no-cone', '/*', '!/.memory/'),
    'doctor',
    /This sparse checkout leaves/,
    /sparse-checkout/,
  ],
  'a launcher of an older version': [
    ({ write }) => write('.memory/hook', '#!/bin/sh\n# Written by `git mem init`.\n'),
    'doctor',
    /\.memory\/hook is not the one of this version/,
    /git mem init/,
  ],
  'a clock that was set back': [
    ({ state }) => {
      accept(state, { ...STOP, host: 'codex' }, Buffer.from('{}'));
      const ahead = new Date(Date.now() + 3 * 86_400_000);
      utimesSync(join(state, 'spool/new', pending(state)[0]?.name ?? ''), ahead, ahead);
    },
    'doctor',
    /later than it is by this clock/,
    /Set the clock/,
  ],
  'settings that cannot be read': [
    ({ write }) => write('.memory/config.yaml', 'capture: [\n'),
    'doctor',
    /config\.yaml/,
    /→ \S/,
  ],
  'GIT_MEM=0 forgotten': [
    ({ env }) => Object.assign(env, { GIT_MEM: '0' }),
    'status',
    /GIT_MEM=0 is set: nothing is captured/,
    /GIT_MEM=0/,
  ],
};

/** What nothing else can be wrong beside. */
const ALONE = /state folder|sparse/;

describe('a memory that is dead says so within one session:', () => {
  const all = Object.entries(DEATHS);
  const together = all.filter(([name, [, by]]) => by === 'doctor' && !ALONE.test(name));

  it.for(all.filter((one) => !together.includes(one)))('%s', async ([name, [harm, by, says, mend]], { skip }) => {
    if (name.includes('too old') && oldNode() === undefined) skip();
    const world = await createWorld();
    harm(world);
    const said = async () => {
      if (by === 'start') return launched(world, 'claude-code', 'SessionStart', { ...START, session_id: 's2' }).stdout;
      const { stdout, stderr } = await gitMem(world, [by]);
      return stdout + stderr;
    };
    const words = await said();
    expect(words).toMatch(says);
    expect(words).toMatch(mend);
    if (by !== 'start') return;
    expect(await said()).not.toMatch(says);
    // Without a program, prompts wait for one.
    if (!/^no /.test(name)) return;
    await gitMem(world, ['drain', '--wait', '--all']);
    expect((await gitMem(world, ['sessions'])).stdout).toContain('1 prompt');
  });

  it('what only doctor sees', async () => {
    const world = await createWorld();
    for (const [, [harm]] of together) harm(world);
    const { stdout } = await gitMem(world, ['doctor']);
    for (const [name, [, , says, mend]] of together) {
      expect(stdout, name).toMatch(says);
      expect(stdout, name).toMatch(mend);
    }
  });

  it('runs without HOME, and in an editor started from the desktop, by what the user’s commands noted', async () => {
    const world = await createWorld();
    await world.call('list');
    const env = { PATH: world.tools };
    const { stdout } = launched({ root: world.root, env }, 'claude-code', 'SessionStart', START);
    expect(stdout).toContain('additionalContext');
    launched({ root: world.root, env }, 'claude-code', 'UserPromptSubmit', PROMPT);
    expect(pending(world.state).length).toBe(2);
  });

  it('runs no program that a checkout names', async () => {
    const world = await createWorld();
    rmSync(join(world.state, 'program'), { force: true });
    const bait = join(world.folder, 'baited');
    world.write('bait', `#!/bin/sh\ntouch '${bait}'\n`);
    for (const folder of ['.memory', '.memory/git-mem', 'git-mem', 'own'])
      world.write(`${folder}/program`, `/bin/sh\n${world.root}/bait\n`);
    for (const GIT_MEM_STATE of ['', 'own', '.memory']) {
      const env = { ...world.env, PATH: world.tools, GIT_MEM_STATE };
      launched({ root: world.root, env }, 'claude-code', 'SessionStart', START);
    }
    expect(existsSync(bait)).toBe(false);
  });
});
