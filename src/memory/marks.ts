import type { Mark, Summary } from './record.ts';

/** The state of one record after all marks. */
export interface EffectiveState {
  superseded_by: string[];
  retired: boolean;
  redacted: boolean;
  pinned: boolean;
  verified: boolean;
  /** The ids of the active marks that verify it. */
  verified_by: string[];
  /** One of several active records that replace the same record differently, or each other. */
  disputed: boolean;
}

/** The state of every record that a mark or a `supersedes` names. */
export interface EffectiveStates {
  of(id: string): EffectiveState;
}

/** What a record says about others: the part of a record that states are computed from. */
export type Statement =
  | Pick<Mark, 'kind' | 'id' | 'type' | 'targets' | 'by'>
  | (Pick<Summary, 'id' | 'supersedes'> & { kind: 'observation' | 'summary' })
  | { kind: 'prompt'; id: string };

type MarkStatement = Extract<Statement, { kind: 'mark' }>;

/**
 * Folds marks and `supersedes` into states. It is a fold over a set: neither order nor clock matters, so every merge
 * order gives the same memory. An `undo` removes the marks that it names, and all marks on a record that it names; an
 * undo cannot be undone.
 *
 * Active records that replace one record differently are disputed, until one record replaces them all, or one of them
 * replaces the others.
 *
 * A record is superseded if anything supersedes it, even a record that is superseded, retired or redacted itself: if
 * the newer record no longer counts, that does not make the older one true again. An `undo` of the supersede mark
 * restores the old record. If the newer record itself names it in `supersedes`, a mark by which the old record
 * supersedes the newer one restores it, once the newer one is retired.
 *
 * Records that supersede each other in a circle, as two branches can produce, would all disappear silently. So their
 * statements about each other do not count: each is live, and disputed as long as another one of them is live, or a
 * record from outside that supersedes one of them. A record that names them all ends the dispute.
 */
export function foldMarks(records: Iterable<Statement>): EffectiveStates {
  const marks: MarkStatement[] = [];
  const replacements = new Map<string, Set<string>>();
  for (const record of records) {
    if (record.kind === 'mark') marks.push(record);
    else if (record.kind !== 'prompt') for (const old of record.supersedes) add(replacements, old, record.id);
  }
  const marked = new Map<string, Set<string>>();
  const verifying = new Map<string, Set<string>>();
  for (const mark of activeMarks(marks)) {
    for (const target of mark.targets) {
      add(marked, mark.type, target);
      if (mark.type === 'verify') add(verifying, target, mark.id);
      if (mark.type === 'supersede' && mark.by !== undefined) add(replacements, target, mark.by);
    }
  }
  const circles = breakCircles(replacements);
  const isMarked = (type: string, id: string) => marked.get(type)?.has(id) ?? false;
  const isActive = (id: string) => !replacements.has(id) && !isMarked('retire', id) && !isMarked('redact', id);
  const headsOf = liveHeads(replacements, isActive);
  const disputed = new Set<string>();
  for (const parties of [...replacements.values(), ...circles]) {
    const heads = parties.size > 1 ? headsOf(parties) : new Set<string>();
    if (heads.size > 1) for (const head of heads) disputed.add(head);
  }
  return {
    of: (id) => ({
      superseded_by: [...(replacements.get(id) ?? [])].sort(),
      retired: isMarked('retire', id),
      redacted: isMarked('redact', id),
      pinned: isMarked('pin', id),
      verified: isMarked('verify', id),
      verified_by: [...(verifying.get(id) ?? [])].sort(),
      disputed: disputed.has(id),
    }),
  };
}

/** The marks that no `undo` removes, without the undos themselves; each with the targets on which it is active. */
export function activeMarks<M extends MarkStatement>(marks: M[]): M[] {
  const undone = new Set(marks.filter(({ type }) => type === 'undo').flatMap(({ targets }) => targets));
  return marks
    .filter(({ type, id }) => type !== 'undo' && !undone.has(id))
    .map((mark) => ({ ...mark, targets: mark.targets.filter((target) => !undone.has(target)) }))
    .filter(({ targets }) => targets.length > 0);
}

/** Whether a record is no longer part of the effective memory: superseded, retired or redacted. */
export function isHidden(state: EffectiveState): boolean {
  return state.superseded_by.length > 0 || state.retired || state.redacted;
}

/** Removes what records in a circle say about each other; returns each circle with the outsiders that replace its records. */
function breakCircles(replacements: Map<string, Set<string>>): Set<string>[] {
  return cyclesOf(replacements).map((circle) => {
    const parties = new Set(circle);
    for (const member of circle) {
      const others = [...(replacements.get(member) ?? [])].filter((head) => !circle.has(head));
      for (const head of others) parties.add(head);
      if (others.length > 0) replacements.set(member, new Set(others));
      else replacements.delete(member);
    }
    return parties;
  });
}

/**
 * What finally replaces records: the live ones at the ends of all chains of replacements. Two branches that each
 * replace their own answer still disagree. `replacements` must not contain a circle.
 */
function liveHeads(
  replacements: Map<string, Set<string>>,
  isActive: (id: string) => boolean,
): (ids: Iterable<string>) => Set<string> {
  const known = new Map<string, Set<string>>();
  const together = (ids: Iterable<string>) => new Set([...ids].flatMap((id) => [...(known.get(id) ?? [])]));
  return (ids) => {
    // No recursion: chains get longer with the memory's age.
    const open = [...ids];
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      const next = replacements.get(id) ?? [];
      const unknown = known.has(id) ? [] : [...next].filter((head) => !known.has(head));
      if (unknown.length > 0) open.push(...unknown);
      else {
        if (!known.has(id)) known.set(id, replacements.has(id) ? together(next) : new Set(isActive(id) ? [id] : []));
        open.pop();
      }
    }
    return together(ids);
  };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

/** Edges of a directed graph: from each node to its successors. */
type Edges = Map<string, Set<string>>;

/**
 * The sets of nodes that all lead to each other. A single node is one only if it leads to itself. The result does not
 * depend on the order of the edges. Linear, by Tarjan's algorithm (https://doi.org/10.1137/0201010).
 */
function cyclesOf(edges: Edges): Set<string>[] {
  const cycles: Set<string>[] = [];
  /** When each node was met, and the earliest node on the stack that it leads back to. */
  const met = new Map<string, number>();
  const earliest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  for (const start of edges.keys()) {
    // No recursion: chains get longer with the memory's age.
    const path = met.has(start) ? [] : [enter(start)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.rest.next();
      if (next.done) {
        path.pop();
        leave(step.node, path.at(-1)?.node);
      } else if (!met.has(next.value)) path.push(enter(next.value));
      else if (onStack.has(next.value)) leadsBack(step.node, met.get(next.value));
    }
  }
  return cycles;

  function enter(node: string) {
    earliest.set(node, met.size);
    met.set(node, met.size);
    stack.push(node);
    onStack.add(node);
    return { node, rest: (edges.get(node) ?? new Set()).values() };
  }

  function leadsBack(node: string, to = Number.POSITIVE_INFINITY): void {
    earliest.set(node, Math.min(earliest.get(node) ?? to, to));
  }

  function leave(node: string, before: string | undefined): void {
    if (before !== undefined) leadsBack(before, earliest.get(node));
    if (earliest.get(node) !== met.get(node)) return;
    const cycle = new Set(stack.splice(stack.lastIndexOf(node)));
    for (const member of cycle) onStack.delete(member);
    if (cycle.size > 1 || edges.get(node)?.has(node)) cycles.push(cycle);
  }
}
