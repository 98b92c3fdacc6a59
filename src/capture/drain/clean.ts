import type { Config } from '../../config.ts';
import { elide } from '../../memory/clamp.ts';
import { matchesGlob } from '../../memory/glob.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { redactAll } from '../../privacy/redact.ts';
import { createRedactor } from '../../privacy/secrets.ts';
import { stripPrivate } from '../../privacy/tags.ts';
import { replacePattern } from '../../privacy/team-pattern.ts';
import type { AgentEvent } from '../agents/event.ts';

/** Longest text that is passed on, in UTF-16 units, twice what a turn keeps; a longer one loses its middle. */
const KEPT = 24_000;

/** Results for texts up to this length are cached, at most this many (some 20 MB): names, words and ids recur. */
const RECURRING = 300;
const MOST_RECURRING = 20_000;

/** Removes private text and secrets from texts. One cleaner per drain: a secret found once is known everywhere. */
export interface Cleaner {
  /** Learns the secrets of these events before any of them is cleaned, so that their order does not matter. */
  learn(events: AgentEvent[]): void;
  event(event: AgentEvent): Promise<AgentEvent>;
  text(text: string): Promise<string>;
  /** Names, such as paths and branches, without those that hold a secret: redacted, they would name nothing. */
  names(names: readonly string[]): Promise<string[]>;
}

/** Leaves what is already redacted as it is. */
function withoutPattern(text: string, pattern: string): string {
  const pieces = text.split(/(\[redacted:[\w-]+\])/);
  return pieces.map((one, i) => (i % 2 === 1 ? one : replacePattern(one, pattern, '[redacted:team-pattern]'))).join('');
}

/** `patterns` are the team's own (`privacy.redact`): literal text in which `*` stands for a run without white space. */
export function createCleaner(patterns: Config['privacy']['redact'], kept = KEPT): Cleaner {
  const redactor = createRedactor();
  const own = patterns.filter(Boolean);

  const recurring = new Map<string, string>();
  let knownThen = 0;

  async function text(raw: string): Promise<string> {
    if (raw === '' || raw.length > RECURRING) return cleaned(raw);
    // A cached result holds until a new secret is known, because the text may contain it.
    const known = redactor.known();
    if (known !== knownThen || recurring.size >= MOST_RECURRING) recurring.clear();
    knownThen = known;
    const before = recurring.get(raw);
    if (before !== undefined) return before;
    const result = await cleaned(raw);
    if (redactor.known() === known) recurring.set(raw, result);
    return result;
  }

  async function cleaned(raw: string): Promise<string> {
    if (raw === '') return raw;
    // Before anything is cut: a private block must not lose its beginning.
    const stripped = elide(stripPrivate(raw), MAX_SCANNED_TEXT);
    const redacted = await redactAll(stripped, redactor);
    const clean = own.reduce(withoutPattern, redacted);
    return elide(clean, kept);
  }

  async function names(given: readonly string[]): Promise<string[]> {
    const cleaned = await Promise.all(given.map(text));
    return given.filter((name, i) => cleaned[i] === name);
  }

  async function event(raw: AgentEvent): Promise<AgentEvent> {
    switch (raw.kind) {
      case 'prompt':
      case 'report':
      case 'turn-end':
        return { ...raw, text: await text(raw.text) };
      case 'compaction':
        return { ...raw, summary: await text(raw.summary) };
      case 'tool': {
        const { call } = raw;
        const { command, description, change } = call;
        return {
          ...raw,
          call: {
            ...call,
            paths: await names(call.paths),
            output: await text(call.output),
            ...(command !== undefined && { command: await text(command) }),
            ...(description !== undefined && { description: await text(description) }),
            ...(change && { change: { removed: await text(change.removed), added: await text(change.added) } }),
          },
        };
      }
      default:
        return raw;
    }
  }

  return {
    learn: (events) => redactor.prime(events.flatMap(textsOf).map((raw) => elide(raw, MAX_SCANNED_TEXT))),
    event,
    text,
    names,
  };
}

function textsOf(event: AgentEvent): string[] {
  switch (event.kind) {
    case 'prompt':
    case 'report':
    case 'turn-end':
      return [event.text];
    case 'compaction':
      return [event.summary];
    case 'tool': {
      const { output, command = '', description = '', change } = event.call;
      return [output, command, description, change?.removed ?? '', change?.added ?? ''].filter(Boolean);
    }
    default:
      return [];
  }
}

/** Tells whether an event may be remembered: `capture.skip_tools` and `capture.ignore_paths` say what may not. */
export function isWanted(event: AgentEvent, { capture }: Config): boolean {
  if (event.kind !== 'tool') return true;
  const { tool, paths } = event.call;
  if (capture.skip_tools.some((pattern) => matchesGlob(pattern, tool))) return false;
  const ignored = (path: string) => capture.ignore_paths.some((pattern) => matchesPath(pattern, path));
  return paths.length === 0 || !paths.every(ignored);
}

/**
 * A glob against the end of a path: `secrets/**` matches `/home/u/repo/secrets/a.txt` and `secrets/a.txt`, and so does
 * `secrets/`.
 */
function matchesPath(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return matchesGlob(`**/${whole}`, path.replaceAll('\\', '/'));
}
