/** Edges of a directed graph: from each node to its successors. */
export type Edges = Map<string, Set<string>>;

/**
 * The sets of nodes that all lead to each other. A single node is one only if it leads to itself. The result does not
 * depend on the order of the edges. Linear, by the algorithm of Tarjan (https://doi.org/10.1137/0201010).
 */
export function cyclesOf(edges: Edges): Set<string>[] {
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
