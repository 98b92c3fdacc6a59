import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { DigestTurn } from '../../../src/memory/session-digest.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('repository', () => prepared());

interface Told {
  title: string;
  turns: DigestTurn[];
  commits: { commit: string; subject: string }[];
  files_modified: string[];
}

function prepared(): TestRepository {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.write('.memory/config.yaml', '');
  repository.commit('Start');
  return repository;
}

async function told(repository: TestRepository): Promise<Told> {
  await gitMem(repository, ['drain', '--wait', '--all']);
  return JSON.parse((await gitMem(repository, ['sessions', 'show', 'last', '--json'])).stdout);
}

const ran = { stdout: '', stderr: '' };

it('names the commits that HEAD shows, whatever the command was, and no others', async ({ repository }) => {
  const { root, git } = repository;
  const session = hookedSession(root);
  session.prompt('p1', 'raise the limit and commit');
  repository.write('src/limit.ts', 'export const LIMIT = 8;\n');
  git('commit', '-qam', ':sparkles: Raise the limit');
  session.command('p1', 't1', './release.sh -q');
  git('commit', '-q', '--amend', '-m', ':sparkles: Raise the limit to 8\nCheckpoint-Id: 12');
  session.command('p1', 't2', 'git ci --amend -F -');
  session.stop('p1', 'Done.');
  const first = git('rev-parse', 'HEAD').trim();
  // The person commits between two turns.
  git('commit', '-q', '--allow-empty', '-m', 'By hand');
  session.prompt('p2', 'now get what the others did');
  git('checkout', '-q', '-b', 'other', 'HEAD~1');
  git('commit', '-q', '--allow-empty', '-m', 'By somebody else');
  git('checkout', '-q', 'main');
  session.call('p2', 't3', 'Read', { file_path: join(root, 'src/limit.ts') }, ran);
  git('reset', '-q', '--hard', 'other');
  const elsewhere = 'git pull && (cd ../else && git commit -m "Elsewhere")';
  session.command('p2', 't4', elsewhere, '[main 1234567] Elsewhere');
  session.stop('p2', 'Everything is up to date.');
  session.end();
  const { title, turns, commits, files_modified } = await told(repository);
  const commit = { commit: first, subject: ':sparkles: Raise the limit to 8' };
  expect(commits).toEqual([commit]);
  expect(turns.map((turn) => turn.commits)).toEqual([[commit], []]);
  // It may have been changed before the session.
  expect([title, files_modified]).toEqual(['Raise the limit to 8', []]);
});

it('takes files from tools, never from commits or the words of a command', async ({ repository }) => {
  const session = hookedSession(repository.root);
  session.prompt('p1', 'replace which by that');
  session.command('p1', 't1', "sed -i 's/which/that/g' src/limit.ts && uv lock && cp a.txt b.txt");
  session.edit('p1', 't2', 'src/a.ts');
  session.stop('p1', 'The importer says “that” in every message now.');
  session.end();
  const { title, turns } = await told(repository);
  expect(turns).toMatchObject([{ files: ['src/a.ts'], answer: 'The importer says “that” in every message now.' }]);
  expect(title).toBe('Replace which by that');
});

it('writes no path of this machine, and nothing of a session without work', async ({ repository }) => {
  const { root, env } = repository;
  const session = hookedSession(root);
  const screen = 'Claude Code v2\n ▘▘ ▝▝    /home/ann\n';
  session.prompt('p1', `look at ${root}/src/limit.ts and ${env.HOME}/notes.md, not at /home/page\n${screen}`);
  const others = '`/tmp/limit`, `/Users/ann/` and `/tmp/claude-501/-Users-ann-Projects-kb/a.md`';
  session.stop('p1', `The limit in [limit.ts](${root}/src/limit.ts:1) of \`${root}/\` is read by ${others} alone.`);
  session.end();
  const cleared = hookedSession(root, { id: 'cleared', at: new Date(Date.now() + 60_000) });
  cleared.prompt('c1', '/clear');
  cleared.end();
  await gitMem(repository, ['drain', '--wait', '--all']);
  const { stdout } = await gitMem(repository, ['search', 'limit', '--json']);
  expect(stdout).toContain('"type":"digest"'.replace(':', ': '));
  const { turns } = JSON.parse((await gitMem(repository, ['sessions', 'show', '6593', '--json'])).stdout);
  expect(turns).toMatchObject([
    {
      prompt: 'look at src/limit.ts and ~/notes.md, not at /home/page Claude Code v2 ▘▘ ▝▝ ~',
      answer: `The limit in [limit.ts](src/limit.ts:1) of \`${basename(root)}/\` is read by \`/tmp/limit\`, \`~/\` and \`/tmp/claude-501/~/a.md\` alone.`,
    },
  ]);
  const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
  expect(records).toEqual([]);
  const prompts = join(root, '.git/git-mem/private/prompts');
  const kept = readdirSync(prompts, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  expect(kept.map((name) => readFileSync(join(prompts, name), 'utf8')).join()).toContain(
    'look at src/limit.ts and ~/notes.md',
  );
  expect(kept, 'nothing of /clear').toHaveLength(1);
  expect(JSON.parse((await gitMem(repository, ['sessions', '--json'])).stdout).total).toBe(1);
  const [hit] = JSON.parse(stdout).hits;
  expect((await gitMem(repository, ['show', hit.id])).stdout).toContain('## 1. look at src/limit.ts');
});

it('names what a rebase made of its commits, not what it replaced', async ({ repository }) => {
  const { root, git } = repository;
  const session = hookedSession(root);
  session.prompt('p1', 'raise the limit and commit');
  git('checkout', '-q', '-b', 'topic');
  repository.write('src/limit.ts', 'export const LIMIT = 8;\n');
  git('commit', '-qam', 'Raise the limit');
  session.command('p1', 't1', './release.sh');
  session.stop('p1', 'Done.');
  const old = git('rev-parse', 'HEAD').trim();
  git('checkout', '-q', 'main');
  repository.write('other.txt', 'by somebody else\n');
  git('add', 'other.txt');
  git('commit', '-qm', 'Add a file');
  git('checkout', '-q', 'topic');
  session.prompt('p2', 'rebase onto main');
  git('rebase', '-q', 'main');
  session.command('p2', 't2', 'git rebase main');
  session.stop('p2', 'The branch stands on main now, with no conflicts.');
  session.end();
  const { turns, commits } = await told(repository);
  const commit = { commit: git('rev-parse', 'HEAD').trim(), subject: 'Raise the limit' };
  expect(commit.commit).not.toBe(old);
  expect(commits).toEqual([commit]);
  expect(turns.map((turn) => turn.commits)).toEqual([[commit], []]);
});

it('leaves out what it amended, though a call printed it', async ({ repository }) => {
  const { root, git } = repository;
  const session = hookedSession(root);
  const commit = (turn: string, id: string, ...options: string[]) => {
    const stdout = git('commit', '--allow-empty', ...options);
    session.command(turn, id, `git commit ${options.join(' ')}`, stdout);
    return git('rev-parse', 'HEAD').trim();
  };
  session.prompt('p1', 'commit it');
  commit('p1', 't1', '-m', 'Raise the limit');
  commit('p1', 't2', '--amend', '-m', 'Raise the limit to 8');
  session.stop('p1', 'Done.');
  session.prompt('p2', 'and say why');
  const amended = commit('p2', 't3', '--amend', '-m', 'Raise the limit to 8 for long rows');
  const second = commit('p2', 't4', '-m', 'Name the limit');
  session.stop('p2', 'Done.');
  session.end();
  const { title, turns } = await told(repository);
  expect(turns.map(({ commits }) => commits.map((one) => one.commit))).toEqual([[], [amended, second]]);
  expect(title).toBe('Name the limit; Raise the limit to 8 for long rows');
});

it('names commits of another worktree that a call lists or pushes, and none that only a log or a fetch shows', async () => {
  const repository = prepared();
  const { root, git } = repository;
  // Each event takes a second; all commits are of the third, which is that of the call that lists one.
  const session = hookedSession(root, { at: new Date('2026-11-20T20:00:00Z') });
  git('worktree', 'add', '-q', '-b', 'side', '../side');
  const made = (subject: string) => {
    const date = '2026-11-20T20:00:03Z';
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', subject], {
      cwd: join(root, '../side'),
      env: { ...repository.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
    return git('-C', '../side', 'rev-parse', '--short', 'HEAD').trim();
  };
  const [listed, sent, shown, fetched] = ['Listed', 'Sent', 'Shown', 'Fetched'].map(made);
  session.prompt('p1', 'commit and push');
  session.command('p1', 't1', 'cd ../side; git log --oneline -1', `${shown} Shown`);
  const fetch = `From ../origin\n   1234567..${fetched}  main -> origin/main`;
  session.command('p1', 't2', 'cd ../side; git fetch && git push', fetch);
  const commit = 'cd ../side; git commit -q -F - && git log --oneline -1';
  session.command('p1', 't3', commit, `${listed} Listed`);
  const push = `To ../origin\n + 1234567...${sent} side -> side (forced update)`;
  session.command('p1', 't4', 'cd ../side; git push -f 2>&1 | tail -3', push);
  session.stop('p1', 'Done.');
  session.end();
  const { commits } = await told(repository);
  expect(commits.map(({ subject }) => subject).sort()).toEqual(['Listed', 'Sent']);
});

it('names a commit in its own turn where the turn began in another worktree', async ({ repository }) => {
  const { root, git } = repository;
  const side = join(root, '../side');
  git('worktree', 'add', '-q', '-b', 'side', side);
  const made = (subject: string, date: string) =>
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', subject], {
      cwd: side,
      env: { ...repository.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  made('Before the session', '2026-11-20T19:00:00Z');
  git('commit', '-q', '--allow-empty', '-m', 'In the main worktree');
  const session = hookedSession(root, { at: new Date('2026-11-20T20:00:00Z') });
  session.prompt('p1', 'commit it');
  made('In the side', '2026-11-20T20:00:01Z');
  const call = {
    prompt_id: 'p1',
    tool_use_id: 't1',
    tool_name: 'Bash',
    cwd: side,
    tool_input: { command: 'git ci -q' },
  };
  session.report('PostToolUse', { ...call, tool_response: ran });
  session.stop('p1', 'Done.');
  session.prompt('p2', 'what is there?');
  session.report('PostToolUse', { ...call, prompt_id: 'p2', tool_use_id: 't2', tool_response: ran });
  session.stop('p2', 'Done.');
  session.end();
  const { turns } = await told(repository);
  expect(turns.map(({ commits }) => commits.map(({ subject }) => subject))).toEqual([['In the side'], []]);
});

it('tells of a check only what is its own result, with the tests that it chose', async ({ repository }) => {
  const session = hookedSession(repository.root);
  session.prompt('p1', 'run the tests');
  session.failure('p1', 't1', 'go build ./... && time ./limit', "parse error near `time'");
  session.failure('p1', 't2', 'go test ./src/limit -v -count=1 -run TestOne', '--- FAIL: TestOne');
  const long = `go test ./src/limit/with/a/long/name/of/a/package ./src/other -v -count=1 -run Test`;
  session.failure('p1', 't3', `${long}One`, '--- FAIL: TestOne');
  session.command('p1', 't4', `${long}Two`, 'ok');
  session.command('p1', 't5', 'pytest -q -k limit | tail -1', '107 passed, 576 deselected in 4.09s');
  session.stop('p1', 'The first test of the limit fails.');
  session.prompt('p2', 'exit');
  session.end();
  const { turns } = await told(repository);
  expect(turns.map(({ checks }) => checks)).toEqual([
    [
      { command: 'go build ./...' },
      { command: 'go test ./src/limit -v -count=1 -run TestOne', passed: false },
      { command: `${long}One`, passed: false },
      { command: `${long}Two`, passed: true },
      { command: 'pytest -q -k limit' },
    ],
  ]);
  const { state } = JSON.parse((await gitMem(repository, ['sessions', 'show', 'last', '--json'])).stdout);
  expect(state).toBe('ended');
});

it('titles a session without a commit by what the turn that changed most was asked, else by its first request', async ({
  repository,
}) => {
  let minutes = 0;
  const after = async (...turns: [prompt: string, answer: string, ...edited: string[]][]) => {
    const at = new Date(Date.now() + 60_000 * minutes++);
    const session = hookedSession(repository.root, { id: `session-${minutes}`, at });
    for (const [i, turn] of turns.entries()) session.turn(`p${i}`, ...turn);
    session.end();
    return told(repository);
  };
  const push = await after(
    ['where is `git push <branch>` checked?', 'The name of a branch is checked by git alone.'],
    ['now check it here too', '## Done\n\nAll tests pass. The push refuses names that git refuses.', 'a.ts', 'b.ts'],
    ['yes', 'Done.', 'a.ts', 'b.ts', 'c.ts'],
    ['is the comment right?', 'The comment on the line above remains accurate.', 'a.ts'],
  );
  expect(push.title).toBe('Now check it here too');
  expect(push.turns[0]?.prompt).toBe('where is `git push <branch>` checked?');
  expect(push.turns[1]?.answer).toBe('All tests pass. The push refuses names that git refuses.');
  const long =
    'read both of the keys, first and second, from one file alone, and write each of them to another file, which the server';
  const keys = await after(
    [`${long} reads. Then test it.`, 'The server now accepts either of the keys.', 'a.ts', 'b.ts'],
    ['no, the second key only', 'Removed the first key from the reader and from the writer.', 'a.ts', 'b.ts'],
    ['who else reads it?', 'Nobody but the importer reads the second key.'],
  );
  expect(keys.title).toBe(`R${long.slice(1)}…`);
  const asked = await after(
    ['who reads the key?', 'The key is read by the importer alone.'],
    ['and where is it?', 'The importer is in `src/import.ts` since last year.'],
  );
  expect(asked.title).toBe('Who reads the key?');
  const plan = 'Do this:\n\n# Plan: Make the launcher <path> ask for its arguments\n\n## Context\n\nIt runs.';
  const planned = await after([plan, 'The launcher of both programs now reads `argv` by itself.', 'src/limit.ts']);
  expect(planned.title).toBe('Make the launcher <path> ask for its arguments');

  // Without prompts, by what was answered last.
  repository.write('.memory/config.yaml', 'privacy: { prompts: off }\n');
  const answer = '# Keys\n\nBoth are read by the importer. Nobody else does.';
  expect((await after(['who reads both of the keys?', answer])).title).toBe('Both are read by the importer');
});

it('joins the subjects of several commits in a title, the last first, what follows up others behind', async ({
  repository,
}) => {
  const titled = async (id: string, subjects: readonly string[]) => {
    const session = hookedSession(repository.root, { id, at: new Date(Date.now() + Number(id) * 60_000) });
    session.prompt('p1', 'write and commit it');
    for (const [i, subject] of subjects.entries()) {
      repository.git('commit', '-q', '--allow-empty', '-m', subject);
      session.command('p1', `t${i}`, 'make it');
    }
    session.stop('p1', 'Done.');
    session.end();
    return (await told(repository)).title;
  };
  expect(
    await titled('1', [
      'docs: Name the limit',
      '✨ feat: Raise the limit to 9',
      'fixup! feat: Raise',
      'fix: Round it up',
    ]),
  ).toBe('fix: Round it up; feat: Raise the limit to 9; docs: Name the limit');
  const long = 'Read the limit from the settings of the repository and not from those of its user';
  expect(await titled('2', ['Address review comments', long, 'test: Read both', `${long} again`])).toBe(
    `${long} again (+3)`,
  );
});

it('keeps the answer to a question, to which nothing was changed, and of many the last ones', async ({
  repository,
}) => {
  const lines = [
    'Two ways:',
    '1. `fast.ts:12` builds it at once.',
    '2. `parse.ts:40` reads token by token.',
    '',
    'Off: `fast: false`.',
  ];
  const long = Array.from(
    { length: 60 },
    (_, i) => `- part ${i} of the way leads through \`file-${i}.ts\`, and from there on to the next one.`,
  ).join('\n');
  const session = hookedSession(repository.root);
  session.prompt('p1', 'By which ways does a glob become an expression?');
  session.stop('p1', lines.join('\n'));
  for (let i = 2; i < 9; i++) {
    session.prompt(`p${i}`, 'Explain the parts of the long way, one by one, please');
    session.stop(`p${i}`, `The long way has sixty parts.\n\n${long}`);
  }
  session.end();
  const { turns } = await told(repository);
  const answers = turns.map(({ answer }) => answer);
  expect(answers[0]).toBe(
    'Two ways: `fast.ts:12` builds it at once. `parse.ts:40` reads token by token. Off: `fast: false`.',
  );
  expect(answers[1]).toMatch(/^The long way has sixty parts\. part 0 of .*…$/);
  expect(answers[1]?.length).toBeLessThanOrEqual(302);
  expect(answers.at(-1)).toMatch(/^The long way has sixty parts\.\n- part 0 .*`file-0\.ts`, .*\n[\s\S]*next one\. …$/);
  expect(answers.at(-1)?.length).toBeLessThan(4100);
  // A later turn may have taken back what one says.
  const found = async (words: string) =>
    JSON.parse((await gitMem(repository, ['search', words, '--json'])).stdout).hits[0].snippet;
  expect(await found('sixty parts of the long way')).toBe('');

  const short = hookedSession(repository.root, { id: 'short', at: new Date(Date.now() + 60_000) });
  short.prompt('s1', 'By which ways does a glob become an expression?');
  short.stop('s1', lines.join('\n'));
  short.end();
  expect((await told(repository)).turns.map(({ answer }) => answer)).toEqual([lines.filter(Boolean).join('\n')]);
  expect(await found('token by token parse')).toContain('reads token by token');
});
