import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { tokenize } from '../../src/index/tokens.ts';
import type { CorpusDocument, Group } from './corpus.ts';

/** Files that hold one note for users each: changesets, and what towncrier and antsibull-changelog read. */
const NOTE =
  /^\.changeset\/(?!README)[\w-]+\.md$|^(?:news|changelog\.d)\/[^.][^/]*\.\w+$|^CHANGES\/\d+\.[a-z.]+$|^changelogs\/fragments\/[\w.-]+\.ya?ml$/u;
/** Files that say nothing about the change itself. */
const BESIDE = /changelog|CHANGES\b|NEWS\b|lock\b|\.lock$/iu;
const MACHINE = /\bbot\b|\[bot\]/iu;
const RELEASE = /^(?:\[ci\]|\[?release|bump |prepare |merge |version packages)/iu;
const TRAILER = /^(?:[\w-]+-by:|fixes|closes|refs?:|\* )|changeset|changelog fragment/iu;

/** Commits that are read, newest first, and notes that become prompts. */
const COMMITS = 4000;
const NOTES = 150;
/** Share of the content words of a note or a title that may be in the other: what repeats a title is no question. */
const SHARED = 0.6;

interface Commit extends CorpusDocument {
  added: string[];
}

/**
 * A history as a labelled set: its commits are the records, and the prompts are the notes for users that came with some
 * of them. All commits with the same title, or that add the same note, are right.
 */
export function changeNotes(clone: string): Group {
  const name = basename(clone.replace(/(?:\/repo|\/\.git)?\/?$/u, ''));
  const git = (...args: string[]) => `${execFileSync('git', ['-C', clone, ...args], { maxBuffer: 1e9 })}`;
  const fields = ['%x01%H', '%aI', '%an', '%s', '%b%x03'].join('%x02');
  const log = git(
    'log',
    '--no-merges',
    '-n',
    `${COMMITS}`,
    '--no-renames',
    '--name-status',
    `--format=${fields}`,
    'HEAD',
  );
  const commits = log.split('\x01').flatMap((entry) => commitIn(entry, name) ?? []);
  const relevant = new Map<string, Set<string>>();
  const queries = byHash(commits.filter(({ added }) => added.length === 1)).flatMap((commit) => {
    const [path = ''] = commit.added;
    const text = noteText(git('show', `${commit.id}:${path}`));
    if (relevant.size >= NOTES || text.length < 20 || repeats(text, commit)) return [];
    const twins = commits.filter(({ title, added }) => title === commit.title || added.includes(path));
    relevant.set(commit.id, new Set(twins.map(({ id }) => id)));
    return [{ id: commit.id, group: name, text }];
  });
  return { name, documents: commits, queries, relevant };
}

function commitIn(entry: string, group: string): Commit | undefined {
  const [head = '', list = ''] = entry.split('\x03');
  const parsed = z
    .tuple([z.string().min(1), z.string(), z.string(), z.string(), z.string()])
    .safeParse(head.split('\x02'));
  if (!parsed.success) return undefined;
  const [id, date, author, subject, body] = parsed.data;
  const files = list.split('\n').flatMap((line) => {
    const [status = '', path] = line.split('\t');
    return path === undefined ? [] : [{ status, path }];
  });
  const cited = files.map(({ path }) => path).filter((path) => !NOTE.test(path) && !BESIDE.test(path));
  if (MACHINE.test(author) || RELEASE.test(subject) || cited.length === 0) return undefined;
  return {
    id,
    group,
    type: 'change',
    title: subject
      .replace(/^(?:\[[^\]]*\d[^\]]*\] |\w+(?:\([^)]*\))?!?: )/u, '')
      .replace(/ ?\(#\d+\)/gu, '')
      .trim(),
    narrative: body
      .split('\n')
      .filter((line) => !TRAILER.test(line.trim()))
      .join('\n')
      .trim()
      .slice(0, 3000),
    facts: [],
    concepts: [],
    files: cited.slice(0, 40),
    date,
    session: null,
    added: files.filter(({ status, path }) => status === 'A' && NOTE.test(path)).map(({ path }) => path),
  };
}

/** A note without front matter, roles, the key of its section, links and its author. */
function noteText(note: string): string {
  return note
    .replace(/^---\n[\s\S]*?\n---\n|^(?:---\n)?\w+:\s*\n/u, '')
    .replace(/:[a-z]+:`|``/gu, '`')
    .replace(/\(https?:\S+\)|-- by [\s\S]*$|Patch by [\s\S]*$/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^ ?- /u, '')
    .trim()
    .slice(0, 300);
}

function repeats(text: string, { title, narrative }: Commit): boolean {
  const [note, heading] = [new Set(tokenize(text)), new Set(tokenize(title))];
  const shared = [...note].filter((word) => heading.has(word)).length;
  return shared > SHARED * Math.min(note.size, heading.size) || narrative.includes(text);
}

function byHash(commits: Commit[]): Commit[] {
  const hash = ({ id }: Commit) => createHash('sha256').update(id).digest('hex');
  return [...commits].sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
}
