/** Edges of a directed graph: from each node to its successors. */
export type Edges = Map<string, Set<string>>;

/**
 * The sets of nodes that all lead to each other. A single node is one only if it leads to itself. The result does not
 * depend on the order of the edges. Linear if there is no cycle, which is nearly always the case.
 */
export function cyclesOf(edges: Edges): Set<string>[] {
  const rest = withoutLooseEnds(edges);
  const back = reversed(rest);
  const cycles: Set<string>[] = [];
  const done = new Set<string>();
  for (const node of rest.keys()) {
    if (done.has(node)) continue;
    const forth = reachable(rest, node);
    // Empty if the node is only between two cycles: it reaches neither itself nor what leads to it.
    const cycle = new Set([...reachable(back, node)].filter((other) => forth.has(other)));
    for (const member of cycle) done.add(member);
    if (cycle.size > 0) cycles.push(cycle);
  }
  return cycles;
}

/** The edges left after repeatedly removing nodes that nothing leads to, or that lead nowhere. */
function withoutLooseEnds(edges: Edges): Edges {
  return reversed(withoutDeadEnds(reversed(withoutDeadEnds(edges))));
}

/** Without the nodes from which every path ends, and without the edges to them. */
function withoutDeadEnds(edges: Edges): Edges {
  const back = reversed(edges);
  const open = new Map([...edges].map(([node, successors]) => [node, successors.size]));
  const dead = [...back.keys()].filter((node) => !open.has(node));
  const gone = new Set(dead);
  for (let node = dead.pop(); node !== undefined; node = dead.pop()) {
    for (const before of back.get(node) ?? []) {
      const left = (open.get(before) ?? 0) - 1;
      open.set(before, left);
      if (left > 0 || gone.has(before)) continue;
      gone.add(before);
      dead.push(before);
    }
  }
  return new Map(
    [...edges]
      .filter(([node]) => !gone.has(node))
      .map(([node, successors]) => [node, new Set([...successors].filter((next) => !gone.has(next)))]),
  );
}

function reversed(edges: Edges): Edges {
  const back: Edges = new Map();
  for (const [node, successors] of edges) {
    for (const next of successors) {
      const before = back.get(next);
      if (before) before.add(node);
      else back.set(next, new Set([node]));
    }
  }
  return back;
}

/** The nodes that one or more steps lead to. */
function reachable(edges: Edges, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of edges.get(node) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
