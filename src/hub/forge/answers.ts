import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';

/** Entries of a host's answer in their known shape; throws provider, since rights are not guessed from a part. */
export function entriesOf<T>(name: string, schema: z.ZodMiniType<T[]>, given: unknown[]): T[] {
  const result = z.safeParse(schema, given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new GitMemError('provider', `${name} answered in an unknown shape: ${issue?.path.slice(1).join('.') ?? ''}.`);
}

/** One such entry; undefined if there is nothing. */
export function entryOf<T>(name: string, schema: z.ZodMiniType<T>, given: unknown): T | undefined {
  return given === undefined ? undefined : entriesOf(name, z.array(schema), [given])[0];
}

/** The login names of people, each once. */
export function loginsOf<K extends string>(people: Record<K, string>[], key: K): string[] {
  return [...new Set(people.map((one) => one[key].toLowerCase()))];
}

/** The numbers in a page of requests, highest first; none where there is no such list. */
export function numbersOf(name: string, key: string, page: unknown): number[] {
  const known = entriesOf(name, z.array(z.object({ [key]: z.int() })), Array.isArray(page) ? page : []);
  return known.flatMap((one) => one[key] ?? []).sort((a, b) => b - a);
}

/** A repository's name as part of an address; throws bad-config if it is not two or more words. */
export function pathOf(name: string): string {
  const parts = name.split('/');
  if (parts.length === 2 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return name;
  throw new GitMemError('bad-config', `"${name}" is not the name of a repository on the host.`, {
    hint: 'Such as acme/platform.',
  });
}
