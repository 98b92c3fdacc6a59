import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { load } from 'js-yaml';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { KNOWN, reviewed, SECRET } from './branches.ts';
import { gitMem, type Ran } from './command-line.ts';
import { type HookedSession, hookedSession } from './hooked-session.ts';
import { initialised } from './prepared-repository.ts';
import { createRepository, type TestRepository } from './repository.ts';
import { createMask, isSameOutput, type Mask, shownOutput, wordsOf } from './transcript-text.ts';
import { drop, markOf, observationOf, promptOf, put, summaryOf } from './written-records.ts';

/** Commits have one time, so that a transcript may show their hashes. */
const COMMIT_TIME = '2025-03-02T10:00:00Z';
const GENERATED = { by: 'test', at: '2025-03-01T10:00:00Z' };

/** What a transcript is about while it runs: a repository, and what varies from run to run in it. */
interface World {
  repository: TestRepository;
  mask: Mask;
  sessions: Map<string, HookedSession>;
}

/**
 * Runs the commands of a transcript and returns its text with what they print now: the same text where nothing changed.
 * `test/surfaces/cli/transcripts/README.md` explains the form.
 */
export async function runTranscript(path: string): Promise<string> {
  const [preface = '', ...cases] = readFileSync(path, 'utf8').split(/^(?=## )/m);
  const given = preface.split('\n').filter((line) => /^[+$<] /.test(line));
  const written = [preface];
  for (const text of cases) written.push(await runCase([...given, ''], text.split('\n')));
  return written.join('');
}

async function runCase(given: string[], lines: string[]): Promise<string> {
  const all = [...given, ...lines];
  const start = all.includes('+ reviewed') ? reviewed : all.includes('+ init') ? initialised : createRepository;
  const repository = await start();
  const mask = createMask(repository, SECRET);
  Object.assign(repository.env, { GIT_AUTHOR_DATE: COMMIT_TIME, GIT_COMMITTER_DATE: COMMIT_TIME });
  if (start === reviewed) for (const { id } of Object.values(KNOWN)) mask.known(id);
  const world = { repository, mask, sessions: new Map() };
  const failed = (await runLines(given, world)).join('\n');
  if (/^\? /m.test(failed)) throw new Error(`The preparation failed:\n${failed}`);
  return (await runLines(lines, world)).join('\n');
}

async function runLines(lines: string[], world: World): Promise<string[]> {
  const written: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    written.push(line);
    if (line.startsWith('+ ')) prepare(line.slice(2), world);
    if (!line.startsWith('$ ')) continue;
    const input = following(lines, i + 1, ['<']);
    const expected = following(lines, i + 1 + input.length, ['  ', '! ', '? ']);
    const stdin = input.map((one) => one.slice(2));
    const ran = await runCommand(line.slice(2), stdin, world);
    const actual = shownOutput(ran, world.mask);
    written.push(...input, ...(isSameOutput(expected, actual) ? expected : actual));
    i += input.length + expected.length;
  }
  return written;
}

function following(lines: string[], from: number, prefixes: string[]): string[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => !prefixes.some((prefix) => line.startsWith(prefix)));
  return end === -1 ? rest : rest.slice(0, end);
}

/** A line of the set-up: a record (`team@DIR`: of another repository), a file, a variable or an event of a session. */
function prepare(line: string, { repository, mask, sessions }: World): void {
  const [kind = '', name = '', ...rest] = line.split(' ');
  const [what = '', place = '.'] = kind.split('@');
  const there = { ...repository, root: join(repository.root, place) };
  const text = mask.resolve(rest.join(' '));
  if (what === 'team' || what === 'private') put(there, recordOf(name, text, mask), what);
  else if (what === 'theirs') drop(there, recordOf(name, text, mask));
  else if (what === 'file') repository.write(name, `${text.replaceAll('\\n', '\n')}\n`);
  else if (what === 'env') repository.env[name] = text;
  else if (what === 'session') {
    const [secondsAgo, method, ...args] = wordsOf(text);
    const at = new Date(Date.now() - Number(secondsAgo) * 1000);
    const key = `${name} ${secondsAgo}`;
    const session = sessions.get(key) ?? hookedSession(repository.root, { id: name, at });
    sessions.set(key, session);
    // Lists show a session by its beginning.
    mask.known(name.slice(0, 8));
    const run = session[method as 'prompt'] as (...args: unknown[]) => void;
    run(...args.map((one) => (/^(?:\d+$|\{)/.test(one) ? JSON.parse(one) : one)));
  } else if (what !== 'reviewed' && what !== 'init') throw new Error(`A transcript prepares no "${what}".`);
}

/** `Title of the record {fields: as YAML}`. */
function recordOf(id: string, text: string, mask: Mask): MemoryRecord {
  const [, title = '', fields = '{}'] = /^([^{]*?) ?(\{.*\})?$/.exec(text) ?? [];
  mask.known(id);
  const whole = { id, generated: GENERATED, title, ...(load(fields) as { kind?: string }) };
  if (whole.kind === 'mark') return markOf(whole as never);
  if (whole.kind === 'prompt') return promptOf({ id, text: title, generated: GENERATED });
  return whole.kind === 'summary' ? summaryOf(whole as never) : observationOf(whole as never);
}

/** `[cd DIR && ][NAME=value ]…[tty ]git mem …[ | pick PATH…][ | any command]`, or a command of the shell. */
async function runCommand(command: string, stdin: string[], { repository, mask }: World): Promise<Ran> {
  const own = /^(?:cd ("[^"]*"|\S+) && )?((?:[A-Z_]+=(?:"[^"]*"|\S*) )*)(tty )?git mem(?: ([^|]*))?(?:$|\| )(.*)$/.exec(
    command,
  );
  const input = stdin.map((line) => `${mask.resolve(line)}\n`).join('');
  if (own === null) return shell(command, input, repository, mask);
  const [, folder = '.', settings = '', tty, args = '', pipe = ''] = own;
  const cwd = resolve(repository.root, ...wordsOf(folder));
  const pairs = wordsOf(mask.resolve(settings)).map((word) => /^(\w+)=(.*)$/s.exec(word)?.slice(1) as [string, string]);
  const ran = await gitMem(
    repository,
    wordsOf(args).map((word) => mask.resolve(word)),
    {
      stdin: tty === undefined ? input : input.trimEnd(),
      tty: tty !== undefined,
      env: Object.fromEntries(pairs),
      cwd,
    },
  );
  const [, paths, rest] = /^(?:pick ([^|]*))?(?:\|? ?(.*))$/s.exec(pipe) ?? [];
  if (paths !== undefined && ran.stdout !== '') ran.stdout = pick(JSON.parse(ran.stdout), paths.trim().split(/ +/));
  // Colours belong to terminals, and are no part of the words.
  if (tty !== undefined) for (const to of ['stdout', 'stderr'] as const) ran[to] = stripVTControlCharacters(ran[to]);
  if (!rest) return ran;
  const piped = shell(rest, ran.stdout, { ...repository, root: cwd }, mask);
  return { ...piped, stderr: ran.stderr + piped.stderr };
}

function shell(command: string, input: string, { root, env }: TestRepository, mask: Mask): Ran {
  const variables = { ...env, ...mask.variables() };
  const args = ['-c', command, 'sh', ...mask.ids()];
  const { status, stdout, stderr } = spawnSync('sh', args, { cwd: root, env: variables, input, encoding: 'utf8' });
  return { code: status ?? -1, stdout, stderr };
}

/** Values of a JSON answer, a line each: `total records.*.{id,trust}`. */
function pick(answer: unknown, paths: string[]): string {
  const lines = paths.flatMap((path) => valuesAt(answer, path.split('.')).map(shownValue));
  return lines.map((line) => `${line}\n`).join('');
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (key === '*') return (value as unknown[]).flatMap((one) => valuesAt(one, rest));
  if (key === 'KEYS') return [Object.keys(value as object).join(' ')];
  const fields = value as Record<string, unknown>;
  if (!key.startsWith('{')) return valuesAt(fields?.[key], rest);
  const several = key.slice(1, -1).split(',');
  return [several.map((one) => shownValue(fields[one])).join('  ')];
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}
