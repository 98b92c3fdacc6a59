import { type Checkout, readHead } from '../../git/locate.ts';
import { isObject, jsonIn } from '../../json.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { EVENT_KINDS } from '../agents/event.ts';
import { asText } from '../agents/payload.ts';
import { transcript } from '../agents/transcript.ts';
import { accept } from '../spool/spool.ts';

/** The result for a line that was piped in. */
export type PipedLine = { kind: Kind } | { problem: string };

type Kind = (typeof EVENT_KINDS)[number];

/** Longest line that is accepted, in characters: one with a whole file fits, and one without an end is refused. */
const MOST_CHARS = 16_000_000;

/** For an event older than this, in milliseconds, the HEAD at its time is unknown: commits are minutes apart. */
const HEAD_MS = 10 * 60_000;

/** Puts an event in our own form into the spool of a state folder. Throws system errors. */
export function acceptOwn(
  state: string,
  event: { kind: Kind; cwd: string },
  { checkout, atMs, nowMs }: { checkout: Checkout; atMs: number; nowMs: number },
): void {
  const { root } = checkout;
  const where = nowMs - atMs < HEAD_MS ? readHead(checkout) : {};
  const head = { host: transcript.name, event: event.kind, root, ...where, at: new Date(atMs).toISOString() };
  accept(state, head, Buffer.from(JSON.stringify({ ...event, cwd: event.cwd || root })));
}

/**
 * Returns a function that puts events of an agent without an adapter into the spool, each a line of JSON in our own
 * format; the function throws system errors. Lines of one session keep their order, even within one tick of the clock.
 */
export function createIntake({ checkout, layout }: Workspace, clock: () => Date): (line: string) => PipedLine {
  const last = new Map<string, number>();
  return (line) => {
    const found = eventIn(line);
    if ('problem' in found) return found;
    const { kind, session, atMs, payload } = found;
    const nowMs = clock().getTime();
    const orderedMs = Math.max(atMs ?? nowMs, (last.get(session) ?? 0) + 1);
    last.set(session, orderedMs);
    const event = { ...payload, kind, cwd: asText(payload.cwd) };
    acceptOwn(layout.state, event, { checkout, atMs: orderedMs, nowMs });
    return { kind };
  };
}

type Found = { kind: Kind; session: string; atMs: number | undefined; payload: Record<string, unknown> };

function eventIn(line: string): Found | { problem: string } {
  if (line.length > MOST_CHARS) return { problem: `it has ${line.length} characters, more than ${MOST_CHARS}` };
  const payload = jsonIn(line);
  if (!isObject(payload)) return { problem: 'it is not a JSON object' };
  const kind = EVENT_KINDS.find((one) => one === payload.kind);
  if (kind === undefined) return { problem: `"kind" should be one of ${EVENT_KINDS.join(', ')}` };
  const session = asText(payload.session);
  if (session === '') return { problem: '"session" should name the session' };
  const atMs = payload.at === undefined ? undefined : Date.parse(asText(payload.at));
  if (Number.isNaN(atMs)) return { problem: '"at" should be a time such as 2026-11-20T20:05:01Z' };
  if (kind === 'tool' && (!isObject(payload.call) || asText(payload.call.tool) === ''))
    return { problem: '"call" should be an object with the name of the tool in "tool"' };
  return { kind, session, atMs, payload };
}
