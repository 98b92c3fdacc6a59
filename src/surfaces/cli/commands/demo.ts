import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexWords } from '../../../setup/checks/index.ts';
import {
  createScratch,
  type HookRun,
  play,
  readRecording,
  type Scratch,
  sessionStart,
} from '../../../setup/demo/recording.ts';
import { removeFolder } from '../../../setup/demo/remove-folder.ts';
import type { Command, Context } from '../command.ts';
import { shown } from '../print.ts';

export function register(program: Command, context: Context): void {
  program
    .command('demo')
    .description('replay a recorded agent session in a scratch repository and show every step')
    .option('--keep', 'keep the scratch repository to look around in')
    .notes(`
Nothing outside a temporary folder is touched, and no network is used.

Examples:
  git mem demo
  git mem demo --keep`)
    .action(async (options: { keep?: boolean }) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-demo-')));
      try {
        await demonstrate(folder, context);
      } finally {
        if (!options.keep) await removeFolder(folder);
      }
      if (options.keep) context.stdout.write(`\nLook around: cd ${join(folder, 'repository')}\n`);
    });
}

async function demonstrate(folder: string, context: Context): Promise<void> {
  const { stdout, style } = context;
  const step = (title: string) => stdout.write(heading(title, context));
  const recording = readRecording();
  const program = process.argv[1] ?? 'git-mem';
  const scratch = await createScratch(folder, recording, program);
  const gitMem = (...args: string[]) => run(scratch, program, args);
  const command = (...args: string[]) => {
    stdout.write(`${style('dim', `$ git mem ${args.join(' ')}`)}\n${gitMem(...args)}`);
  };

  step('A repository is set up, once');
  command('init', '--yes');

  step(`An agent works in it: ${recording.name}, recorded from ${recording.client}`);
  const runs: HookRun[] = [];
  await play(recording, scratch, (hook) => {
    runs.push(hook);
    if (hook.event === 'UserPromptSubmit')
      stdout.write(`  prompt ${runs.filter((r) => r.event === hook.event).length}\n`);
  });
  stdout.write(`\n${timings(runs)}`);

  step('The drain, which the hooks started, turns events into a digest of the session, private to this clone');
  const report = gitMem('drain', '--wait', '--json');
  const waiting: unknown = JSON.parse(report);
  if (typeof waiting === 'object' && waiting && 'pending' in waiting && waiting.pending !== 0) stdout.write(report);
  command('sessions', 'show', 'last');

  step('What is worth knowing later the agent saves itself, here as it would at the end of that session');
  command('add', ...SAVED);
  command('list');

  step('Each record is a Markdown file in .memory/, to be committed and reviewed with the code');
  const { not_added: files } = await scratch.git.status(['--untracked-files=all', '--', '.memory']);
  for (const path of files.filter((name) => /\/(observations|summaries)\/.*\.md$/.test(name)).sort()) {
    stdout.write(
      `${style('cyan', path)}\n${readFileSync(join(scratch.repository, path), 'utf8').replace(/^/gm, '  ')}\n`,
    );
  }

  step('They are found with git-mem, with grep, or in an editor');
  command('list', '--type', 'bugfix,decision');
  stdout.write(`${style('dim', '$ grep -ril "clock" .memory/observations')}\n${grep(scratch)}`);
  stdout.write(`\nThe search index here: ${shown(indexWords(JSON.parse(gitMem('status', '--json')).cache))}\n`);

  step('The next session starts knowing this');
  const payload = { ...recording.events[0]?.payload, session_id: 'the-next-session', cwd: scratch.repository };
  stdout.write(`${await sessionStart(scratch, payload)}\n`);
}

/** What the agent of the recorded session saves. */
const SAVED = [
  ...['--type', 'bugfix', '--title', "A token is rejected when the issuer's clock runs ahead"],
  ...['--narrative', '`iat` lay in the future by a few seconds. `verify` allows 30 seconds of clock skew now.'],
  ...['--file-modified', 'src/auth.js'],
];

function heading(title: string, { style }: Context): string {
  return `\n${style(['bold', 'green'], `■ ${title}`)}\n\n`;
}

function timings(runs: HookRun[]): string {
  const byEvent = new Map<string, number[]>();
  for (const { event, ms } of runs) byEvent.set(event, [...(byEvent.get(event) ?? []), ms]);
  const rows = [...byEvent].map(([event, times]) => {
    const sorted = times.sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const worst = sorted.at(-1) ?? 0;
    return `  ${event.padEnd(20)}${String(times.length).padStart(6)}${`${median.toFixed(1)} ms`.padStart(12)}${`${worst.toFixed(1)} ms`.padStart(12)}\n`;
  });
  const failed = runs.filter(({ exitCode }) => exitCode !== 0).length;
  const header = `  ${'hook'.padEnd(20)}${'calls'.padStart(6)}${'median'.padStart(12)}${'slowest'.padStart(12)}\n`;
  return `${header}${rows.join('')}  ${runs.length} hooks, ${failed} failed.\n`;
}

function run({ repository, env }: Scratch, program: string, args: string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return execFileSync(process.execPath, [program, ...args], { cwd: repository, env, encoding: 'utf8', stdio });
}

function grep({ repository, env }: Scratch): string {
  try {
    return execFileSync('grep', ['-ril', 'clock', '.memory/observations'], { cwd: repository, env, encoding: 'utf8' });
  } catch {
    return '(nothing)\n'; // grep exits 1 when it finds nothing.
  }
}
