import { type Commands, run } from './run.ts';

const lifecycle = () => import('./commands/lifecycle.ts');

/** Every command, in the order of the help. */
export const COMMANDS: Commands = {
  init: () => import('./commands/init.ts'),
  uninstall: () => import('./commands/uninstall.ts'),
  doctor: () => import('./commands/doctor.ts'),
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  search: () => import('./commands/search.ts'),
  timeline: () => import('./commands/timeline.ts'),
  sessions: () => import('./commands/sessions.ts'),
  show: () => import('./commands/show.ts'),
  add: () => import('./commands/add.ts'),
  supersede: lifecycle,
  retire: lifecycle,
  pin: lifecycle,
  verify: lifecycle,
  redact: () => import('./commands/redact.ts'),
  undo: lifecycle,
  inbox: () => import('./commands/inbox.ts'),
  promote: () => import('./commands/promote.ts'),
  trust: () => import('./commands/trust.ts'),
  scrub: () => import('./commands/scrub.ts'),
  context: () => import('./commands/context.ts'),
  diff: () => import('./commands/diff.ts'),
  digest: () => import('./commands/digest.ts'),
  distil: () => import('./commands/distil.ts'),
  check: () => import('./commands/check.ts'),
  blame: () => import('./commands/blame.ts'),
  why: () => import('./commands/why.ts'),
  salvage: () => import('./commands/salvage.ts'),
  trailers: () => import('./commands/trailers.ts'),
  drain: () => import('./commands/drain.ts'),
  sync: () => import('./commands/sync.ts'),
  watch: () => import('./commands/watch.ts'),
  capture: () => import('./commands/capture.ts'),
  import: () => import('./commands/import.ts'),
  export: () => import('./commands/export.ts'),
  ui: () => import('./commands/ui.ts'),
  site: () => import('./commands/site.ts'),
  mcp: () => import('./commands/mcp.ts'),
  rpc: () => import('./commands/rpc.ts'),
  statusline: () => import('./commands/statusline.ts'),
  plugin: () => import('./commands/plugin.ts'),
  bootstrap: () => import('./commands/bootstrap.ts'),
  dedupe: () => import('./commands/dedupe.ts'),
  tidy: () => import('./commands/tidy.ts'),
  pack: () => import('./commands/pack.ts'),
  stats: () => import('./commands/stats.ts'),
  links: () => import('./commands/links.ts'),
  repositories: () => import('./commands/repositories.ts'),
  personal: () => import('./commands/personal.ts'),
  private: () => import('./commands/private.ts'),
  where: () => import('./commands/where.ts'),
  hub: () => import('./commands/hub.ts'),
  config: () => import('./commands/config.ts'),
  demo: () => import('./commands/demo.ts'),
  completion: () => import('./commands/completion.ts'),
  'pre-commit': () => import('./commands/pre-commit.ts'),
};

/** The server, which is built from the same parts as the commands. */
export const mcp = () => import('../mcp/server.ts');

/** Runs the command line; returns the exit code. */
export function main(args: string[], process: NodeJS.Process): Promise<number> {
  return run(args, process, COMMANDS);
}
