import * as z from 'zod/mini';
import { entriesOf, entryOf, loginsOf, numbersOf, pathOf } from './answers.ts';
import { openApiClient } from './api-client.ts';
import { type Forge, type ForgeAccess, NOBODY } from './forge.ts';

const repository = z.object({
  private: z.boolean(),
  internal: z.optional(z.boolean()),
  owner: z.object({ login: z.string(), visibility: z.optional(z.string()) }),
});
const person = z.object({ login: z.string() });
const team = z.object({
  id: z.int(),
  permission: z.string(),
  /** What the team may do with each part of a repository; missing in old versions. */
  units_map: z.optional(z.nullable(z.record(z.string(), z.string()))),
});

/** Gitea and Forgejo. Readers are the owner, the collaborators and the members of the teams that reach the code. */
export function openGitea({ api, token, internalForAll }: ForgeAccess): Forge {
  const client = openApiClient({ name: 'Gitea', api, headers: { authorization: `token ${token}` } });
  const people = async (path: string, signal: AbortSignal | undefined) => {
    return entriesOf('Gitea', z.array(person), (await client.all(`${path}?limit=50`, signal)) ?? []);
  };
  return {
    kind: 'gitea',
    async readersOf(name, signal) {
      const path = `repos/${pathOf(name)}`;
      const about = entryOf('Gitea', repository, await client.get(path, signal));
      if (about === undefined) return NOBODY;
      // Of an owner that is not public, nothing is.
      const { owner, internal = false } = about;
      const isInternal = internal || owner.visibility === 'limited';
      const isOpen = !about.private && owner.visibility !== 'private' && (!isInternal || internalForAll);
      if (isOpen) return { everybody: true, logins: [] };
      const teams = entriesOf('Gitea', z.array(team), (await client.all(`${path}/teams`, signal)) ?? []);
      const readers = [owner, ...(await people(`${path}/collaborators`, signal))];
      for (const { id } of teams.filter(readsCode)) readers.push(...(await people(`teams/${id}/members`, signal)));
      return { everybody: false, logins: loginsOf(readers, 'login') };
    },
    async openRequests(name, signal) {
      return numbersOf('Gitea', 'number', await client.get(`repos/${pathOf(name)}/pulls?state=open&limit=50`, signal));
    },
  };
}

function readsCode({ permission, units_map }: z.infer<typeof team>): boolean {
  if (permission === 'owner' || permission === 'admin') return true;
  return units_map ? (units_map['repo.code'] ?? 'none') !== 'none' : permission !== 'none';
}
