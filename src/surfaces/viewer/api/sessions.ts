import { GitMemError } from '../../../errors.ts';
import { readInjected } from '../../../inject/prompt/injected.ts';
import { isHidden } from '../../../memory/marks.ts';
import { decodeTurns, isSessionDigest } from '../../../memory/session-digest.ts';
import { type Annotated, presentable } from '../../../records/annotate.ts';
import { turnsOf } from '../../../records/sessions.ts';
import type { Library } from '../library.ts';
import type { ContextAnswer, Session, SessionPage, Sessions } from '../protocol.ts';
import { limitOf } from '../query.ts';

/** Sessions without a limit in the address: a screen or two. */
const LISTED = 50;

/** How many sessions are searched for one that records were injected into: older ones are not news. */
const RECENT = 20;

/** The sessions of this clone, newest first. */
export async function sessions(library: Library, query: URLSearchParams, now: Date): Promise<Sessions> {
  const records = await (await library.snapshot()).records();
  const all = await library.project.sessions(records, now);
  const digests = new Map(records.flatMap(digestIn));
  const listed = all.slice(0, limitOf(query, LISTED));
  return { total: all.length, sessions: listed.map((one) => ({ ...one, digest: digests.get(one.session) ?? '' })) };
}

/** The last answer in a session's digest, with the session's id. */
function digestIn({ record, state }: Annotated): [session: string, answer: string][] {
  if (!isSessionDigest(record) || record.kind !== 'summary' || isHidden(state)) return [];
  const last = decodeTurns(record.request).findLast(({ answer }) => answer !== '');
  return last && record.session !== undefined ? [[record.session, last.answer]] : [];
}

/** One session with its turns, its commits and what it left. Throws no-such-record. */
export async function sessionPage(library: Library, id: string, now: Date): Promise<SessionPage> {
  const records = await (await library.snapshot()).records();
  const session = (await library.project.sessions(records, now)).find((one) => one.session === id);
  if (session === undefined) throw new GitMemError('no-such-record', 'There is no such session.');
  const left = new Set(session.records);
  return { ...session, turns: turnsOf(records, id), records: named(records, left).reverse() };
}

/** The text that a session starting now gets, with the reason for each record, and what the last one got. */
export async function context({ project, snapshot }: Library, now: Date): Promise<ContextAnswer> {
  const reading = snapshot().then((now) => now.records());
  const [briefing, records] = await Promise.all([project.briefing({ source: 'startup' }), reading]);
  const titles = new Map(records.map((one) => [one.record.id, titleOf(one)]));
  const titled = <T extends { id: string }>(one: T) => ({ ...one, title: titles.get(one.id) ?? '' });
  const recent = (await project.sessions(records, now)).slice(0, RECENT);
  const told = recent.map((one) => ({ one, ids: readInjected(project.workspace.layout.state, one.session).ids }));
  const last = told.find(({ ids }) => ids.size > 0);
  return {
    ...briefing,
    limit: project.config().config.briefing.tokens,
    records: briefing.records.map(titled),
    dropped: briefing.dropped.map(titled),
    last: last ? lastOf(records, last.one, last.ids) : null,
  };
}

function lastOf(records: Annotated[], one: Session, ids: ReadonlySet<string>): ContextAnswer['last'] {
  const { session, title, started, records: left } = one;
  const told = new Set([...ids].filter((id) => !left.includes(id)));
  return { session, title, started, records: named(records, told).map(({ id, title }) => ({ id, title })) };
}

/** The records with these ids that have a title, newest first; redacted ones show only that they are redacted. */
function named(records: Annotated[], ids: ReadonlySet<string>): SessionPage['records'] {
  return records
    .filter(({ record }) => ids.has(record.id))
    .map((one) => presentable(one).record)
    .flatMap((record) => ('title' in record ? [{ id: record.id, type: record.type, title: record.title }] : []));
}

function titleOf({ record, state }: Annotated): string {
  return state.redacted || !('title' in record) ? '' : record.title;
}
