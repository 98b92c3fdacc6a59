import type { Registered } from '../../exchange/places/registry.ts';
import type { Project } from '../../project.ts';
import type { Environment } from '../../user-folders.ts';
import { answer, type Request } from './api/answer.ts';
import { type Handlers, openLibrary } from './library.ts';

/** What a viewer serves: the memory of one checkout, or those of several repositories. */
export interface Served {
  /** Answers in the shape given in `protocol.ts`; undefined if nothing is at this path. Throws GitMemError. */
  answer(request: Request, now: Date): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens what is served; its handlers get changed records and unexpected errors. */
export type Opening = (handlers: Handlers) => Promise<Served>;

/** The memory of one checkout. */
export function oneMemory(project: Project): Opening {
  return async (handlers) => {
    const library = await openLibrary(project, handlers);
    return { answer: (request, now) => answer(library, request, now), close: library.close };
  };
}

/** The memories of several repositories; `onProgress` gets the number that is open. */
export function severalMemories(
  repositories: Registered[],
  env: Environment,
  onProgress: (done: number) => void,
): Opening {
  return async (handlers) => {
    const { answerAcross, openLibraries } = await import('./api/across.ts');
    const libraries = await openLibraries(repositories, env, { ...handlers, onProgress });
    return { answer: (request, now) => answerAcross(libraries, request, now), close: libraries.close };
  };
}
