/** What was done to a file, or is planned. */
interface Step {
  path: string;
  action: keyof typeof PLANNED;
  note?: string | undefined;
}

const PLANNED = {
  created: 'create',
  updated: 'update',
  removed: 'remove',
  restored: 'restore',
  kept: 'keep',
  unchanged: 'unchanged',
} as const;

/** A line for each file: `created    .mcp.json`, or `create     .mcp.json` of a plan. */
export function fileLines(steps: readonly Step[], { isPlan = false } = {}): string[] {
  return steps.map(({ path, action, note }) => {
    const word = isPlan ? PLANNED[action] : action;
    return `${word.padEnd('unchanged'.length)}  ${path}${note ? `  (${note})` : ''}`;
  });
}
