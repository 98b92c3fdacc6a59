import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { register } from '../../src/exchange/places/registry.ts';
import { locate } from '../../src/git/locate.ts';
import { warm } from '../../src/index/warm.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { gitMem } from '../support/command-line.ts';
import { hookCall } from '../support/hook-call.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { allThatIsTold } from '../support/told.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
const FILE = 'src/auth.ts';

/** A record that answers the prompt and is about the file as well as any can be. */
function answer(name: string, title = `Login gives users a 401 by the clock skew between nodes, ${name}`): Observation {
  return observationOf({
    id: idOf(name),
    title,
    narrative: `${PROMPT} ${title}, see \`auth\`.`,
    facts: [PROMPT],
    session: 'now',
    files_modified: [FILE],
    anchors: { [FILE]: blobId('auth\n') },
    generated: { by: 'git-mem', at: '2026-11-20T20:05:01Z' },
  });
}

function createWith(name: string, records: Observation[]): TestRepository {
  const repository = createRepository(name);
  repository.write(FILE, 'auth\n');
  const paths = records.map((record) => drop(repository, record));
  repository.git('add', '--', FILE, ...paths);
  repository.git('commit', '--quiet', '-m', 'reviewed');
  return repository;
}

/** Reviewed over there, written by that clone, a summary, and marks on what is known here. */
function createMatching(target: Observation): TestRepository {
  const lib = createWith(
    'lib',
    Array.from({ length: 30 }, (_, i) => answer(`there ${i}`)),
  );
  put(lib, answer('there and own'));
  put(lib, summaryOf({ id: idOf('session there'), title: PROMPT, completed: PROMPT, session: 'now' }));
  put(lib, { ...answer('successor there'), supersedes: [target.id] });
  for (const type of ['retire', 'redact', 'pin'] as const) {
    const generated = { by: 'git-mem', at: '2026-11-21T10:00:00Z' };
    put(lib, { id: idOf('there', type), kind: 'mark', type, targets: [target.id], reason: PROMPT, generated });
  }
  return lib;
}

describe('law: the memory of other repositories is searched on request and never injected', () => {
  it('one full of matching records does not change one injected byte', async () => {
    const known = answer('known here');
    const own = createWith('own', [known]);
    const lib = createMatching(known);
    const before = await allThatIsTold(own, { prompt: PROMPT, file: FILE });
    // Or the law would hold of silence.
    expect(before.map((text) => text.includes('known here'))).toEqual(Array(before.length).fill(true));
    const context = await gitMem(own, ['context', '--json']);
    const checkout = locate(lib.root);
    if (checkout) register(checkout, own.env, new Date());
    // They are there, and they match.
    const { stdout } = await gitMem(own, ['search', PROMPT, '--all-repositories', '--json', '--limit', '50']);
    expect(stdout.match(/"origin": "lib"/g)?.length).toBeGreaterThan(20);
    expect(await allThatIsTold(own, { prompt: PROMPT, file: FILE })).toEqual(before);
    expect(await gitMem(own, ['context', '--json'])).toEqual(context);
    for (const command of ['search', 'list']) {
      const args = [command, ...(command === 'search' ? [PROMPT] : []), '--json'];
      expect((await gitMem(own, args)).stdout).not.toContain('there ');
    }
  }, 60_000);
});

describe('law: a session is told what the repository knows in which it began, and one that the user set up', () => {
  const ask = (repository: TestRepository, root: string, event: string, more: object, env = {}) =>
    hookCall({ ...repository, root, env: { ...repository.env, ...env } }, 'claude-code', event, {
      session_id: 'now2',
      cwd: root,
      ...more,
    });
  /** All that hooks say in a folder that the session entered. */
  const entered = async (own: TestRepository, root: string, env = {}) => {
    await warm(openWorkspace(own.root, own.env));
    if (locate(root)) await warm(openWorkspace(root, own.env));
    const events: [string, object][] = [
      ['SessionStart', { source: 'compact' }],
      ['SubagentStart', { agent_id: 'a', agent_type: 'general' }],
      ['UserPromptSubmit', { prompt: PROMPT }],
      ['PreToolUse', { tool_name: 'Read', tool_input: { file_path: join(root, FILE) } }],
    ];
    const said: string[] = [];
    for (const [event, more] of events) said.push(await ask(own, root, event, more, env));
    return said.join('');
  };
  const PLACES: Record<string, (own: TestRepository, lib: TestRepository) => string> = {
    'a submodule': (own, lib) => {
      own.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.root, 'vendor');
      return join(own.root, 'vendor');
    },
    'a clone made on the way': (own, lib) => {
      own.git('clone', '--quiet', lib.root, join(own.root, 'node_modules/lib'));
      return join(own.root, 'node_modules/lib');
    },
  };

  it.each(Object.keys(PLACES))(
    'so not what %s says',
    async (name) => {
      const own = createWith('own', [answer('known here')]);
      const lib = createWith('lib', [answer('there')]);
      const root = PLACES[name]?.(own, lib) ?? '';
      const start = await ask(own, own.root, 'SessionStart', { source: 'startup' });
      expect(start).toContain('known here');
      expect(await entered(own, root)).toBe('');
      // Where the host says where it began, it counts from the first hook on.
      expect(await ask(own, root, 'SessionStart', { source: 'startup' }, { CLAUDE_PROJECT_DIR: own.root })).toBe('');
      expect(await ask(own, root, 'SessionStart', { session_id: 'another', source: 'startup' })).toContain('there');
      const checkout = locate(root);
      if (checkout) register(checkout, own.env, new Date());
      expect(await entered(own, root)).toContain('there');
    },
    60_000,
  );

  it('but in each of its worktrees', async () => {
    const own = createWith('own', [answer('known here')]);
    const root = join(own.folder, 'linked');
    own.git('worktree', 'add', '--quiet', root);
    await ask(own, own.root, 'SessionStart', { source: 'startup' });
    expect(await entered(own, root, { CLAUDE_PROJECT_DIR: own.root })).toContain('known here');
  });

  it.each<[string, (own: TestRepository, folder: string) => void]>([
    ['file', (own, folder) => writeFileSync(join(folder, '.git'), `gitdir: ${join(own.root, '.git')}\n`)],
    ['link', (own, folder) => symlinkSync(join(own.root, '.git'), join(folder, '.git'))],
    [
      'file that names a worktree',
      (own, folder) => {
        own.git('worktree', 'add', '--quiet', join(own.folder, 'linked'));
        writeFileSync(join(folder, '.git'), `gitdir: ${join(own.root, '.git/worktrees/linked')}\n`);
      },
    ],
    [
      'folder that shares it',
      (own, folder) => {
        mkdirSync(join(folder, '.git'));
        writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(folder, '.git/commondir'), join(own.root, '.git'));
      },
    ],
    [
      'folder that shares it, and says that it is a worktree',
      (own, folder) => {
        mkdirSync(join(folder, '.git'));
        writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(folder, '.git/commondir'), join(own.root, '.git'));
        writeFileSync(join(folder, '.git/gitdir'), join(folder, '.git'));
      },
    ],
  ])('and nothing private to a folder whose .git is a %s of somebody else’s repository', async (_, point) => {
    const own = createWith('own', [answer('known here')]);
    put(own, answer('private here'), 'private');
    const folder = join(own.root, 'node_modules/dependency');
    mkdirSync(join(folder, '.memory'), { recursive: true });
    point(own, folder);
    await ask(own, own.root, 'SessionStart', { source: 'startup' });
    expect(await entered(own, folder)).toBe('');
    expect((await gitMem({ ...own, root: folder }, ['list'])).stdout).toBe('');
  });
});
