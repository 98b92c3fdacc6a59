import { join } from 'node:path';
import { sweep } from '../../memory/store/sweep.ts';
import { claudeCode } from '../agents/claude-code.ts';
import { isTurnEnd } from '../agents/event.ts';
import { transcript } from '../agents/transcript.ts';
import type { SpooledEvent } from '../extract/turns.ts';
import { acknowledge, pending, setAside, strays } from '../spool/spool.ts';
import { type Decoded, type Decoding, eventDecoder } from './event-file.ts';

/** A hook that takes longer than this to write its event was killed: the templates let hosts end theirs after 10 s. */
const HALF_WRITTEN_MS = 600_000;

/** Longest time between a hook's report of a prompt and the host's log entry for it, the hook's own time included. */
const SAME_PROMPT_MS = 60_000;

/**
 * The waiting events of these state folders, decoded; files without usable or new events are already acknowledged. `done`:
 * how many files are acknowledged or set aside. `isSeen`: an event with this key is acknowledged. Throws system errors.
 */
export function takeIn(
  options: Decoding & {
    states: string[];
    isSeen: (session: string, key: string) => boolean;
    /** The host that an earlier drain recorded for a session; undefined if it is new. */
    hostOf: (session: string) => string | undefined;
  },
) {
  const { states, isSeen, hostOf, log, nowMs } = options;
  const events = new Map<string, Decoded>();
  const open = new Map<string, { state: string; file: string; left: number }>();
  const decode = eventDecoder(options);
  let done = 0;

  for (const state of states) {
    sweep(join(state, 'spool', 'tmp'), { ageMs: HALF_WRITTEN_MS, nowMs });
    for (const { name, kind } of strays(state)) putAside(state, name, kind);
    for (const stored of pending(state)) {
      const decoded = decode(state, stored);
      if (decoded === undefined) continue;
      if (typeof decoded === 'string') {
        putAside(state, stored.name, decoded);
        continue;
      }
      const file = { state, file: stored.name, left: 0 };
      for (const [i, spooled] of decoded.entries()) {
        const { event } = spooled;
        if (event.key !== undefined && isSeen(event.session, event.key)) continue;
        if (spooled.isLogged && event.kind === 'prompt' && isReported(spooled, [...events.values()])) continue;
        // Padded, because events with the same time are ordered by name.
        const name = `${spooled.name}#${String(i).padStart(4, '0')}`;
        const key = event.key === undefined ? name : `${spooled.host} ${event.session} ${event.key}`;
        const twin = events.get(key);
        // Two events of one call: the one that knows the outcome is kept, and both files are acknowledged together.
        const better = twin?.event.kind === 'tool' && event.kind === 'tool' && twin.event.call.ok === undefined;
        if (twin === undefined) events.set(key, { ...spooled, name });
        else if (better) events.set(key, { ...spooled, name: `${twin.name}\n${name}` });
        else twin.name = `${twin.name}\n${name}`;
        open.set(name, file);
        file.left++;
      }
      if (file.left === 0) finish(file);
    }
  }

  function putAside(state: string, name: string, reason: string): void {
    done++;
    log(`event ${name} set aside: ${reason}`);
    setAside(state, name);
  }

  function finish({ state, file }: { state: string; file: string }): void {
    acknowledge(state, file);
    done++;
  }

  function acknowledgeAll(finished: SpooledEvent[]): void {
    for (const { name } of finished) {
      for (const part of name.split('\n')) {
        const file = open.get(part);
        if (file === undefined || !open.delete(part)) continue;
        file.left--;
        if (file.left === 0) finish(file);
      }
    }
  }

  const { own, foreign } = byOwner([...events.values()], hostOf);
  acknowledgeAll(foreign);
  return {
    events: own,
    get done() {
      return done;
    },
    /** Marks events as done: a file is removed when all of its events are. */
    acknowledge: acknowledgeAll,
  };
}

/** Tells whether a hook also reported a prompt from a log: the hook's event comes just before the log's. */
function isReported({ event: { session }, at }: SpooledEvent, known: Decoded[]): boolean {
  const from = new Date(Date.parse(at) - SAME_PROMPT_MS).toISOString();
  const hooked = known.filter(({ event, isLogged }) => event.session === session && !isLogged);
  return hooked.some(({ event, at: reported }) => event.kind === 'prompt' && reported >= from);
}

/**
 * A session belongs to one host. Some hosts run the hooks in Claude Code's settings besides their own: what they report
 * twice is recorded once, from the hooks made for them; a log adds what no hook reported. The answer is taken from
 * whichever has it.
 */
function byOwner(events: SpooledEvent[], hostOf: (session: string) => string | undefined) {
  const owners = new Map<string, string>();
  for (const { host, event } of events) {
    const known = hostOf(event.session);
    if (known !== undefined) owners.set(event.session, known);
    else if (authority(host) >= authority(owners.get(event.session))) owners.set(event.session, host);
  }
  const isOwn = ({ host, event }: SpooledEvent) => owners.get(event.session) === host;
  const own = events.filter(isOwn);
  const foreign = events.filter((event) => !isOwn(event));
  return { own: own.map((one) => answered(one, own, foreign)), foreign };
}

/** The end of a turn; if its host did not report the answer, with the one from another host's hooks. */
function answered(end: SpooledEvent, own: SpooledEvent[], foreign: SpooledEvent[]): SpooledEvent {
  const { event, at } = end;
  if (!isTurnEnd(event) || event.text !== '') return end;
  const isOfSession = (one: SpooledEvent) => one.event.session === event.session;
  const prompts = own.filter((one) => isOfSession(one) && one.event.kind === 'prompt').map((one) => one.at);
  const from = prompts.reduce((last, one) => (one <= at && one > last ? one : last), '');
  const until = prompts.reduce((next, one) => (one > at && one < next ? one : next), '~');
  const answer = (events: SpooledEvent[]) =>
    events
      .filter((one) => isOfSession(one) && one.at >= from && one.at < until)
      .flatMap((one) => (isTurnEnd(one.event) ? one.event.text : []))
      .findLast((text) => text !== '');
  const text = answer(own) === undefined ? answer(foreign) : undefined;
  return text === undefined ? end : { ...end, event: { ...event, text } };
}

function authority(host: string | undefined): number {
  if (host === undefined || host === transcript.name) return 0;
  return host === claudeCode.name ? 1 : 2;
}
