import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { backlog } from '../../../capture/drain/waiting-events.ts';
import { interruptible } from '../capturing.ts';
import { define, type Flags, type Register } from '../command.ts';

/** How long `--wait` waits for another drain, and how often it looks, in milliseconds: asking a model takes a while. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 200;

/** As nice as a background build; git children inherit it. */
const LOW = 10;

export const register: Register = (program, context) =>
  define(program, 'drain', 'turn the captured events into records')
    .option('--wait', 'try at once regardless of the backoff, and wait for a drain that is running')
    .option('--all', 'take incomplete turns too, and close open sessions')
    .jsonAndNotes(`
Hooks start this by themselves at the end of turns and sessions.

Example:
  git mem drain --all       also the turn that is still going on`)
    .action(async (options: Flags<'wait' | 'all' | 'json'>) => {
      const project = context.project();
      const { wait = false, all = false, json = false } = options;
      // Woken by a hook: whatever a person does meanwhile comes first.
      if (!wait && !all && getPriority() < LOW) setPriority(LOW);
      const say = context.stderr.isTTY === true && !json ? context.say : () => {};
      const onWritten = (id: string, path: string) => say(`${id}  ${path}`);
      const report = await interruptible(async (signal) => {
        const run = () => project.drain({ all, now: wait || all, signal, onWritten });
        let done = await run();
        for (let waited = 0; done === undefined && wait && waited < PATIENCE_MS; waited += LOOK_MS) {
          await sleep(LOOK_MS);
          done = await run();
        }
        return done;
      });
      if (report === undefined) {
        const counts = backlog(project.workspace.layout);
        if (json) context.json({ events: 0, written: [], ...counts, busy: true });
        return say('Another drain is running.');
      }
      if (json) return context.json(report);
      const rest = report.pending > 0 ? `, ${report.pending} events wait for their turn to end` : '';
      say(`${report.events} events, ${report.written.length} records written${rest}.`);
    });
