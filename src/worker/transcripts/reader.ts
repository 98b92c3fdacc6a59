import { claudeCode } from '../../agents/claude-code.ts';
import type { AgentEvent } from '../../agents/event.ts';
import { blobId } from '../../memory/id.ts';
import { holdAll, holdsAny } from './condition.ts';
import { copiedHistory } from './copied-history.ts';
import { type Scope, valuesAt } from './dotted-path.ts';
import type { Mapping, Rule, Take } from './mapping.ts';
import { callsOf, factsAt, type ToolFacts, textAt } from './tool-facts.ts';

/** An event that a log told of. */
export interface Heard {
  /** ISO 8601, UTC. */
  at: string;
  branch: string;
  event: AgentEvent;
}

/** Reads the lines of one log, in order. */
export interface Reader {
  /** The events that a line tells of; undefined where it is not JSON, or tells of something and not when. */
  read(text: string): Heard[] | undefined;
  /** Ends a turn whose last reply was not followed by anything. */
  endTurn(): Heard[];
  /** Whether a reply waits for what follows it. */
  readonly isReplying: boolean;
  /** Where the log says that its session is at; empty as long as it does not. */
  readonly cwd: string;
  /** What it says that its repository is, where the mapping knows it by a hash; empty as long as it does not. */
  readonly hash: string;
}

/** What lines said that holds for those after them too. */
type Context = Record<'session' | 'cwd' | 'branch' | 'turn', string>;
type Word = keyof Context;
const WORDS: readonly Word[] = ['session', 'cwd', 'branch', 'turn'];

/** Calls that wait for their result at most: what was interrupted never gets one. */
const MOST_OPEN = 200;

/** An event before it is told whose it is. */
type Told = { kind: Exclude<Rule['kind'], 'context' | 'call' | 'result' | 'tool' | 'reply'>; text: string; take: Take };

/** A reader of the logs of one mapping. */
export function createReader(mapping: Mapping): Reader {
  const context: Context = { session: '', cwd: '', branch: '', turn: '' };
  const open = new Map<string, ToolFacts>();
  const history = copiedHistory(mapping);
  let hash = '';
  let reply: { text: string; at: string; identity: string } | undefined;

  function read(text: string): Heard[] | undefined {
    const line = parsed(text);
    if (line === undefined) return undefined;
    if (mapping.belongs.by === 'sha256') hash ||= textAt([mapping.belongs.path], { line });
    if (mapping.ignore && holdsAny(mapping.ignore, { line })) return [];
    if (history.holds(line)) return [];
    const heard: Heard[] = [];
    for (const [i, rule] of mapping.rules.entries())
      for (const [j, scope] of scopesOf(rule, line).entries()) {
        if (rule.when && !holdAll(rule.when, scope)) continue;
        if (rule.unless && holdsAny(rule.unless, scope)) continue;
        const at = timeAt(rule.take.time ?? mapping.take.time, scope);
        const own = textAt(rule.take.id ?? mapping.take.id, scope);
        const events = follow(rule, scope, at ?? '', own || `${blobId(text).slice(0, 16)} ${i} ${j}`);
        if (events.length > 0 && at === undefined) return undefined;
        heard.push(...events);
      }
    return heard;
  }

  function follow(rule: Rule, scope: Scope, at: string, identity: string): Heard[] {
    const { kind, take } = rule;
    const text = textAt(take.text, scope);
    if (kind === 'prompt' && text.trim() === '') return [];
    // The turn before ends before the next one gives its name.
    const before = kind === 'prompt' || kind === 'session-end' ? endTurn() : [];
    for (const word of WORDS) context[word] = textAt(take[word] ?? mapping.take[word], scope) || context[word];
    switch (kind) {
      case 'context':
        return [];
      case 'reply':
        if (text.trim() !== '' && at !== '') reply = { text, at, identity };
        return [];
      case 'call':
        // What was said before a call was not the last word.
        reply = undefined;
        begin(factsAt(take, scope));
        return [];
      case 'result': {
        const facts = factsAt(take, scope);
        const begun = open.get(facts.id);
        open.delete(facts.id);
        return begun === undefined ? [] : finished({ ...begun, ...facts }, at);
      }
      case 'tool': {
        const facts = factsAt(take, scope);
        open.delete(facts.id);
        return finished({ ...facts, id: facts.id || identity }, at);
      }
      default:
        if (kind === 'turn-end') reply = undefined;
        return [...before, ...tell({ kind, text, take }, at, identity)];
    }
  }

  function begin(facts: ToolFacts): void {
    const [oldest] = open.keys();
    if (open.size >= MOST_OPEN && oldest !== undefined) open.delete(oldest);
    open.set(facts.id, facts);
  }

  function finished(facts: ToolFacts, at: string): Heard[] {
    if (mapping.like !== undefined) return asHook(...hookCall(facts), at, facts.id);
    return callsOf(facts, mapping).map((call) => named({ kind: 'tool', call }, at, call.id));
  }

  function endTurn(): Heard[] {
    const last = reply;
    reply = undefined;
    return last === undefined ? [] : tell({ kind: 'turn-end', text: last.text, take: {} }, last.at, last.identity);
  }

  function tell({ kind, text, take }: Told, at: string, identity: string): Heard[] {
    switch (kind) {
      case 'prompt':
        if (mapping.like !== undefined) return asHook('UserPromptSubmit', { prompt: text }, at, identity);
        return [named({ kind, text, from: take.from ?? 'user' }, at, identity)];
      case 'turn-end':
        if (mapping.like !== undefined) return asHook('Stop', { last_assistant_message: text }, at, identity);
        return [named({ kind, text }, at, identity)];
      case 'session-start':
        return [named({ kind, source: text || 'startup' }, at, identity)];
      case 'session-end':
        return [named({ kind, reason: text }, at, identity)];
      case 'compaction':
        return [named({ kind, summary: text }, at, identity)];
      default:
        return kind satisfies never;
    }
  }

  /** What the host's own hook would have reported. */
  function asHook(event: string, payload: Record<string, unknown>, at: string, identity: string): Heard[] {
    const { session, cwd, branch, turn } = context;
    const common = { session_id: session, cwd, ...(turn && { prompt_id: turn }) };
    return claudeCode
      .toEvents(event, { ...common, ...payload })
      .map((one) => ({ at, branch, event: { ...one, key: one.key ?? `${one.kind} ${identity}` } }));
  }

  function named(event: Kinds, at: string, identity: string): Heard {
    const { session, cwd, branch, turn } = context;
    return { at, branch, event: { session, cwd, ...(turn && { turn }), key: `${event.kind} ${identity}`, ...event } };
  }

  return {
    read: (text) => read(text)?.filter(({ event }) => event.session !== ''),
    endTurn,
    get isReplying() {
      return reply !== undefined;
    },
    get cwd() {
      return context.cwd;
    },
    get hash() {
      return hash;
    },
  };
}

/** An event without whose it is. */
type Kinds = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'session' | 'turn' | 'key' | 'agent' | 'cwd'>
    : never
  : never;

function hookCall({ id, tool, input, response, output, ok }: ToolFacts): [string, Record<string, unknown>] {
  const payload = { tool_name: tool, tool_input: input, tool_use_id: id };
  if (ok === false) return ['PostToolUseFailure', { ...payload, error: output || 'failed' }];
  return ['PostToolUse', { ...payload, tool_response: response ?? output }];
}

function scopesOf({ each }: Rule, line: unknown): Scope[] {
  if (each === undefined) return [{ line }];
  return valuesAt(each, { line })
    .flat()
    .map((element) => ({ line, element }));
}

/** A time as hosts write it: ISO 8601, or seconds or milliseconds since 1970. */
function timeAt(choice: Take['time'], scope: Scope): string | undefined {
  for (const value of (choice ?? []).flatMap((path) => valuesAt(path, scope))) {
    const ms = typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : Date.parse(String(value));
    const date = new Date(ms);
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller counts it.
  }
}
