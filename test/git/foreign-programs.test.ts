import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commit, reviewed } from '../support/branches.ts';
import { run } from '../support/command.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

it('no hook and no reading command runs a program that the repository names', () => {
  const repository = reviewed();
  const { root, folder, git, env } = repository;
  const ran = join(folder, 'ran');
  const program = (name: string) => {
    mkdirSync(join(folder, 'evil'), { recursive: true });
    const path = join(folder, 'evil', name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> ${ran}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  git('config', '--global', 'gpg.ssh.allowedSignersFile', join(folder, 'signers'));
  writeFileSync(join(folder, 'signers'), '');
  repository.write('.gitattributes', '* filter=evil diff=evil\n');
  drop(repository, observationOf({ id: 'strange000', title: 'Theirs' }));
  commit(repository, 'theirs');
  const mine = put(repository, observationOf({ id: 'm1ne000000', title: 'Mine' }));
  writeFileSync(join(root, mine), 'edited\n');
  const settings: [string, string][] = [
    ['core.fsmonitor', program('fsmonitor')],
    ['gpg.program', program('gpg')],
    ['gpg.ssh.program', program('ssh-keygen')],
    ['diff.external', program('differ')],
    ['diff.evil.textconv', program('textconv')],
    ['core.hooksPath', join(folder, 'evil')],
  ];
  for (const hook of ['reference-transaction', 'post-index-change']) program(hook);
  for (const [key, value] of settings) git('config', key, value);
  writeFileSync(
    join(folder, 'included'),
    `[filter "evil"]\n\tclean = ${program('clean')}\n\tprocess = ${program('process')}\n`,
  );
  writeFileSync(join(root, '.git/config'), `[include]\n\tpath = ${join(folder, 'included')}\n`, { flag: 'a' });
  // What git looks at again.
  utimesSync(join(root, 'src/clock.ts'), 1, 1);
  // A folder of PATH that is relative is one of the checkout.
  symlinkSync(program('git'), join(root, 'git'));
  const there = { ...env, PATH: `.:${env.PATH}` };
  const event = (name: string, more: object) => ({
    input: JSON.stringify({ session_id: 's', cwd: root, hook_event_name: name, ...more }),
  });
  const hook = (name: string, more: object) =>
    run({ ...repository, env: there }, ['hook', 'claude-code', name], event(name, more));
  expect(hook('SessionStart', { source: 'startup' }).stdout).toContain('Clock skew');
  hook('UserPromptSubmit', { prompt: 'how is clock skew between nodes tolerated?' });
  hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: join(root, 'src/clock.ts') } });
  for (const command of [
    ['list'],
    ['search', 'clock'],
    ['status'],
    ['drain', '--wait'],
    ['doctor'],
    ['why', 'src/clock.ts'],
  ])
    run({ ...repository, env: there }, command);
  expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').toBe('');
});
