import type { Command, Context } from '../command.ts';
import type { TranscriptOptions } from '../transcript-watch.ts';

export function register(program: Command, context: Context): void {
  program
    .command('watch')
    .description("git mem sync --watch; or capture hosts' logs, until Ctrl-C")
    .option('--transcripts [names...]', 'capture sessions from the logs of hosts whose hooks do not report them')
    .option('--since <date>', 'with --transcripts: also what was written since then')
    .option('--once', 'with --transcripts: read what is there, and end')
    .option('--json', 'a JSON object a line for each burst of changes')
    .notes(`
With --transcripts it follows the logs of claude-code, codex and gemini-cli that are about this repository, from the first
time it is run. It resumes where it stopped, and leaves sessions to the hooks that report them. For other agents
there is git mem capture --stdin.

Examples:
  git mem watch --transcripts
  git mem watch --transcripts codex --since yesterday --once`)
    .action(async (options: { json?: boolean } & Partial<TranscriptOptions>, command: Command) => {
      const { transcripts } = options;
      if (transcripts !== undefined) {
        const { watchTranscripts } = await import('../transcript-watch.ts');
        return watchTranscripts(context, { ...options, transcripts });
      }
      if (options.once || options.since !== undefined)
        command.error('error: --since and --once go with --transcripts', { exitCode: 2 });
      const { watchCache } = await import('../cache-watch.ts');
      return watchCache(context, options);
    });
}
