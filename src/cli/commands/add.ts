import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { decode } from '../../memory/codec.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord, Observation } from '../../memory/record.ts';
import { titleProblem } from '../../memory/telling-title.ts';
import type { Project } from '../../project.ts';
import { type Near, nearRecords } from '../../recall/near.ts';
import { pick, readEverything } from '../../recall/read.ts';
import { foldersOf } from '../../recall/store-folders.ts';
import type { Workspace } from '../../store/workspace.ts';
import { createCleaner } from '../../worker/clean.ts';
import { type HandMade, type Saved, save } from '../../worker/save.ts';
import { agentInShell } from '../../worker/saving-agent.ts';
import type { Context } from '../context.ts';
import { printJson, shown } from '../print.ts';

interface AddOptions {
  type?: string;
  title?: string;
  subtitle?: string;
  narrative?: string;
  fact: string[];
  concept: string[];
  fileModified: string[];
  fileRead: string[];
  supersedes: string[];
  private?: boolean;
  json?: boolean;
}

const FORM = `---
type: decision
title: ""
concepts: []
files_modified: []
---

What was found or decided, and why.

## Facts

- One checkable fact per line.
`;

export function register(program: Command, context: Context): void {
  const each = (value: string, before: string[]) => [...before, value];
  program
    .command('add')
    .alias('remember')
    .description('write a record by hand')
    .argument('[file]', 'a record as Markdown, `-` for standard input')
    .option('--type <type>', 'decision, bugfix, feature, refactor, discovery, change (the default), security')
    .option('--title <text>', 'one line that a colleague would write')
    .option('--subtitle <text>', 'a second line')
    .option('--narrative <text>', 'what and why, in a few sentences')
    .option('--fact <text>', 'one checkable fact (repeat)', each, [])
    .option('--concept <word>', 'a topic (repeat)', each, [])
    .option('--file-modified <path>', 'a file that it is about (repeat)', each, [])
    .option('--file-read <path>', 'a file that was read for it (repeat)', each, [])
    .option('--supersedes <id>', 'a record that this one replaces (repeat)', each, [])
    .option('--private', 'into the private store, which is never committed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Without a title and a file, $EDITOR opens on an empty record. With a file, flags replace what it says or add to it.
Worth it: a cause, a decision with its reason, a refuted approach, a trap, a number. Not: status, plans, what the diff shows.

Examples:
  git mem add --type decision --title "Sessions live in Postgres" --narrative "Redis had no failover." --supersedes k3v9
  git mem add notes.md
  generate-note | git mem add - --private`,
    )
    .action(async (file: string | undefined, options: AddOptions) => {
      const project = context.project();
      const { workspace } = project;
      if (options.title !== undefined) requireTelling(options.title);
      const made = await gather(file, options, context, workspace.checkout.root);
      const supersedes = await resolveIds(project, [...made.supersedes, ...options.supersedes]);
      const store = options.private ? 'private' : 'team';
      const cleaner = createCleaner(project.config().config.privacy.redact);
      const agent = agentInShell(workspace);
      const { by, ...origin } = agent === undefined ? { by: 'cli' } : { ...agent, extractor: 'agent' };
      const how = { store, by, now: context.now(), cwd: context.cwd, cleaner } as const;
      const written = await save(workspace, { ...made, ...origin, supersedes }, how);
      const path = `${foldersOf(workspace)[store]}/${written.path}`;
      const near = await nearTo(workspace, written.record);
      if (options.json) printJson(context.stdout, { id: written.id, path, near });
      else context.stdout.write(`${written.id}  ${path}\n`);
      talk(written, options.json ? [] : near, context);
    });
}

async function nearTo(workspace: Workspace, record: Observation): Promise<Near[]> {
  const cache = openCache(workspace);
  try {
    return await nearRecords(workspace, cache, record);
  } finally {
    cache.close();
  }
}

/** What whoever added a record should know of it. */
function talk({ id, created, redacted }: Saved, near: Near[], { stderr }: Context): void {
  if (!created) stderr.write('It was there already.\n');
  if (redacted) stderr.write('A secret was taken out before anything was written.\n');
  if (near.length === 0) return;
  for (const { id: other, title } of near) stderr.write(`near: ${other}  ${shown(title)}\n`);
  stderr.write(`Where one of these is wrong now: \`git mem supersede ID --by ${id}\`.\n`);
}

/** A title that is typed has to tell something; a file that somebody wrote is theirs, whatever its first line says. */
function requireTelling(title: string): void {
  const problem = title.trim() === '' ? undefined : titleProblem(title);
  if (problem !== undefined) throw new GitMemError('bad-input', 'Nothing was added.', { hint: problem });
}

/** What the file, the editor or nothing says, and over it the flags. */
async function gather(
  file: string | undefined,
  options: AddOptions,
  context: Context,
  root: string,
): Promise<HandMade> {
  const { type, title, subtitle, narrative } = options;
  const base =
    file !== undefined
      ? fromMarkdown(await readSource(file, context), file === '-' ? 'standard input' : file, root)
      : title === undefined
        ? fromMarkdown(edited(context), 'the record', root)
        : EMPTY;
  return {
    ...base,
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
    ...(narrative !== undefined && { narrative }),
    facts: [...base.facts, ...options.fact],
    concepts: [...base.concepts, ...options.concept],
    files_modified: [...base.files_modified, ...options.fileModified],
    files_read: [...base.files_read, ...options.fileRead],
  };
}

const EMPTY: HandMade = {
  ...{ type: 'change', title: '', narrative: '', facts: [], concepts: [] },
  ...{ files_modified: [], files_read: [], supersedes: [] },
};

/** Stands in where the Markdown brings no id of its own; never written. */
const NO_ID = '0000000000';
const NO_NAME = `19700101T000000Z-${NO_ID}.md`;

/** `name` is what messages call the text. Paths in a record start at the top of the repository, wherever one stands. */
function fromMarkdown(text: string, name: string, root: string): HandMade {
  const source = text.replace(/^\ufeff/, '');
  const record = decodeNamed(source.startsWith('---') ? source : withFrontMatter(source), name);
  if (record.kind !== 'observation') {
    throw new GitMemError('bad-input', `${name} is a ${record.kind}; only observations are written by hand.`);
  }
  const { id, type, title, subtitle, narrative, facts, concepts, supersedes, extra } = record;
  const fromTop = (paths: string[]) => paths.map((path) => resolve(root, path));
  return {
    ...{ type, title: title === NO_ID ? '' : title, narrative, facts, concepts, supersedes },
    files_modified: fromTop(record.files_modified),
    files_read: fromTop(record.files_read),
    ...(id !== NO_ID && { id }),
    ...(subtitle && { subtitle }),
    ...(extra && { extra }),
  };
}

function decodeNamed(source: string, name: string): MemoryRecord {
  try {
    return decode(source, NO_NAME, outlineReader);
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    const { code, message, hint } = error;
    throw new GitMemError(code, message.replaceAll(NO_NAME, name), { ...(hint && { hint }), cause: error });
  }
}

/** Plain notes: the first line, or first heading, is the title. */
function withFrontMatter(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  return `---\ntitle: ${JSON.stringify(first.replace(/^#+\s*/, ''))}\n---\n\n${rest.join('\n')}`;
}

async function readSource(file: string, { cwd, stdin }: Context): Promise<string> {
  try {
    if (file !== '-') return readFileSync(resolve(cwd, file), 'utf8');
    let text = '';
    for await (const chunk of stdin.setEncoding('utf8')) text += chunk;
    return text;
  } catch (error) {
    throw new GitMemError('bad-input', `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

function edited({ env, stdin }: Context): string {
  if (stdin.isTTY !== true) {
    throw new GitMemError('bad-input', 'There is nothing to add.', {
      hint: 'Give --title "One line", a Markdown file, or `-` for standard input.',
    });
  }
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-'));
  const path = join(folder, 'record.md');
  try {
    writeFileSync(path, FORM);
    runEditor(editor, path);
    const text = readFileSync(path, 'utf8');
    if (text === FORM) throw new GitMemError('bad-input', 'Nothing was written, so nothing is added.');
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The editor may be a command with arguments, as git allows. */
function runEditor(editor: string, path: string): void {
  try {
    execFileSync('sh', ['-c', `${editor} "$1"`, 'editor', path], { stdio: 'inherit' });
  } catch (error) {
    throw new GitMemError('bad-input', `The editor (${editor}) ended with an error, so nothing is added.`, {
      hint: 'Set EDITOR to one that works, or give --title.',
      cause: error,
    });
  }
}

async function resolveIds({ workspace }: Project, prefixes: string[]): Promise<string[]> {
  if (prefixes.length === 0) return [];
  const { records } = await readEverything(workspace);
  const { found, missing } = pick(records, prefixes);
  if (missing.length > 0) {
    throw new GitMemError('no-such-record', `No record has an id that starts with "${missing[0]}".`, {
      hint: '`git mem list --all` shows them.',
    });
  }
  return found.map(({ record }) => record.id);
}
