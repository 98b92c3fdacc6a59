import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratch, play, readRecording, removeFolder, type Scratch, sessionStart } from '../../../setup/demo.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

export const register: Register = (program, context) =>
  define(program, 'demo', 'replay a recorded agent session in a scratch repository and show every step')
    .option('--keep', 'keep the scratch repository to look around in')
    .notes(`
Nothing outside a temporary folder is touched, and no network is used.

Example:
  git mem demo --keep`)
    .action(async (options: Flags<'keep'>) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-demo-')));
      try {
        await demonstrate(folder, context);
      } finally {
        if (!options.keep) await removeFolder(folder);
      }
      if (options.keep) context.stdout.write(`\nLook around: cd ${join(folder, 'repository')}\n`);
    });

async function demonstrate(folder: string, context: Context): Promise<void> {
  const { stdout, style } = context;
  const step = (title: string) => stdout.write(`\n${style(['bold', 'green'], `■ ${title}`)}\n\n`);
  const recording = readRecording();
  const ada = await createScratch(folder, recording, process.argv[1] ?? 'git-mem');
  const command = (scratch: Scratch, program: string, ...args: string[]) => {
    const typed = args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ');
    stdout.write(`${style('dim', `$ ${program} ${typed}`)}\n${run(scratch, program, args)}`);
  };

  step('Ada sets up her repository, once');
  command(ada, 'git', 'mem', 'init', '--yes', '--host', 'claude-code');
  await ada.git.add('--all').commit('Set up git-mem');

  step(`Her agent works in it: ${recording.name}, recorded from ${recording.client}`);
  const exitCodes: number[] = [];
  await play(recording, ada, {
    onHook({ exitCode }, { prompt }) {
      exitCodes.push(exitCode);
      if (typeof prompt === 'string') stdout.write(`${style('cyan', '>')} ${shown(prompt)}\n`);
    },
    onCall(tool, { title, type }, answer) {
      const saved = typeof title === 'string' ? ` ${String(type ?? '')}: ${title}` : '';
      stdout.write(
        `  ${style('dim', tool)}${shown(saved)}\n    ${style('dim', shown(answer.split('\n', 1)[0] ?? ''))}\n`,
      );
    },
  });
  stdout.write(`\n${exitCodes.length} hooks ran, ${exitCodes.filter((code) => code !== 0).length} failed.\n`);

  step('What the agent saved rides in the commit of its work, one Markdown file each');
  command(ada, 'git', 'show', '--stat=100', '--format=%s', 'HEAD');
  const records = recordsIn(ada);
  const [rule = records[0] ?? ''] = records.filter((path) => /^type: rule$/m.test(text(ada, path)));
  stdout.write(`\n${style('cyan', rule)}\n${text(ada, rule).replace(/^(?=.)/gm, '  ')}`);

  step('Bob clones it, and his agent starts with what hers found out');
  const bob = { ...ada, repository: join(folder, 'bob') };
  execFileSync('git', ['clone', '--quiet', ada.repository, bob.repository], { env: bob.env });
  const [start] = recording.events;
  const payload = { ...start?.payload, session_id: 'the-session-of-bob', cwd: bob.repository };
  stdout.write(`${await sessionStart(bob, payload)}\n\n`);
  command(bob, 'git', 'mem', 'search', '--in', 'memory', QUESTION);

  step('He renames a function that a record names: from then on the record is marked with what is gone');
  const { id, name } = rename(bob, records);
  command(bob, 'git', 'mem', 'show', id);

  step('His pull request gets this comment');
  command(bob, 'git', 'switch', '--quiet', '--create', 'rename');
  const bobs = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com'];
  command(bob, 'git', ...bobs, 'commit', '--quiet', '--all', '-m', `Rename ${name}`);
  command(bob, 'git', 'mem', 'diff', '--format', 'md', 'origin/HEAD...HEAD');
}

/** What somebody who was not there would ask. */
const QUESTION = 'may an expired token get some grace';

/** The committed records of a repository. */
function recordsIn(scratch: Scratch): string[] {
  return run(scratch, 'git', ['ls-files', '.memory/observations']).split('\n').filter(Boolean);
}

function text({ repository }: Scratch, path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

/** Renames a function, written `name()`, that a record names in a file that it cites. */
function rename(scratch: Scratch, records: string[]): { id: string; name: string } {
  const sources = run(scratch, 'git', ['ls-files', 'src', 'test']).split('\n').filter(Boolean);
  for (const path of records) {
    const record = text(scratch, path);
    const [, id = ''] = /^id: "(\w+)"$/m.exec(record) ?? [];
    for (const [name] of record.matchAll(/\b[A-Za-z]\w{3,}(?=\(\))/g)) {
      const word = new RegExp(`\\b${name}\\b`, 'g');
      const named = sources.filter((file) => text(scratch, file).search(word) >= 0);
      if (!named.some((file) => record.includes(`"${file}"`))) continue;
      const to = `${name}Token`;
      for (const file of named) {
        writeFileSync(join(scratch.repository, file), text(scratch, file).replaceAll(word, to));
      }
      return { id, name };
    }
  }
  throw new Error('No record of the recorded session names something in a file that it cites.');
}

/** Standard output of a program in a scratch repository. */
function run({ repository, env }: Scratch, program: string, args: string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return execFileSync(program, args, { cwd: repository, env, encoding: 'utf8', stdio });
}
