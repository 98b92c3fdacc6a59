import { unsyncedCount } from '../../exchange/sync/private.ts';
import { type Check, ok, type Patient } from '../check.ts';

/** Tells how many private records would be lost with this clone. */
export async function checkPrivate({ workspace }: Patient): Promise<Check | Check[]> {
  const count = await unsyncedCount(workspace);
  if (count === 0) return [];
  const records = count === 1 ? '1 private record exists' : `${count} private records exist`;
  const them = count === 1 ? 'it' : 'them';
  return ok('private', `${records} only in this clone; \`git mem private sync\` brings ${them} to a remote.`);
}
