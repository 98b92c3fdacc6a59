import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { warm } from '../../src/index/warm.ts';
import { idOf } from '../../src/memory/id.ts';
import type { MarkType } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { install } from '../support/launcher.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put } from '../support/written-records.ts';

const SECRET = 'Project Bluebird ships on the ninth of March to the northern customers.';
const LIVE = { id: idOf('live'), title: 'Rotation of tokens happens every hour' };
const HIDDEN = {
  retire: { id: idOf('retired'), title: 'Rotation of tokens happens every day' },
  supersede: { id: idOf('superseded'), title: 'Rotation of tokens happens every week' },
  redact: { id: idOf('redacted'), title: 'Rotation of tokens for Bluebird', narrative: SECRET },
} satisfies Partial<Record<MarkType, object>>;
const TYPES = ['retire', 'supersede', 'redact'] as const;
const QUESTION = 'rotation of tokens';

let repository: TestRepository;

/** Records of which all but one are hidden by marks, made as a person makes them. */
async function remember(repository: TestRepository): Promise<void> {
  for (const fields of [LIVE, ...Object.values(HIDDEN)]) {
    put(repository, observationOf({ ...fields, files_modified: ['src/rotation.ts'] }));
  }
  await repository.call('retire', HIDDEN.retire.id);
  await repository.call('supersede', HIDDEN.supersede.id, '--by', LIVE.id);
  await repository.call('redact', HIDDEN.redact.id);
}

/** A repository whose reviewed branch has them. */
async function reviewed(): Promise<void> {
  repository = await preparedRepository('marked', async (made) => {
    made.write('src/rotation.ts', 'rotation\n');
    await remember(made);
    made.commit('reviewed');
  });
}

const marksFolder = () => join(repository.root, '.memory/marks');

function eachMark(change: (path: string) => void): void {
  for (const month of readdirSync(marksFolder())) {
    for (const name of readdirSync(join(marksFolder(), month))) change(join(marksFolder(), month, name));
  }
}

/** What a branch does to the marks that lie in it. */
const ATTACKS: Record<string, () => void> = {
  'deletes them': () => rmSync(marksFolder(), { recursive: true }),
  'edits them to be about nothing': () =>
    eachMark((path) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^targets: .*$/m, 'targets: ["0000000000"]')),
    ),
  'edits them to other text': () => eachMark((path) => writeFileSync(path, 'nothing\n')),
  'renames them to what is no record': () => eachMark((path) => renameSync(path, `${path}.txt`)),
  'renames them to other times and ids': () =>
    eachMark((path) => renameSync(path, path.replace(/-[^-]*\.md$/, '-0000000000.md'))),
  'renames them to another month': () =>
    eachMark((path) => {
      mkdirSync(join(marksFolder(), '2025-01'), { recursive: true });
      renameSync(path, join(marksFolder(), '2025-01', basename(path)));
    }),
  'undoes them': () => {
    for (const { id } of Object.values(HIDDEN)) {
      drop(repository, markOf({ id: idOf('undo', id), type: 'undo', targets: [id] }));
    }
  },
  'puts a file in the place of their folder': () => {
    rmSync(marksFolder(), { recursive: true });
    writeFileSync(marksFolder(), 'nothing\n');
  },
};

/** Everything that this checkout tells unasked and when asked, by every way in. */
async function told(): Promise<string> {
  const { root, env, call } = repository;
  const payload = (more: object) => ({ session_id: idOf(JSON.stringify(more)), cwd: root, ...more });
  rmSync(join(root, '.git/git-mem/injected'), { recursive: true, force: true });
  await warm(openWorkspace(root, env));
  return [
    await call('context'),
    await call('search', QUESTION, '--json'),
    await call('list', '--json'),
    await call('list', '--type', 'discovery', '--json'),
    await call('show', '--json', LIVE.id, HIDDEN.redact.id),
    await hookCall(repository, 'claude-code', 'SessionStart', payload({ source: 'startup' })),
    await hookCall(
      repository,
      'claude-code',
      'UserPromptSubmit',
      payload({ prompt: `How does ${QUESTION} for Bluebird happen every day?` }),
    ),
    await hookCall(
      repository,
      'claude-code',
      'PreToolUse',
      payload({ tool_name: 'Read', tool_input: { file_path: join(root, 'src/rotation.ts') } }),
    ),
  ].join('\n');
}

function expectHidden(text: string): void {
  expect(text).toContain(LIVE.title);
  for (const { title } of Object.values(HIDDEN)) expect(text).not.toContain(title);
  expect(text).not.toContain('northern customers');
}

describe('law: a branch that removes marks does not change their effect', () => {
  it.each(
    Object.keys(ATTACKS).flatMap((name) => [
      [name, 'this clone'],
      [name, 'others'],
    ]),
  )('when it %s, and %s wrote them', async (name, who) => {
    await reviewed();
    if (who === 'others') rmSync(openWorkspace(repository.root, repository.env).ledger);
    expectHidden(await told());
    repository.git('switch', '--quiet', '-c', 'theirs');
    ATTACKS[name]?.();
    repository.commit('theirs');
    expectHidden(await told());
    await expect(
      repository.call(
        'add',
        '--type',
        'discovery',
        '--title',
        'The date of the northern release is settled now',
        '--narrative',
        SECRET,
      ),
    ).rejects.toThrow('was redacted by the mark');
  });

  it('nor in a clone, whose ledger is empty, through the launcher', async () => {
    await reviewed();
    repository.git('switch', '--quiet', '-c', 'theirs');
    ATTACKS['deletes them']?.();
    repository.commit('theirs');
    repository.git('switch', '--quiet', 'main');
    const clone = join(repository.folder, 'clone');
    repository.git('clone', '--quiet', repository.root, clone);
    execFileSync('git', ['switch', '--quiet', 'theirs'], { cwd: clone, env: repository.env, stdio: 'ignore' });
    install(clone);
    expectHidden(
      launched({ root: clone, env: repository.env }, 'claude-code', 'SessionStart', {
        session_id: 's',
        source: 'startup',
      }).stdout,
    );
  });

  it('nor where the marks are this clone’s own, on a branch that nobody has reviewed yet', async () => {
    repository = createRepository();
    for (const fields of [LIVE, ...Object.values(HIDDEN)]) put(repository, observationOf(fields));
    repository.commit('reviewed');
    repository.git('switch', '--quiet', '-c', 'mine');
    await remember(repository);
    repository.commit('mine');
    repository.git('switch', '--quiet', '-c', 'theirs', 'main');
    expectHidden(await told());
  });

  it('nor where somebody else’s marks were accepted here', async () => {
    repository = createRepository();
    for (const fields of [LIVE, ...Object.values(HIDDEN)]) put(repository, observationOf(fields));
    repository.commit('reviewed');
    repository.git('switch', '--quiet', '-c', 'colleague');
    for (const type of TYPES) {
      drop(
        repository,
        markOf({ id: idOf(type), type, targets: [HIDDEN[type].id], ...(type === 'supersede' && { by: LIVE.id }) }),
      );
    }
    repository.commit('colleague');
    await repository.call('trust', '--branch');
    repository.git('switch', '--quiet', 'main');
    expectHidden(await told());
  });

  it('but a trusted undo ends one', async () => {
    await reviewed();
    repository.git('switch', '--quiet', '-c', 'work');
    await repository.call('undo', HIDDEN.retire.id);
    repository.commit('undone');
    ATTACKS['deletes them']?.();
    mkdirSync(marksFolder(), { recursive: true });
    repository.commit('without any mark');
    const text = await told();
    expect(text).toContain(HIDDEN.retire.title);
    expect(text).not.toContain(HIDDEN.supersede.title);
  });
});

describe('law: the reviewer of a branch sees which marks it removes', () => {
  it.each(['deletes them', 'edits them to be about nothing', 'renames them to what is no record'])(
    'when it %s',
    async (name) => {
      await reviewed();
      repository.git('switch', '--quiet', '-c', 'theirs');
      ATTACKS[name]?.();
      repository.commit('theirs');
      const diff = await repository.call('diff', 'main...HEAD');
      expect(diff).toMatch(/^Removed marks/m);
      expect(diff).not.toMatch(/ (\w+) \1 /);
      for (const type of TYPES) expect(diff).toMatch(new RegExp(`^ .*${type} .*${HIDDEN[type].id}`, 'm'));
      await expect(repository.call('diff', 'main...HEAD', '--exit-code')).rejects.toThrow('exited with 1');
      await expect(repository.call('check', '--base', 'main')).rejects.toThrow('exited with 1');
    },
  );
});
