import { Option } from 'commander';
import type { Source } from '../../../inject/briefing/briefing-lines.ts';
import { tokensOf } from '../../../records/annotate.ts';
import { define, type Flags, type Register, type Texts } from '../command.ts';
import { AT } from '../filter-options.ts';
import { shown } from '../print.ts';

type Options = Flags<'receipt' | 'json'> & Texts<'session' | 'host' | 'at'> & { source: Source };

export const register: Register = (program, context) =>
  define(program, 'context', 'show exactly what the next session start injects, and why')
    .option('--receipt', 'give the reason why each record that was looked at is in or out')
    .addOption(
      new Option('--source <source>', 'how the session starts')
        .choices(['startup', 'resume', 'compact', 'clear'])
        .default('startup'),
    )
    .option('--session <id>', 'the session, for resume and compact')
    .option('--host <name>', 'the agent that starts, where several are set up')
    .option('--at <revision>', AT)
    .jsonAndNotes(`
A start looks at the newest 60 observations and 10 summaries that may be injected, and at older ones that are pinned or
cite a file that the branch changes. --receipt names no others.

Examples:
  git mem context --receipt                the reasons
  git mem context --at v1.0                what it would have injected then
  GIT_MEM_BRIEFING_TOKENS=300 git mem context          with another budget
  git mem context --source compact --session 65939976-74e7-49bb-921b-c8315e7665e8`)
    .action(async ({ receipt, json, ...session }: Options) => {
      const briefing = await context.project().briefing(session);
      if (json) return context.json(briefing);
      if (briefing.text !== '') context.stdout.write(`${briefing.text}\n`);
      else context.say('Nothing is remembered yet, so nothing is injected.');
      if (!receipt) return;
      const { request } = briefing;
      const lines = [
        `${briefing.tokens} tokens.`,
        ...briefing.records.map(({ id, reason, tokens, trust, freshness }) =>
          shown(`in   ${id}  ${String(tokens).padStart(4)}t  ${trust.padEnd(10)} ${freshness.padEnd(8)} ${reason}`),
        ),
        request && `in   the line that asks the agent to save (${tokensOf(request)}t; capture.ask: off leaves it out)`,
        ...briefing.dropped.map(({ id, reason }) => shown(`out  ${id}  ${reason}`)),
      ];
      context.stdout.write(`\n${lines.filter(Boolean).join('\n')}\n`);
    });
