import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from './support/command-line.ts';
import { createRepository, type TestRepository } from './support/repository.ts';
import { observationOf, put } from './support/written-records.ts';

/** What a reader copies into a terminal has to work: each page's blocks run in their order in one repository. */
const PAGES = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

interface Block {
  line: number;
  commands: string[];
  /** Why it cannot run here, as the comment before it says. */
  notRun: string | undefined;
}

const pages = PAGES.map((page) => ({ page, blocks: blocksIn(readFileSync(page, 'utf8')) })).filter(
  ({ blocks }) => blocks.length > 0,
);

it('has blocks to run', () => {
  const run = pages.flatMap(({ blocks }) => blocks.filter(({ notRun }) => notRun === undefined));
  expect(run.length).toBeGreaterThan(12);
});

describe.each(pages)('$page', ({ page, blocks }) => {
  let repository: TestRepository | undefined;

  for (const { line, commands, notRun } of blocks) {
    if (notRun !== undefined) it.skip(`line ${line}: ${notRun}`);
    else {
      it(`line ${line}`, async () => {
        repository ??= yourRepository();
        for (const command of commands) {
          const { code, output } = await run(command, repository);
          expect(code, `${page}:${line}: ${command}\n${output}`).toBe(0);
        }
      });
    }
  }
});

/** A small project of Claude Code's on a branch, with a remote and the records that the pages speak of. */
function yourRepository(): TestRepository {
  const repository = createRepository('your-repository', (remove) => process.once('exit', remove));
  const { git, write } = repository;
  write('.claude/settings.json', '{}\n');
  write('package.json', '{"scripts": {"test": "node --test"}}\n');
  write('src/auth.ts', 'export {};\n');
  put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'Tolerate clock skew', files_modified: ['src/auth.ts'] }));
  put(repository, observationOf({ id: 'p8w2m4ta1c', title: 'Clocks are synchronised', files_read: ['src/auth.ts'] }));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start');
  git('init', '--quiet', '--bare', join(repository.folder, 'origin.git'));
  git('remote', 'add', 'origin', join(repository.folder, 'origin.git'));
  git('push', '--quiet', 'origin', 'HEAD:main');
  git('fetch', '--quiet', 'origin');
  git('switch', '--quiet', '-c', 'feature');
  mkdirSync(join(repository.env.HOME ?? '', '.config'), { recursive: true });
  return repository;
}

/** Commands of git-mem run within this process, where no shell is needed to read them. */
async function run(command: string, repository: TestRepository): Promise<{ code: number | null; output: string }> {
  const plain = /^git mem ([^|&><;$~`]*)$/.exec(command)?.[1];
  if (plain !== undefined) {
    const words = [...plain.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const { code, stdout, stderr } = await gitMem(repository, words);
    return { code, output: stdout + stderr };
  }
  const { root: cwd, env } = repository;
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

function blocksIn(text: string): Block[] {
  return [...text.matchAll(/(?:<!-- not run: (.+?) -->\n)?```(?:sh|console|bash)\n([\s\S]*?)```/g)].map(
    ({ 1: notRun, 2: body = '', index }) => ({
      line: text.slice(0, index).split('\n').length,
      notRun,
      commands: body
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((line) => line.replace(/(?:^|\s)#\s.*$/, '').trim())
        .filter((line) => line !== ''),
    }),
  );
}
