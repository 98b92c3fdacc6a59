import type { Context, Flags } from './command.ts';
import { shown } from './print.ts';

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

/** What was done to each file, for programs. */
export function fileViews(steps: readonly Step[]) {
  return steps.map(({ path, action, note }) => ({ path, action, ...(note && { note }) }));
}

/** A line for each file: `created    .mcp.json`, or `create     .mcp.json` for a plan. */
export function fileLines(steps: readonly Step[], { isPlan = false } = {}): string[] {
  return steps.map(({ path, action, note }) => {
    const word = isPlan ? PLANNED[action] : action;
    return `${word.padEnd('unchanged'.length)}  ${path}${note ? `  (${note})` : ''}`;
  });
}

/** What is left to do, as lines after an empty one; empty if there is nothing. */
export function numbered(steps: string[]): string {
  return steps.length === 0 ? '' : `\nNext:\n${steps.map((step, i) => `  ${i + 1}. ${shown(step)}\n`).join('')}`;
}

/** Tells whether a command that writes files asks first: on a terminal, unless the options say otherwise. */
export function isAsking({ yes, dryRun, json }: Flags<'yes' | 'dryRun' | 'json'>, { stdin, stderr }: Context): boolean {
  return !yes && !dryRun && !json && stdin.isTTY === true && stderr.isTTY === true;
}
