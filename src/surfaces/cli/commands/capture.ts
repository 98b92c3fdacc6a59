import { createIntake } from '../../../capture/drain/piped-events.ts';
import { counted } from '../../../quantities.ts';
import { capturingProject, interruptible } from '../capturing.ts';
import { define, type Flags, type Register } from '../command.ts';
import { linesOf } from '../given-text.ts';

export const register: Register = (program, context) =>
  define(program, 'capture', 'capture a session of an agent that git-mem does not know, from events piped in')
    .requiredOption('--stdin', 'read events from standard input, a JSON object a line')
    .jsonAndNotes(`
Each line is an event: "kind" (session-start, prompt, tool, report, turn-end, compaction, session-end), "session", and what
belongs to its kind. docs/sessions.md has a whole session. An event is stored as soon as its line is read; a line
that is not an event is reported, and the others count. Records are written at the session's end, as where hooks report it.

Example:
  my-agent --events | git mem capture --stdin`)
    .action(async ({ json }: Flags<'json'>) => {
      const project = capturingProject(context);
      if (project === undefined) return;
      const take = createIntake(project.workspace, context.now);
      let [events, number] = [0, 0];
      const problems: { line: number; message: string }[] = [];
      for await (const line of linesOf('-', context)) {
        number++;
        if (line.trim() === '') continue;
        const taken = take(line);
        if ('kind' in taken) events++;
        else {
          problems.push({ line: number, message: taken.problem });
          if (!json) context.stderr.write(`Line ${number} is not an event: ${taken.problem}.\n`);
        }
      }
      const report = await interruptible((signal) => project.drain({ all: false, now: false, signal }));
      const written = report?.written ?? [];
      if (problems.length > 0) context.setExitCode(1);
      if (json) return context.json({ events, written, problems });
      context.say(`${counted(events, 'event')} captured, ${counted(written.length, 'record')} written.`);
    });
