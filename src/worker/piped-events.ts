import { asText, isRecord } from '../agents/payload.ts';
import { EVENT_KINDS, transcript } from '../agents/transcript.ts';
import { readHead } from '../repo/locate.ts';
import { accept } from '../spool/spool.ts';
import type { Workspace } from '../store/workspace.ts';

/** What a line that was piped in came to. */
export type PipedLine = { kind: (typeof EVENT_KINDS)[number] } | { problem: string };

/** Largest line that is taken, in characters. */
const MOST_CHARS = 16_000_000;

/** Puts one event of an agent that has no adapter, a line of JSON in our own format, into the spool. Throws system errors. */
export function acceptLine(line: string, { checkout, layout }: Workspace): PipedLine {
  if (line.length > MOST_CHARS) return { problem: `it has ${line.length} characters, more than ${MOST_CHARS}` };
  const payload = parsed(line);
  if (payload === undefined) return { problem: 'it is no JSON object' };
  const kind = EVENT_KINDS.find((one) => one === payload.kind);
  if (kind === undefined) return { problem: `"kind" should be one of ${EVENT_KINDS.join(', ')}` };
  const at = payload.at === undefined ? undefined : new Date(asText(payload.at));
  if (at !== undefined && Number.isNaN(at.getTime()))
    return { problem: '"at" should be a time such as 2026-11-20T20:05:01Z' };
  if (asText(payload.session) === '') return { problem: '"session" should name the session' };
  if (kind === 'tool' && (!isRecord(payload.call) || asText(payload.call.tool) === ''))
    return { problem: '"call" should be an object with the name of the tool in "tool"' };
  // What happened before is of a HEAD that nobody knows any more.
  const where = at === undefined ? readHead(checkout) : { at: at.toISOString() };
  const head = { host: transcript.name, event: kind, root: checkout.root, ...where };
  accept(layout.state, head, Buffer.from(JSON.stringify({ ...payload, cwd: asText(payload.cwd) || checkout.root })));
  return { kind };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // The caller says which line.
  }
}
