import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError, messageOf } from '../../errors.ts';
import { goneNote, type Registered } from '../../exchange/places/registry.ts';
import { openProject } from '../../project.ts';
import type { Environment } from '../../user-folders.ts';
import { type Handlers, type Library, openLibrary } from './library.ts';
import type { Repository } from './protocol.ts';

/** A library with the label of its records. */
export interface NamedLibrary {
  name: string;
  library: Library;
}

/** The memories of several repositories. */
export interface Libraries {
  /** All by name, those that cannot be read too. */
  repositories(): Repository[];
  /** Those that can be read now: a repository may be removed, or change to a branch without memory, at any time. */
  open(): NamedLibrary[];
  /** Throws bad-input for an unknown repository, and one that cannot be read. */
  named(name: string): Library;
  close(): Promise<void>;
}

/** Documents that each cache keeps in memory: a page shows few of each. */
const REMEMBERED = 50;

/** Opens the libraries one after the other; one that cannot be opened is listed with the reason. */
export async function openLibraries(
  registered: Registered[],
  env: Environment,
  { onChange, onError, onProgress }: Handlers & { onProgress: (done: number) => void },
): Promise<Libraries> {
  // That variable moves the state of one repository.
  const elsewhere = { ...env, GIT_MEM_STATE: undefined };
  const opened: NamedLibrary[] = [];
  const problems = new Map<string, string>();
  let done = 0;
  for (const { name, root, checkout } of registered) {
    try {
      if (checkout === undefined) continue;
      const library = await openLibrary(openProject(root, elsewhere), {
        onChange: (change) => onChange({ ...change, repository: name }),
        onError,
        remember: REMEMBERED,
      });
      opened.push({ name, library });
      await library.snapshot();
    } catch (error) {
      problems.set(name, `${name} cannot be read: ${messageOf(error)}`);
    } finally {
      onProgress(++done);
    }
  }

  const repositories = () => {
    return registered.map(({ name, root, checkout, file }): Repository => {
      const gone = checkout === undefined || !existsSync(join(root, '.memory'));
      return { name, root, gone, problem: gone ? goneNote({ name, root, file }) : (problems.get(name) ?? null) };
    });
  };
  const open = () => {
    const problemOf = new Map(repositories().map(({ name, problem }) => [name, problem]));
    return opened.filter(({ name }) => problemOf.get(name) === null);
  };
  return {
    repositories,
    open,
    named(name) {
      const found = open().find((one) => one.name === name);
      if (found !== undefined) return found.library;
      const problem = repositories().find((one) => one.name === name)?.problem;
      throw new GitMemError('bad-input', problem ?? `No repository is called "${name.slice(0, 80)}".`);
    },
    async close() {
      for (const { library } of opened) await library.close();
    },
  };
}
