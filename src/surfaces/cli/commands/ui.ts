import { spawn } from 'node:child_process';
import { GitMemError, messageOf } from '../../../errors.ts';
import type { Opening } from '../../viewer/served.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { portNumber } from '../option-values.ts';
import { withProgress } from '../progress.ts';

type Options = Flags<'keep' | 'json' | 'all'> & { port?: number; open: boolean };

export const register: Register = (program, context) =>
  define(program, 'ui', "open this repository's memory in the browser")
    .option('--port <n>', 'this port instead of a free one', portNumber)
    .option('--all', 'all your repositories together')
    .option('--no-open', 'print the address and open nothing')
    .option('--keep', 'stay when the last page was closed a minute ago')
    .option('--json', 'print the address as JSON')
    .notes(`
It listens on this machine only, and answers the browser that opened its address and no other. Ctrl-C ends it; so
does a minute after the last page was closed, and ten minutes in which none was opened.

Examples:
  git mem ui --all                 all your repositories, in one page
  git mem ui --no-open --keep      for a browser elsewhere, through \`ssh -L PORT:127.0.0.1:PORT\`
  git mem ui --port 4173           a stable address, except for its token`)
    .action(async (options: Options) => {
      const { startViewer } = await import('../../viewer/server.ts');
      const viewer = await startViewer(await opening(context, options), {
        port: options.port ?? 0,
        keep: options.keep ?? false,
        now: context.now,
        onError: (error) => context.say(messageOf(error)),
      });
      if (options.json) context.json({ url: viewer.url, port: viewer.port });
      else context.stdout.write(`${viewer.url}\n`);
      context.say('Ctrl-C ends the viewer.');
      if (options.open) openBrowser(viewer.ticket(), context.env);
      process.once('SIGINT', () => void viewer.close()).once('SIGTERM', () => void viewer.close());
      await viewer.ended;
    });

async function opening(context: Context, { all = false, json = false }: Options): Promise<Opening> {
  const { oneMemory, severalMemories } = await import('../../viewer/served.ts');
  if (!all) return oneMemory(context.project());
  const { registered } = await import('../../../exchange/places/registry.ts');
  const repositories = registered(context.env);
  if (repositories.length === 0) {
    throw new GitMemError('not-initialised', 'No repository of yours has a memory yet.', {
      hint: 'Run `git mem init` in one; if you did already, it registers the repository now.',
    });
  }
  return withProgress(context, json, async (show) =>
    severalMemories(repositories, context.env, (done) => show(`${done} of ${repositories.length} repositories opened`)),
  );
}

/** Asks the system to open an address; if it cannot, the user can open the printed one. */
function openBrowser(url: string, env: Context['env']): void {
  const [program, ...args] = BROWSERS[process.platform] ?? ['xdg-open'];
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  child.on('error', () => {});
  child.unref();
}

const BROWSERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
