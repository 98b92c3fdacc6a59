import { patchedFiles } from '../../agents/apply-patch.ts';
import type { ToolCall } from '../../agents/event.ts';
import { blobId } from '../../memory/id.ts';
import { holdsAny } from './condition.ts';
import { type DottedPath, type Scope, valuesAt } from './dotted-path.ts';
import type { Mapping, Take } from './mapping.ts';

/** What a line says of a tool call; two lines about one call are put together. */
export interface ToolFacts {
  id: string;
  tool?: string;
  input?: unknown;
  response?: unknown;
  output?: string;
  paths?: string[];
  command?: string;
  description?: string;
  change?: { removed: string; added: string };
  after?: string;
  patch?: string;
  exitCode?: number;
  /** undefined where the line does not tell. */
  ok?: boolean;
}

/** How much of an output's beginning and end is searched for an exit code, in UTF-16 units. */
const EDGE = 400;

/** The text at the first of some paths that leads to one; several there are lines of it. Empty where none does. */
export function textAt(choice: DottedPath[] | undefined, scope: Scope): string {
  for (const path of choice ?? []) {
    const text = valuesAt(path, scope)
      .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
      .join('\n');
    if (text !== '') return text;
  }
  return '';
}

/** Reads what a rule takes of a tool call. */
export function factsAt(take: Take, scope: Scope): ToolFacts {
  const given = <Name extends string>(name: Name, choice: DottedPath[] | undefined) => {
    const text = textAt(choice, scope);
    return text === '' ? {} : { [name]: text };
  };
  const [removed, added] = [textAt(take.removed, scope), textAt(take.added, scope)];
  const tool = take.tool === undefined || Array.isArray(take.tool) ? textAt(take.tool, scope) : take.tool.is;
  const paths = (take.paths ?? []).flatMap((path) => valuesAt(path, scope)).filter((path) => typeof path === 'string');
  const exitCode = exitCodeAt(take, scope);
  const ok = outcome(take, scope, exitCode);
  return {
    id: textAt(take.id, scope),
    ...(tool !== '' && { tool }),
    ...(take.input && { input: valuesAt(take.input, scope)[0] }),
    ...(take.response && { response: valuesAt(take.response, scope)[0] }),
    ...given('output', take.output),
    ...(paths.length > 0 && { paths }),
    ...given('command', take.command),
    ...given('description', take.description),
    ...((removed !== '' || added !== '') && { change: { removed, added } }),
    ...given('after', take.after),
    ...given('patch', take.patch),
    ...(exitCode !== undefined && { exitCode }),
    ...(ok !== undefined && { ok }),
  };
}

/** The calls that some facts come to: a patch is as many as it changes files. */
export function callsOf(facts: ToolFacts, { tools }: Mapping): ToolCall[] {
  const { id, tool = '', paths = [], command, description, change, after, patch, exitCode, output = '' } = facts;
  const action = Object.hasOwn(tools, tool) ? (tools[tool] ?? 'other') : 'other';
  const call: ToolCall = {
    ...{ id, tool, action, paths, output },
    ...(command !== undefined && action === 'command' && { command }),
    ...(description !== undefined && { description }),
    ok: facts.ok,
    ...(exitCode !== undefined && { exitCode }),
    ...(change && (action === 'edit' || action === 'write') && { change }),
    ...(after !== undefined && paths.length === 1 && { blob: blobId(after) }),
  };
  const files = patch === undefined ? [] : patchedFiles(patch);
  if (files.length === 0) return [call];
  return files.map(({ kind, paths: changed, removed, added }, i) => ({
    ...call,
    id: i === 0 ? id : `${id}#${i}`,
    action: kind,
    paths: changed,
    change: { removed, added },
  }));
}

function outcome(take: Take, scope: Scope, exitCode: number | undefined): boolean | undefined {
  if (exitCode !== undefined) return exitCode === 0;
  if (take.failed && holdsAny(take.failed, scope)) return false;
  return take.passed && holdsAny(take.passed, scope) ? true : undefined;
}

function exitCodeAt({ exit_code: where }: Take, scope: Scope): number | undefined {
  if (where === undefined) return undefined;
  if (!('after' in where)) {
    const [value] = valuesAt(where, scope);
    return typeof value === 'number' ? value : undefined;
  }
  const text = textAt([where.in], scope);
  for (const edge of [text.slice(0, EDGE), text.slice(-EDGE)]) {
    const at = edge.indexOf(where.after);
    const digits = at < 0 ? undefined : /^\d{1,3}/.exec(edge.slice(at + where.after.length))?.[0];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}
