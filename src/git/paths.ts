import { isAbsolute, relative, resolve, sep } from 'node:path';

/** A path of this platform as git and records write it: with forward slashes. */
export function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

/** A path below a folder with forward slashes; undefined for the folder itself and for paths elsewhere. */
export function below(folder: string, path: string): string | undefined {
  const found = relative(folder, resolve(folder, path));
  if (found === '' || found === '..' || found.startsWith(`..${sep}`) || isAbsolute(found)) return undefined;
  return withSlashes(found);
}

/** Whether an absolute path is a folder or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
