import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import MiniSearch from 'minisearch';
import { storePath } from '../../src/memory/file-name.ts';
import { type CorpusQuery, type Group, repositoryOf, toRecords } from './corpus.ts';
import { inFolder } from './scratch-folder.ts';

/** The documents that a tool finds for each question of a group, best first where it ranks, by the question's id. */
export type Finder = (group: Group) => Promise<Map<string, string[]>>;

const MOST = 10;

/** Words of a question that a tool without ranking is asked for together at first. */
const MOST_WORDS = 4;

// biome-ignore format: a word list reads best as running text.
const EVERYDAY = new Set(('about after before could does from have into should that their them there these they this when where which ' +
  'while will with would your').split(' '));

/**
 * The words by which somebody looks with a tool that does not rank: the longest of a question's first line, which are
 * roughly its rarest, longest first.
 */
export function wordsToGrep(text: string): string[] {
  const [line = ''] = text.trim().split('\n');
  const words = line.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const distinct = [...new Set(words)].filter((word) => !EVERYDAY.has(word));
  return distinct.sort((a, b) => b.length - a.length).slice(0, MOST_WORDS);
}

/** What has all the words; then, while there is room, what has all but the last of them, and so on. */
export function narrowing(words: string[], find: (words: string[]) => string[]): string[] {
  const found = new Set<string>();
  for (let n = words.length; n > 0 && found.size < MOST; n--) for (const one of find(words.slice(0, n))) found.add(one);
  return [...found].slice(0, MOST);
}

/** The same where a tool finds one word at a time. */
export function narrowingByWord(words: string[], find: (word: string) => string[]): string[] {
  const lists = new Map(words.map((word) => [word, find(word)]));
  return narrowing(words, ([first = '', ...others]) => {
    const rest = others.map((word) => new Set(lists.get(word)));
    return (lists.get(first) ?? []).filter((one) => rest.every((list) => list.has(one)));
  });
}

function answered(queries: CorpusQuery[], answer: (query: CorpusQuery) => string[]): Map<string, string[]> {
  return new Map(queries.map((query) => [query.id, answer(query)]));
}

/** `git log --grep` over messages that say what the records say, newest first. */
export const byGitLog: Finder = (group) =>
  inFolder(async (folder) => {
    commitEach(folder, group);
    return answered(group.queries, ({ text }) =>
      narrowing(wordsToGrep(text), (words) => {
        const patterns = words.map((word) => `--grep=${word}`);
        const options = ['-i', '-F', '--all-match', `-${MOST}`, '--format=%an'];
        const { stdout } = spawnSync('git', ['log', ...options, ...patterns], { cwd: folder, encoding: 'utf8' });
        return stdout.split('\n').filter(Boolean);
      }),
    );
  });

/** A repository with a commit for each document, whose author is the document's id. */
export function commitEach(folder: string, { documents }: Pick<Group, 'documents'>): void {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
  const oldestFirst = [...documents].sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const commits = oldestFirst.map(({ id, title, narrative, facts, date }) => {
    const message = [title, narrative, facts.join('\n')].filter(Boolean).join('\n\n');
    const who = `<bench@example.com> ${Math.floor(Date.parse(date) / 1000)} +0000`;
    const head = `commit refs/heads/main\nauthor ${id} ${who}\ncommitter Bench ${who}`;
    return `${head}\ndata ${Buffer.byteLength(message)}\n${message}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: commits.join('') });
}

/** `grep -ri` over the records' files, newest first. */
export const byGrep: Finder = async (group) => {
  const { records, corpusIds } = toRecords(group.documents);
  const workspace = repositoryOf(records);
  const ids = new Map(records.map((record) => [basename(storePath(record)), corpusIds.get(record.id) ?? '']));
  try {
    return answered(group.queries, ({ text }) =>
      narrowingByWord(wordsToGrep(text), (word) => {
        const command = ['-rilF', '--', word, join(workspace.layout.memory, 'observations')];
        const { stdout } = spawnSync('grep', command, { encoding: 'utf8' });
        const names = stdout
          .split('\n')
          .filter(Boolean)
          .map((path) => basename(path));
        // A name begins with the time.
        return names
          .sort()
          .reverse()
          .map((name) => ids.get(name) ?? '');
      }),
    );
  } finally {
    rmSync(workspace.checkout.root, { recursive: true, force: true });
  }
};

/** MiniSearch as it comes: any of the words, its own BM25+, no weights of fields. */
export const byMiniSearch: Finder = async ({ documents, queries }) => {
  const index = new MiniSearch<Record<string, string>>({
    fields: ['title', 'narrative', 'facts', 'concepts', 'files'],
  });
  index.addAll(
    documents.map(({ id, title, narrative, facts, concepts, files }) => {
      return { id, title, narrative, facts: facts.join('\n'), concepts: concepts.join(' '), files: files.join(' ') };
    }),
  );
  return answered(queries, ({ text }) =>
    index
      .search(text)
      .slice(0, MOST)
      .map(({ id }) => String(id)),
  );
};
