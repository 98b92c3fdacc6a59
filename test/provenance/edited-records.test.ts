import { expect, it } from 'vitest';
import { commit, KNOWN, reviewed } from '../support/branches.ts';
import { gitMem } from '../support/command-line.ts';
import { hookCall } from '../support/hook-call.ts';
import { edit } from '../support/written-records.ts';

const { clock } = KNOWN;
const LINE = '1 record was edited since its review; the reviewed text counts until';

it.each([
  ['by hand', () => {}],
  ['by a commit of the branch', (repository: ReturnType<typeof reviewed>) => commit(repository, 'edit')],
])('a reviewed record that was edited %s is told as it was reviewed, until the edit is accepted', async (_, then) => {
  const repository = reviewed();
  edit(repository, clock, { ...clock, title: 'Clock skew is never tolerated', narrative: 'Nodes never drift.' });
  then(repository);
  const told = () => repository.call('context');
  expect(await told()).toContain(clock.title);
  expect(await told()).toContain(LINE);
  expect(await told()).not.toContain('never tolerated');
  const list = await gitMem(repository, ['list']);
  expect(list.stdout).toMatch(new RegExp(`${clock.title}.*edited`));
  expect(list.stderr).toContain(LINE);
  expect(await repository.call('show', clock.id)).toContain(clock.narrative);
  expect(await repository.call('search', 'clock skew')).not.toContain('never tolerated');
  await repository.call('sync');
  const prompt = {
    session_id: 's',
    cwd: repository.root,
    prompt: 'How much clock skew is tolerated between the nodes?',
  };
  const reply = await hookCall(repository, 'claude-code', 'UserPromptSubmit', prompt);
  expect(reply).toContain(clock.title);
  expect(reply).not.toContain('never');

  await repository.call('trust', clock.id);
  expect(await told()).toContain('Clock skew is never tolerated');
  expect(await told()).not.toContain(LINE);
  expect((await gitMem(repository, ['list'])).stderr).not.toContain(LINE);
});
