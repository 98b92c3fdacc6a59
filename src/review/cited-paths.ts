import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { withoutEndSlashes } from '../slashes.ts';
import { type Problem, warning } from './problem.ts';
import type { FiledRecord } from './records.ts';

/**
 * More paths than this are not looked up: a command line has a length limit, and the first hundreds show the problem.
 */
const MOST_PATHS = 400;

/** A long history takes its time, and CI waits; paths not resolved by then are not reported. In milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Warnings for cited files that exist neither here nor anywhere in the history; one git child, none if all exist here.
 */
export async function citedPathProblems(workspace: Workspace, records: FiledRecord[]): Promise<Problem[]> {
  const { checkout, env } = workspace;
  const cited = records.map((filed) => ({ filed, paths: citedPaths(filed) }));
  const absent = new Set(cited.flatMap(({ paths }) => paths).filter((path) => !isHere(checkout.root, path)));
  const outside = [...absent].filter((path) => !isInside(path));
  const asked = [...absent].filter(isInside).slice(0, MOST_PATHS);
  // A shallow clone does not know all files that ever existed.
  const isShallow = existsSync(join(checkout.commonDir, 'shallow'));
  const known = isShallow ? undefined : await pathsInHistory(asked, checkout.root, env);
  const unknown = new Set([...outside, ...(known === undefined ? [] : asked.filter((path) => !known(path)))]);
  return cited.flatMap(({ filed: { record, file }, paths }) =>
    paths
      .filter((path) => unknown.has(path))
      .map((path) => {
        const message = `It cites ${JSON.stringify(path)}, which never was a file of this repository.`;
        return warning('cited-path', file.path, message, 'Correct the path, or leave it out.', record.id);
      }),
  );
}

/** The files that a record is about, each once. */
export function citedPaths({ record }: FiledRecord): string[] {
  if (record.kind === 'observation') return [...new Set([...record.files_modified, ...record.files_read])];
  return record.kind === 'summary' ? [...new Set([...record.files_edited, ...record.files_read])] : [];
}

async function pathsInHistory(
  paths: string[],
  root: string,
  env: Workspace['env'],
): Promise<((path: string) => boolean) | undefined> {
  if (paths.length === 0) return () => true;
  // Without renames, or a renamed file would be listed under its new name only. The index counts as history too.
  const log = ['log', '--all', '--full-history', '--no-renames', '--format=', '--name-only', '-z'];
  const ask = (args: string[]) =>
    runGit(root, ['--literal-pathspecs', ...args, '--', ...paths], env, { patienceMs: PATIENCE_MS });
  const outputs = await Promise.all([ask(log), ask(['ls-files', '-z'])]);
  if (outputs[0] === undefined) return undefined;
  const found = outputs.flatMap((output) => (output ?? '').split('\0'));
  const files = new Set(found);
  // A record may cite a folder.
  const folders = new Set(found.flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))));
  return (path) => files.has(path) || folders.has(withoutEndSlashes(path));
}

function isHere(root: string, path: string): boolean {
  return isInside(path) && !path.includes('\0') && existsSync(join(root, path));
}

function isInside(path: string): boolean {
  return !/^(?:[\\/]|[A-Za-z]:[\\/]|~)/.test(path) && !path.split('/').includes('..');
}
