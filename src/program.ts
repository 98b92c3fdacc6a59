import { type Commands, run } from './surfaces/cli/run.ts';

const lifecycle = () => import('./surfaces/cli/commands/lifecycle.ts');
const ownStores = () => import('./surfaces/cli/commands/personal.ts');

// The hub is registered here and nowhere else: no other file outside `hub/` imports it.

/** Every command, in the order of the help. */
export const COMMANDS: Commands = {
  init: () => import('./surfaces/cli/commands/init.ts'),
  demo: () => import('./surfaces/cli/commands/demo.ts'),
  bootstrap: () => import('./surfaces/cli/commands/bootstrap.ts'),
  doctor: () => import('./surfaces/cli/commands/doctor.ts'),
  status: () => import('./surfaces/cli/commands/status.ts'),
  config: () => import('./surfaces/cli/commands/config.ts'),
  uninstall: () => import('./surfaces/cli/commands/uninstall.ts'),
  list: () => import('./surfaces/cli/commands/list.ts'),
  search: () => import('./surfaces/cli/commands/search.ts'),
  show: () => import('./surfaces/cli/commands/show.ts'),
  why: () => import('./surfaces/cli/commands/why.ts'),
  sessions: () => import('./surfaces/cli/commands/sessions.ts'),
  context: () => import('./surfaces/cli/commands/context.ts'),
  ui: () => import('./surfaces/cli/commands/ui.ts'),
  timeline: () => import('./surfaces/cli/commands/timeline.ts'),
  stats: () => import('./surfaces/cli/commands/stats.ts'),
  add: () => import('./surfaces/cli/commands/add.ts'),
  edit: () => import('./surfaces/cli/commands/edit.ts'),
  supersede: lifecycle,
  retire: lifecycle,
  pin: lifecycle,
  redact: lifecycle,
  verify: lifecycle,
  undo: lifecycle,
  promote: () => import('./surfaces/cli/commands/promote.ts'),
  inbox: () => import('./surfaces/cli/commands/inbox.ts'),
  diff: () => import('./surfaces/cli/commands/diff.ts'),
  check: () => import('./surfaces/cli/commands/check.ts'),
  trust: () => import('./surfaces/cli/commands/trust.ts'),
  personal: ownStores,
  private: ownStores,
  import: () => import('./surfaces/cli/commands/import.ts'),
  export: () => import('./surfaces/cli/commands/export.ts'),
  site: () => import('./surfaces/cli/commands/site.ts'),
  tidy: () => import('./surfaces/cli/commands/tidy.ts'),
  salvage: () => import('./surfaces/cli/commands/salvage.ts'),
  scrub: () => import('./surfaces/cli/commands/scrub.ts'),
  sync: () => import('./surfaces/cli/commands/sync.ts'),
  drain: () => import('./surfaces/cli/commands/drain.ts'),
  capture: () => import('./surfaces/cli/commands/capture.ts'),
  mcp: () => import('./surfaces/cli/commands/mcp.ts'),
  plugin: () => import('./surfaces/cli/commands/plugin.ts'),
  completion: () => import('./surfaces/cli/commands/completion.ts'),
  'pre-commit': async () => ({ register: (await import('./surfaces/cli/commands/check.ts')).preCommit }),
  hub: () => import('./hub/commands/hub.ts'),
};

/** Runs the command line; returns the exit code. */
export function main(args: string[], process: NodeJS.Process): Promise<number> {
  return run(args, process, COMMANDS, async (...asked) => {
    await (await import('./hub/commands/search.ts')).answerFromHub(...asked);
  });
}
