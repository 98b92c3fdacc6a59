import { GitMemError } from '../../../errors.ts';
import { type Annotated, presentable } from '../../../records/annotate.ts';
import { turnsOf } from '../../../records/sessions.ts';
import type { Library } from '../library.ts';
import type { SessionPage, Sessions } from '../protocol.ts';
import { limitOf } from '../query.ts';

/** Sessions without a limit in the address: a screen or two. */
const LISTED = 50;

/** The sessions of this clone, newest first. */
export async function sessions(library: Library, query: URLSearchParams, now: Date): Promise<Sessions> {
  const all = await library.project.sessions(await recordsOf(library), now);
  return { total: all.length, sessions: all.slice(0, limitOf(query, LISTED)) };
}

/** One session with its turns, its commits and what it left. Throws no-such-record. */
export async function sessionPage(library: Library, id: string, now: Date): Promise<SessionPage> {
  const records = await recordsOf(library);
  const session = (await library.project.sessions(records, now)).find((one) => one.session === id);
  if (session === undefined) throw new GitMemError('no-such-record', 'There is no such session.');
  const left = new Set(session.records);
  return {
    ...session,
    turns: turnsOf(records, id),
    records: records
      .filter(({ record }) => left.has(record.id))
      .map((one) => presentable(one).record)
      .flatMap((record) => ('title' in record ? [{ id: record.id, type: record.type, title: record.title }] : []))
      .reverse(),
  };
}

async function recordsOf({ snapshot }: Library): Promise<Annotated[]> {
  return (await snapshot()).records();
}
