import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from './repository.ts';

/** Commits files (undefined: removed) with that date, and returns the commit's id. */
export function commitOn(
  repository: TestRepository,
  day: string,
  message: string,
  files: Record<string, string | undefined>,
): string {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(repository.root, path));
    else repository.write(path, content);
  }
  repository.git('add', '--all');
  const date = `${day.length === 10 ? `${day}T12:00:00` : day}Z`;
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '--message', message], {
    cwd: repository.root,
    env: { ...repository.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  return repository.git('rev-parse', 'HEAD').trim();
}

/** Many commits on top of HEAD at once, each with its files; as `commitOn`, in a fraction of its time. */
export function commitMany(
  repository: TestRepository,
  commits: { day: string; message: string; files: Record<string, string | undefined> }[],
): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const head = repository.git('for-each-ref', 'refs/heads/main') === '' ? '' : 'from refs/heads/main^0\n';
  const parts = commits.map(({ day, message, files }, i) => {
    const by = `Test <test@example.com> ${Date.parse(`${day}T12:00:00Z`) / 1000} +0000`;
    const changes = Object.entries(files).map(([path, content]) =>
      content === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`,
    );
    return `commit refs/heads/main\nauthor ${by}\ncommitter ${by}\n${data(message)}${i === 0 ? head : ''}${changes.join('')}`;
  });
  const { root, env } = repository;
  execFileSync('git', ['fast-import', '--quiet', '--date-format=raw-permissive'], {
    cwd: root,
    env,
    input: parts.join(''),
  });
  repository.git('reset', '--quiet', '--hard');
}

/** The day so many days after the first of January 2026. */
export function dayAfter(days: number): string {
  return new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);
}
