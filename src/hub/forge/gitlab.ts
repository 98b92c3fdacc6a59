import * as z from 'zod/mini';
import { entriesOf, entryOf, loginsOf, numbersOf } from './answers.ts';
import { openApiClient } from './api-client.ts';
import { type Forge, type ForgeAccess, NOBODY } from './forge.ts';

const project = z.object({
  visibility: z.enum(['private', 'internal', 'public']),
  /** Who of those that see the project sees its code. */
  repository_access_level: z.optional(z.enum(['disabled', 'private', 'enabled'])),
});
const member = z.object({ username: z.string(), state: z.string(), access_level: z.int() });

/** Members below this level (Reporter) do not see the code of a project that is not public. */
const READS_CODE = 20;

/** GitLab, of the cloud or of a company. Members of the groups above a project are members of it. */
export function openGitLab({ api, token, internalForAll }: ForgeAccess): Forge {
  const client = openApiClient({ name: 'GitLab', api, headers: { 'private-token': token } });
  return {
    kind: 'gitlab',
    async readersOf(name, signal) {
      const id = encodeURIComponent(name);
      const about = entryOf('GitLab', project, await client.get(`projects/${id}`, signal));
      if (about === undefined || about.repository_access_level === 'disabled') return NOBODY;
      const { visibility, repository_access_level: code = 'enabled' } = about;
      const isOpen = visibility === 'public' || (visibility === 'internal' && internalForAll);
      if (isOpen && code === 'enabled') return { everybody: true, logins: [] };
      const listed = (await client.all(`projects/${id}/members/all?per_page=100`, signal)) ?? [];
      const members = entriesOf('GitLab', z.array(member), listed);
      const readers = members.filter(({ state, access_level }) => state === 'active' && access_level >= READS_CODE);
      return { everybody: false, logins: loginsOf(readers, 'username') };
    },
    async openRequests(name, signal) {
      const path = `projects/${encodeURIComponent(name)}/merge_requests`;
      const query = 'state=opened&order_by=created_at&sort=desc&per_page=100';
      return numbersOf('GitLab', 'iid', await client.get(`${path}?${query}`, signal));
    },
  };
}
