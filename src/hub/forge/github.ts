import * as z from 'zod/mini';
import { entriesOf, entryOf, loginsOf, numbersOf, pathOf } from './answers.ts';
import { openApiClient } from './api-client.ts';
import { type Forge, type ForgeAccess, NOBODY } from './forge.ts';

const repository = z.object({ private: z.boolean(), visibility: z.optional(z.string()) });
const person = z.object({ login: z.string(), permissions: z.optional(z.object({ pull: z.optional(z.boolean()) })) });

/**
 * GitHub, of the cloud or of a company. Its list of collaborators holds everybody who may read: outside collaborators, and
 * members of the organisation by themselves, by a team or by the organisation's default.
 */
export function openGitHub({ api, token, internalForAll }: ForgeAccess): Forge {
  const client = openApiClient({
    name: 'GitHub',
    api,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
  });
  return {
    kind: 'github',
    async readersOf(name, signal) {
      const about = entryOf('GitHub', repository, await client.get(`repos/${pathOf(name)}`, signal));
      if (about === undefined) return NOBODY;
      const everybody = about.visibility === 'internal' ? internalForAll : !about.private;
      if (everybody) return { everybody, logins: [] };
      const listed = await client.all(`repos/${pathOf(name)}/collaborators?affiliation=all&per_page=100`, signal);
      const people = entriesOf('GitHub', z.array(person), listed ?? []);
      const readers = people.filter(({ permissions }) => permissions?.pull !== false);
      return { everybody, logins: loginsOf(readers, 'login') };
    },
    async openRequests(name, signal) {
      const path = `repos/${pathOf(name)}/pulls?state=open&sort=created&direction=desc&per_page=100`;
      return numbersOf('GitHub', 'number', await client.get(path, signal));
    },
  };
}
