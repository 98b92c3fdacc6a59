import { GitMemError } from '../../../errors.ts';
import type { Command, Context } from '../command.ts';
import { linesOf } from '../given-text.ts';
import { shown } from '../print.ts';

/** A name with or without a version, as records have it; the lengths bound what each record repeats. */
const NAME = /^[A-Za-z][\w.-]{0,39}(?:\/[\w.+-]{1,40})?$/;

export function register(program: Command, context: Context): void {
  program
    .command('rpc')
    .description('answer requests of a program, a JSON object a line, until its input ends')
    .option('--as <name>', 'what saved records say about their maker, such as my-tool/1.2', 'rpc')
    .notes(`
A request is {"id": 1, "method": "search", "params": {"query": "retry"}}; its answer {"id": 1, "result": {...}} or
{"id": 1, "error": {"code": "...", "message": "...", "hint": "..."}}, in the order of the requests. Methods are search, timeline,
get, turn, save, save_summary and mark, with the parameters and results of the MCP tools.

Example:
  echo '{"id": 1, "method": "search", "params": {"query": "retry", "limit": 3}}' | git mem rpc`)
    .action(async ({ as }: { as: string }) => {
      if (!NAME.test(as)) {
        throw new GitMemError('bad-input', `"${shown(as)}" is not the name of a program.`, {
          hint: 'Give a name, and its version where it has one: my-tool/1.2.',
        });
      }
      const { serveLines } = await import('../../mcp/rpc.ts');
      await serveLines(context, { lines: linesOf('-', context), output: context.stdout, by: as });
    });
}
