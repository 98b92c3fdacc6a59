import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './program.ts';

/**
 * Makes the folder that `createRepository` copies, because copying is ten times as fast as `git init`, and returns its
 * path: `.git` of an empty repository, `home` with git's settings, `bin` with git-mem. `compiled`, which is not copied,
 * keeps V8's compile cache for all processes of a run.
 */
export function makeRepositoryTemplate(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-template-')));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const dir of [home, bin]) mkdirSync(dir);
  writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, 'git-mem'), 0o755);
  const settings = join(home, 'gitconfig');
  const sections = [
    '[user]\n\tname = Test\n\temail = test@example.com\n',
    '[init]\n\tdefaultBranch = main\n',
    // Each commit would start a process that finds nothing to tidy.
    '[maintenance]\n\tauto = false\n',
  ];
  writeFileSync(settings, sections.join(''));
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_GLOBAL: settings, GIT_CONFIG_NOSYSTEM: '1' };
  // Without the sample hooks, which are most of what there would be to copy.
  execFileSync('git', ['init', '--quiet', '--template=', folder], { env, stdio: 'ignore' });
  for (const dir of ['hooks', 'info']) mkdirSync(join(folder, '.git', dir));
  return folder;
}

/** The template of this run; made here, for this process alone, where no test run made it. */
export function repositoryTemplate(): string {
  if (process.env.GIT_MEM_TEST_TEMPLATE === undefined) {
    const folder = makeRepositoryTemplate();
    process.env.GIT_MEM_TEST_TEMPLATE = folder;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  return process.env.GIT_MEM_TEST_TEMPLATE;
}
