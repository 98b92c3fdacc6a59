import { join } from 'node:path';
import { type ClaudeMemWorker, startClaudeMem } from './claude-mem-worker.ts';
import { contextGroups } from './context-groups.ts';
import { type Group, readSet } from './corpus.ts';
import { otherCosts } from './other-costs.ts';
import { byGitLog, byGrep, byMiniSearch, type Finder, narrowingByWord, wordsToGrep } from './other-finders.ts';
import { askOurs, SETS, SETS_AND_BOUNDS } from './retrieval.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** Most hits of one word that claude-mem is asked for, so that two words can be found together. */
const MOST_OF_A_WORD = 100;

const FIRST = [1, 5, 10] as const;

/** A set of questions by its name; where they were asked already, with what git-mem found. */
interface Asked {
  name: string;
  groups: (Group & { ours?: Map<string, string[]> })[];
}

/**
 * The same records and questions in git-mem and in what people use instead: git, grep, a search library, and claude-mem
 * where `GIT_MEM_CLAUDE_MEM` names a folder with it (`npm install claude-mem bun`). `folder` is a checkout of
 * SWE-ContextBench. Claude Code's own memory has no search: its model reads the files that it wrote.
 */
export async function others(folder?: string): Promise<Figure[]> {
  return inFolder(async (scratch) => {
    const installed = process.env.GIT_MEM_CLAUDE_MEM;
    if (!installed) console.log('\nclaude-mem: left out, GIT_MEM_CLAUDE_MEM names no folder with it.');
    const worker = installed ? await startClaudeMem(installed, scratch) : undefined;
    try {
      const rows = [...(await foundRows(await setsOf(folder), worker)), ...(await otherCosts(scratch, worker))];
      printTable('Beside others', ['', 'value', 'bound', ''], rows);
      return figuresIn(rows, { isWhole: true });
    } finally {
      worker?.stop();
    }
  });
}

async function setsOf(folder: string | undefined): Promise<Asked[]> {
  const sets = SETS_AND_BOUNDS.flatMap(([name]): Asked[] => {
    const groups = readSet(join(SETS, name));
    if (groups === undefined) console.log(`${name}: left out, ${join(SETS, name)} is not here.`);
    return groups === undefined ? [] : [{ name, groups }];
  });
  const groups = folder === undefined ? undefined : await contextGroups(folder);
  if (groups === undefined) console.log('SWE-ContextBench: left out, give a checkout of it as an argument.');
  const context = (groups ?? []).map((group) => {
    const ours = [...group.answers].map(([id, { hits }]): [string, string[]] => [id, hits.map((hit) => hit.id)]);
    return { ...group, ours: new Map(ours) };
  });
  return context.length === 0 ? sets : [...sets, { name: 'SWE-ContextBench', groups: context }];
}

function findersWith(set: string, worker: ClaudeMemWorker | undefined): [name: string, find: Finder][] {
  const theirs = (ask: (project: string, text: string) => Promise<string[]>): Finder => {
    return async ({ name, queries }) => {
      const found = new Map<string, string[]>();
      for (const { id, text } of queries) found.set(id, await ask(`${set} ${name}`, text));
      return found;
    };
  };
  const asWritten: Finder = async (group) => {
    await worker?.bring(`${set} ${group.name}`, group.documents);
    return theirs(async (project, text) => (await worker?.search(project, text, 10)) ?? [])(group);
  };
  const wordByWord = theirs(async (project, text) => {
    const words = wordsToGrep(text);
    const lists = new Map<string, string[]>();
    for (const word of words) lists.set(word, (await worker?.search(project, word, MOST_OF_A_WORD)) ?? []);
    return narrowingByWord(words, (word) => lists.get(word) ?? []);
  });
  return [
    ['git-mem search', oursFor],
    ['git log --grep', byGitLog],
    ['grep -ri over the records', byGrep],
    ['MiniSearch, BM25', byMiniSearch],
    ...(worker === undefined
      ? []
      : (
          [
            [`claude-mem ${worker.version} by SQLite, the question as it is`, asWritten],
            [`claude-mem ${worker.version} by SQLite, word by word`, wordByWord],
          ] as const
        ).map(([name, find]): [string, Finder] => [name, find])),
  ];
}

const oursFor: Finder = async (group: Asked['groups'][number]) => {
  if (group.ours !== undefined) return group.ours;
  const answers = await askOurs(group);
  return new Map([...answers].map(([id, { hits }]) => [id, hits.map((hit) => hit.id)]));
};

/** How many questions of each set have a right record among the first that each tool finds. */
async function foundRows(sets: Asked[], worker: ClaudeMemWorker | undefined): Promise<string[][]> {
  const rows: string[][] = [];
  const shown: string[][] = [];
  for (const { name, groups } of sets) {
    for (const [tool, find] of findersWith(name, worker)) {
      const ranks: number[] = [];
      for (const group of groups) {
        const answerable = group.queries.filter(({ id }) => (group.relevant.get(id)?.size ?? 0) > 0);
        const found = await find({ ...group, queries: answerable });
        for (const { id } of answerable) {
          const at = (found.get(id) ?? []).findIndex((document) => group.relevant.get(id)?.has(document));
          ranks.push(at < 0 ? Number.POSITIVE_INFINITY : at + 1);
        }
      }
      const shares = FIRST.map((n) => ranks.filter((rank) => rank <= n).length / Math.max(1, ranks.length));
      shown.push([name, tool, `${ranks.length}`, ...shares.map((share) => share.toFixed(3))]);
      const isOurs = find === oursFor;
      rows.push(figure(isOurs ? `${name}: questions answered among the first 10` : `  ${tool}`, shares[2] ?? 0, 3));
    }
  }
  printTable('Questions with a right record among the first', ['set', 'tool', 'questions', '1', '5', '10'], shown);
  return rows;
}
