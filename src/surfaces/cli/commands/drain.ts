import { setTimeout as sleep } from 'node:timers/promises';
import { backlog } from '../../../capture/drain/backlog.ts';
import type { DrainReport } from '../../../capture/drain/drain-options.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { interruption } from '../interruption.ts';
import { printJson } from '../print.ts';

/** How long `--wait` waits for another drain to end, in milliseconds. */
const PATIENCE_MS = 120_000;

export function register(program: Command, context: Context): void {
  program
    .command('drain')
    .description('turn the captured events into records')
    .option('--wait', 'try at once regardless of the backoff, and wait for a drain that is running')
    .option('--all', 'take incomplete turns too, and close open sessions')
    .option('--json', 'print JSON')
    .notes(`
Hooks start this by themselves at the end of turns and sessions.

Examples:
  git mem drain --wait      process what waits, now
  git mem drain --all       also the turn that is still going on`)
    .action(async (options: { wait?: boolean; all?: boolean; json?: boolean }) => {
      const project = context.project();
      const { signal, release } = interruption();
      const talk = context.stderr.isTTY === true && !options.json;
      const run = () =>
        project.drain({
          all: options.all === true,
          now: options.wait === true || options.all === true,
          signal,
          onWritten: (id, path) => {
            if (talk) context.stderr.write(`${id}  ${path}\n`);
          },
        });
      let report: DrainReport | undefined;
      try {
        report = await run();
        for (let waited = 0; report === undefined && options.wait && waited < PATIENCE_MS; waited += 200) {
          await sleep(200);
          report = await run();
        }
      } finally {
        release();
      }
      if (report === undefined) {
        const counts = backlog(project.workspace.layout);
        if (options.json) printJson(context.stdout, { events: 0, written: [], ...counts, busy: true });
        else if (talk) context.stderr.write('Another drain is running.\n');
        return;
      }
      if (options.json) return printJson(context.stdout, report);
      if (talk) {
        const rest = report.pending > 0 ? `, ${report.pending} events wait for their turn to end` : '';
        context.stderr.write(`${report.events} events, ${report.written.length} records written${rest}.\n`);
      }
    });
}
