import * as z from 'zod/mini';
import { append, badSettings, member, type Node, parseObject, removeNode, replaceNode } from './json-edit.ts';

/** A hook or a group of hooks: hosts differ in which of them an event contains. */
const groupSchema = z.record(z.string(), z.unknown());
const templateSchema = z.object({ hooks: z.record(z.string(), z.array(groupSchema)) });

/** The hook entries of a template, one per event. */
export type HookEntries = z.infer<typeof templateSchema>['hooks'];

/** Whole commands of this version and of older ones; a line that does more than call the launcher is the user's. */
const OURS =
  /^(?:h="[^"]*\.memory\/hook"; \[ ! -f "\$h" \] \|\| )?sh (?:"[^"]*\.memory\/hook"|"\$h"|[^\s;&|]*\.memory\/hook)(?: [\w-]+)*(?: 2>\/dev\/null)?(?: \|\| (?:true|:))?$/;

export function parseEntries(template: string): HookEntries {
  return templateSchema.parse(JSON.parse(template)).hooks;
}

/** Adds, updates and removes our entries; all other bytes stay. Throws bad-settings for a form that no host reads. */
export function addHooks(settings: string, entries: HookEntries, path: string): string {
  let text = removeWhere(settings, path, (found, all) => !(found.event in entries) || isRepeated(found, all));
  for (const [event, groups] of Object.entries(entries)) {
    const mine = ours(text, path).find((found) => found.event === event);
    const wanted = wantedIn(groups);
    if (mine === undefined) text = addEvent(text, event, groups, path);
    else if (!isCurrent(mine.entry, wanted)) {
      text = replaceNode(text, mine.entry, {
        ...wanted,
        ...(isRaised(mine.entry, wanted) && { timeout: timeoutOf(mine.entry) }),
      });
    }
  }
  return text;
}

/** Settings without our entries and without the containers that become empty; the same text if there are none. */
export function removeHooks(settings: string, path: string): string {
  return settings.trim() === '' ? settings : removeWhere(settings, path, () => true);
}

/** The events for which our entry is missing or outdated. */
export function missingEvents(settings: string, entries: HookEntries, path: string): string[] {
  const found = settings.trim() === '' ? [] : ours(settings, path);
  return Object.entries(entries)
    .filter(([event, groups]) => !found.some((one) => one.event === event && isCurrent(one.entry, wantedIn(groups))))
    .map(([event]) => event);
}

interface Found {
  event: string;
  /** One `{command, …}`. */
  entry: Node;
}

function ours(text: string, path: string): Found[] {
  const hooks = member(parseObject(text, path), 'hooks');
  const found: Found[] = [];
  for (const event of childrenOf(hooks, 'object')) {
    const [key, groups] = event.children ?? [];
    for (const group of childrenOf(groups, 'array')) {
      const entries = member(group, 'hooks') === undefined ? [group] : childrenOf(member(group, 'hooks'), 'array');
      for (const entry of entries) {
        const command: unknown = member(entry, 'command')?.value;
        if (typeof command === 'string' && OURS.test(command)) found.push({ event: String(key?.value), entry });
      }
    }
  }
  return found;
}

/** The hook in a template's entry for an event. */
function wantedIn([group = {}]: HookEntries[string]): Record<string, unknown> {
  const { data } = z.array(groupSchema).safeParse(group.hooks);
  return data?.[0] ?? group;
}

function childrenOf(node: Node | undefined, type: 'object' | 'array'): Node[] {
  return node?.type === type ? (node.children ?? []) : [];
}

function isRepeated({ event, entry }: Found, all: Found[]): boolean {
  return all.find((one) => one.event === event)?.entry !== entry;
}

/** Keys that somebody added to our entry are theirs, as is a timeout that they raised; others must have our values. */
function isCurrent(entry: Node, wanted: Record<string, unknown>): boolean {
  const isOurs = ([key, value]: [string, unknown]) =>
    member(entry, key)?.value === value || (key === 'timeout' && isRaised(entry, wanted));
  return Object.entries(wanted).every(isOurs);
}

function isRaised(entry: Node, { timeout }: Record<string, unknown>): boolean {
  return typeof timeout === 'number' && Number(timeoutOf(entry)) > timeout;
}

function timeoutOf(entry: Node): unknown {
  return member(entry, 'timeout')?.value;
}

function addEvent(text: string, event: string, groups: HookEntries[string], path: string): string {
  const root = parseObject(text, path);
  const hooks = member(root, 'hooks');
  if (hooks === undefined) return append(text, root, { [event]: groups }, 'hooks');
  if (hooks.type !== 'object')
    throw badSettings(`${path}: "hooks" is not an object.`, 'Expected "hooks": { "Stop": [...] }.');
  const list = member(hooks, event);
  if (list === undefined) return append(text, hooks, groups, event);
  if (list.type !== 'array') {
    throw badSettings(`${path}: "hooks.${event}" is not an array.`, `Expected "${event}": [{"hooks": [...]}].`);
  }
  return append(text, list, groups[0]);
}

function removeWhere(settings: string, path: string, isUnwanted: (found: Found, all: Found[]) => boolean): string {
  let text = settings;
  for (;;) {
    const all = ours(text, path);
    const next = all.find((found) => isUnwanted(found, all));
    if (next === undefined) return text;
    text = removeNode(text, outermost(next.entry));
  }
}

/** The entry itself, or the group, event or `hooks` that would be empty without it. */
function outermost(entry: Node): Node {
  let node = entry;
  while (node.parent?.parent) {
    const container = node.parent;
    // A key is removed with its value; an object or array is removed if this was all of it (a group: all its hooks).
    const isAll =
      container.type === 'property' || container.children?.length === 1 || node.children?.[0]?.value === 'hooks';
    if (!isAll) break;
    node = container;
  }
  return node;
}
