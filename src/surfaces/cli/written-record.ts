import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Maker, makerInShell } from '../../capture/by-hand/maker.ts';
import type { MarkMaking } from '../../capture/by-hand/mark.ts';
import type { HandMade } from '../../capture/by-hand/save.ts';
import { agentInShell } from '../../capture/by-hand/saving-agent.ts';
import { askingSession } from '../../capture/by-hand/tainted-session.ts';
import { GitMemError } from '../../errors.ts';
import { locate } from '../../git/locate.ts';
import { decode } from '../../memory/codec.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Entry } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';
import { textOf } from './given-text.ts';

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

/** Reads a record from a file, or from standard input if it is `-`. Throws bad-input, bad-record. */
export async function readRecord(file: string, context: Context, root: string): Promise<HandMade> {
  // Several words that name no file are a title, without its option.
  if (/\s/.test(file.trim()) && !existsSync(resolve(context.cwd, file))) {
    const title = JSON.stringify(file);
    throw new GitMemError('bad-input', `There is no file ${title}.`, {
      hint: `If it is a title: git mem add --title ${title}`,
    });
  }
  let text = '';
  for await (const piece of textOf(file, context)) text += piece;
  return fromMarkdown(text, file === '-' ? 'standard input' : file, root);
}

/** Opens the user's editor. Throws bad-input if an empty record was left as it is, or there is no terminal. */
export function editRecord(context: Context, root: string, before = FORM): HandMade {
  const text = edited(context, before);
  // Read as plain notes, a record whose first lines were deleted by mistake would get the wrong title.
  if (before !== FORM && !text.startsWith('---')) {
    throw new GitMemError('bad-input', 'The record lost its front matter, so nothing was changed.');
  }
  return fromMarkdown(text, 'the record', root);
}

/** Lets a person change a stored record, shown without its id, which stands for its content. Throws as `editRecord` does. */
export function editStored(context: Context, { stores, checkout }: Workspace, { store, path }: Entry): HandMade {
  const text = stores[store].files.bytes(path).toString('utf8');
  return editRecord(context, checkout.root, text.replace(/^id: .*\n/m, ''));
}

/** Used if the Markdown has no id of its own; never written. */
const NO_ID = '0000000000';
const NO_NAME = `19700101T000000Z-${NO_ID}.md`;

/** `name` is the text's name in messages. Paths in a record are relative to the top of the repository. */
function fromMarkdown(text: string, name: string, root: string): HandMade {
  const source = text.replace(/^\ufeff/, '');
  const record = decodeNamed(source.startsWith('---') ? source : withFrontMatter(source), name);
  if (record.kind !== 'observation') {
    throw new GitMemError('bad-input', `${name} is a ${record.kind}; only observations are written by hand.`);
  }
  const { id, type, title, subtitle, narrative, facts, concepts, supersedes, extra } = record;
  const fromTop = (paths: string[]) => paths.map((path) => resolve(root, path));
  return {
    type,
    title: title === NO_ID ? '' : title,
    narrative,
    facts,
    concepts,
    supersedes,
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

function edited({ env, stdin }: Context, before: string): string {
  if (stdin.isTTY !== true) {
    if (before !== FORM) {
      throw new GitMemError('bad-input', 'An editor needs a terminal.', {
        hint: 'Without one edit the file itself: `git mem show ID` prints its path.',
      });
    }
    throw new GitMemError('bad-input', 'There is nothing to add.', {
      hint: 'Give --title "One line", a Markdown file, or `-` for standard input.',
    });
  }
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-'));
  const path = join(folder, 'record.md');
  try {
    writeFileSync(path, before);
    runEditor(editor, path);
    const text = readFileSync(path, 'utf8');
    if (text === FORM) throw new GitMemError('bad-input', 'Nothing was written, so nothing is added.');
    if (text === before) throw new GitMemError('bad-input', 'Nothing was changed.');
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The editor may be a command with arguments, as in git. */
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

/** What a command makes a mark with: who runs it unless a maker is given, the time, and what cleans its reason. */
export async function markMaking(project: Project, context: Context, maker?: Maker): Promise<MarkMaking> {
  const { now, stdin, cwd } = context;
  // Also for records of the personal store: the session works here.
  const { workspace } = locate(cwd) === undefined ? project : context.project();
  return {
    ...(maker === undefined && { asking: await askingSession(workspace, agentInShell(workspace, stdin)) }),
    maker: maker ?? (await makerInShell(project.workspace, stdin)),
    now: now(),
    cleaner: await project.cleaner(),
  };
}
