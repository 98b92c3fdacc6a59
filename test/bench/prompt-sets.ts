import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenize } from '../../src/index/tokens.ts';
import { changeNotes } from './change-notes.ts';
import { type CorpusDocument, type Group, readSet } from './corpus.ts';

/** Where labelled searches and real sessions lie, seen from the project's root. */
const SETS = join('..', 'shared', 'retrieval');
const SESSIONS = join('..', 'shared', 'real-sessions');

/**
 * relevant: a record of the store is labelled as its answer. neighbouring: about the same repository, with no labelled
 * answer in the store, though something in it may well bear on it. off-topic: written about another repository.
 */
export type PromptKind = 'relevant' | 'neighbouring' | 'off-topic';

export interface SetPrompt {
  text: string;
  kind: PromptKind;
  /** The labelled records, and those judged to bear on the prompt as well. */
  relevant: ReadonlySet<string>;
  judged?: ReadonlySet<string>;
  /** Weights were fitted on the prompts of the first half. */
  half: 'calibration' | 'held out';
}

/** A memory with prompts to it. */
export interface PromptStore {
  family: string;
  documents: CorpusDocument[];
  prompts: SetPrompt[];
}

/** Prompts of other repositories that each store is asked. */
const FOREIGN = 60;

/** Slices of a history: how many records each has, and how many there are. */
const SLICES = [
  { records: 8, count: 8 },
  { records: 40, count: 8 },
  { records: 200, count: 4 },
] as const;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Of a history one commit is labelled as the answer to a note, though others are about the same. So the 94 commits
 * that any bar from -0.8 up injected beside the labelled ones were read: these, by query, are about the very option,
 * function or behaviour that the note is about; the other half are wrong.
 */
const JUDGED: Record<string, string[]> = fixture('judged.json');

/**
 * The facts that bear on each prompt of a real session, in order, by session: what somebody who reads the prompt alone
 * would want to know. Labelled by reading prompts and facts, before looking at what is injected. Half of the prompts
 * have none: they assent, hand over, or ask about something that no fact is about.
 */
const BEARING: Record<string, string[][]> = fixture('real-prompts.json');

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(join('test', 'fixtures', 'injection', name), 'utf8')) as T;
}

/** Assent, going on, and handing finished work to git. */
const HANDING_OVER = new Set(
  tokenize(
    'yes yeah yep no nope ok okay sure please thanks thank good great perfect fine right exactly let lets go ahead on ' +
      'continue proceed next start stop exit do make create open commit push merge amend pr prs pull request branch',
  ),
);

/** Tells whether a prompt names nothing: without the search's stop words, only assent and handing over are left. */
export function isContentless(text: string): boolean {
  return tokenize(text).every((word) => HANDING_OVER.has(word));
}

/** Stores and prompts that nobody of this project wrote; empty where the sets are not here. */
export function promptStores(): PromptStore[] {
  const groups = ['code-changelog', 'code-tests', 'code-szz', 'peer-agentmem28'].flatMap((name) => {
    return readSet(join(SETS, name)) ?? [];
  });
  return storesOf(groups, realSessions());
}

/** The same of other repositories' histories, on whose prompts nothing was fitted. */
export function historyStores(clones: string[]): PromptStore[] {
  const stores = storesOf(clones.map(changeNotes), []);
  return stores.map((store) => ({
    ...store,
    prompts: store.prompts.map((prompt) => ({ ...prompt, half: 'held out' as const })),
  }));
}

function storesOf(groups: Group[], sessions: RealSession[]): PromptStore[] {
  const talk = sessions.flatMap(({ prompts }) => prompts.map(({ text }) => text));
  const foreign = (name: string): SetPrompt[] => [
    ...pick(
      groups.filter((group) => group.name !== name).flatMap(({ queries }) => queries),
      FOREIGN,
      ({ id }) => `${name} ${id}`,
    ).map(({ text }) => offTopic(text)),
    ...(groups.some((group) => group.name === name) ? talk.map(offTopic) : []),
  ];
  return [
    ...groups.flatMap((group) => histories(group).map((store) => withPrompts(store, foreign(group.name)))),
    ...repositories(sessions).map((store) => withPrompts(store, foreign(''))),
  ];
}

function withPrompts(store: PromptStore, more: SetPrompt[]): PromptStore {
  return { ...store, prompts: [...store.prompts, ...more] };
}

/** A labelled set as a whole, and where it is a long history slices of it: most memories are small. */
function histories({ documents, queries, relevant }: Group): PromptStore[] {
  const store = (family: string, chosen: CorpusDocument[]): PromptStore => {
    const ids = new Set(chosen.map(({ id }) => id));
    const prompts = queries.map(({ text, id }): SetPrompt => {
      const here = new Set([...(relevant.get(id) ?? [])].filter((document) => ids.has(document)));
      // Only beside a labelled answer: notes without one were not read.
      const judged = new Set(here.size > 0 ? JUDGED[id] : []);
      const kind = here.size > 0 ? 'relevant' : 'neighbouring';
      return { text, relevant: new Set([...here, ...judged]), judged, kind, half: halfOf(text) };
    });
    return { family, documents: chosen, prompts };
  };
  if (documents.length < 100) return [store('notes', documents)];
  const sorted = [...documents].sort((a, b) => (a.date < b.date ? -1 : 1));
  const labelled = sorted.flatMap(({ id }, i) => (queries.some((query) => relevant.get(query.id)?.has(id)) ? [i] : []));
  const slices = SLICES.flatMap(({ records, count }) =>
    Array.from({ length: count }, (_, i) => {
      const middle = labelled[Math.floor(((i + 0.5) * labelled.length) / count)] ?? 0;
      const from = Math.max(0, Math.min(sorted.length - records, middle - records / 2));
      return store(`${records} commits`, sorted.slice(from, from + records));
    }),
  );
  return [...slices, store('all commits', documents)];
}

interface RealSession {
  repository: string;
  prompts: { text: string; relevant: ReadonlySet<string> }[];
  facts: CorpusDocument[];
}

/** What sessions of one repository are worth remembering, asked by what its users typed. */
function repositories(sessions: RealSession[]): PromptStore[] {
  return [...new Set(sessions.map(({ repository }) => repository))].map((repository) => ({
    family: 'real sessions',
    documents: sessions.filter((one) => one.repository === repository).flatMap(({ facts }) => facts),
    prompts: sessions.flatMap((session) =>
      session.prompts.map(({ text, relevant }) => {
        if (session.repository !== repository) return offTopic(text);
        return { text, relevant, kind: relevant.size > 0 ? 'relevant' : 'neighbouring', half: halfOf(text) } as const;
      }),
    ),
  }));
}

function realSessions(): RealSession[] {
  if (!existsSync(join(SESSIONS, 'to-hooks.mjs'))) return [];
  const names = readdirSync(SESSIONS).filter((name) => existsSync(join(SESSIONS, name, 'labels.json')));
  return names.sort().map((name) => {
    const labels: { source: { repo: string }; worth: { id: string; type: string; fact: string }[] } = JSON.parse(
      readFileSync(join(SESSIONS, name, 'labels.json'), 'utf8'),
    );
    const facts = labels.worth.map(({ id, type, fact }) => ({
      id: `${name}:${id}`,
      group: labels.source.repo,
      type,
      title: fact.split(/[:;] /)[0]?.slice(0, 90) ?? '',
      narrative: fact,
      facts: [],
      concepts: [],
      files: [],
      date: '2026-01-01T00:00:00Z',
      session: name,
    }));
    const hooks = execFileSync(process.execPath, ['to-hooks.mjs', name], { cwd: SESSIONS, maxBuffer: 1e9 });
    const prompts = `${hooks}`.split('\n').filter((line) => line.includes('"UserPromptSubmit"'));
    return {
      repository: labels.source.repo,
      facts,
      prompts: prompts.map((line, i) => ({
        text: (JSON.parse(line) as { payload: { prompt: string } }).payload.prompt,
        relevant: new Set(BEARING[name]?.[i]?.map((id) => `${name}:${id}`)),
      })),
    };
  });
}

function offTopic(text: string): SetPrompt {
  return { text, kind: 'off-topic', relevant: NOTHING, half: halfOf(text) };
}

/** The same prompt is in the same half wherever it is asked. */
function halfOf(text: string): SetPrompt['half'] {
  return (hash(text)[0] ?? 0) % 2 === 0 ? 'calibration' : 'held out';
}

/** Some of many, always the same ones. */
function pick<T>(all: T[], count: number, key: (one: T) => string): T[] {
  const keyed = all.map((one) => ({ one, by: hash(key(one)).toString('hex') }));
  return keyed
    .sort((a, b) => (a.by < b.by ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
