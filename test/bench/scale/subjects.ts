import { generatedObservation } from '../../support/generated-records.ts';
import type { MeasuredCommand } from './child-cost.ts';

/** The store that commands are asked about. */
export interface Scene {
  count: number;
  cwd: string;
  env: MeasuredCommand['env'];
  /** Path of the built program. */
  program: string;
  /** Payloads of Claude Code's hooks, by event, as they would be here. */
  payload(event: string, session: string): string;
  /** The id of a record in the middle of the store. */
  id: string;
}

/** One command of the table. */
export interface Subject {
  name: string;
  command(scene: Scene): Omit<MeasuredCommand, 'cwd' | 'env'>;
  /** Promised to cost the same whatever the store's size. */
  isFlat?: boolean;
  /** Starts a drain that goes on after it. */
  wakes?: boolean;
  /** What its cost grows with, and why. */
  note: string;
}

const QUICK_RUNS = 12;

const hook = (event: string, { program, payload }: Scene) => ({
  command: [process.execPath, program, 'hook', 'claude-code', event],
  input: payload(event, 'scale'),
  runs: QUICK_RUNS,
});
const own =
  (...args: string[]): Subject['command'] =>
  ({ program }) => ({ command: [process.execPath, program, ...args] });
const runs =
  (command: Subject['command']): Subject['command'] =>
  (scene) => ({ ...command(scene), runs: 3 });

const EVERY = 'linear: reads and decodes every record, and holds them: 5 kB each, and says so where there is no room';
const LISTED = "linear, small: looks at every file's size and times, reads what is asked for";

/** All that is measured as a command, in the order of the table. */
export const SUBJECTS: Subject[] = [
  {
    name: 'capture through .memory/hook',
    command: ({ payload }) => ({
      command: ['sh', '.memory/hook', 'claude-code', 'PostToolUse'],
      input: payload('PostToolUse', 'scale'),
      runs: QUICK_RUNS,
    }),
    isFlat: true,
    note: 'writes one file into the spool',
  },
  {
    name: 'capture through git-mem hook',
    command: (scene) => hook('PostToolUse', scene),
    isFlat: true,
    note: 'writes one file into the spool',
  },
  {
    name: 'session start hook, first of a checkout',
    command: (scene) => ({ ...hook('SessionStart', scene), runs: 1 }),
    wakes: true,
    note: 'linear once where a record is pinned: lists every folder, and notes where pinned ones lie',
  },
  {
    name: 'session start hook',
    command: (scene) => hook('SessionStart', scene),
    isFlat: true,
    wakes: true,
    note: "reads the newest month's names, the names of all marks, about seventy records and those that are pinned; git's own index is left alone where it is large",
  },
  {
    name: 'prompt hook',
    command: (scene) => hook('UserPromptSubmit', scene),
    isFlat: true,
    wakes: true,
    note: 'looks at the folders of the months; counts the records that hold a word of the prompt, 20,000 at most',
  },
  { name: 'context', command: runs(own('context')), isFlat: true, note: 'as the session start hook' },
  { name: 'sync, nothing changed', command: runs(own('sync')), note: "linear: looks at every file's size and times" },
  { name: 'list', command: runs(own('list')), note: 'linear: judges every card of the index, reads thirty files' },
  {
    name: 'search, words of its own',
    command: ({ count, program }) => ({
      command: [process.execPath, program, 'search', `seen first in run${Math.floor(count / 2)}`],
      runs: 3,
    }),
    note: `${LISTED}; the index finds few candidates`,
  },
  {
    name: 'search, words of every record',
    command: runs(own('search', generatedObservation(4).title)),
    note: `${LISTED}; the index ranks every record that shares a word`,
  },
  {
    name: 'timeline',
    command: (scene) => ({ ...own('timeline', scene.id)(scene), runs: 3 }),
    note: LISTED,
  },
  { name: 'show', command: (scene) => ({ ...own('show', scene.id)(scene), runs: 3 }), note: LISTED },
  { name: 'status', command: own('status'), note: 'linear: judges every card of the index, reads no file' },
  { name: 'stats', command: own('stats'), note: EVERY },
  { name: 'tidy', command: own('tidy', '--json'), note: `${EVERY}; compares each with those that share a rare word` },
  { name: 'why', command: (scene) => own('why', scene.id)(scene), note: EVERY },
  { name: 'why of a file', command: own('why', 'src/token/index.ts'), note: `${EVERY}; then git blame` },
  { name: 'export --format jsonl', command: own('export', '--format', 'jsonl'), note: EVERY },
  {
    name: 'check',
    command: own('check'),
    note: 'linear: reads every record, holds them, looks for secrets in each, and compares it with some dozens of others',
  },
  {
    name: 'check --staged, nothing staged',
    command: own('check', '--staged'),
    note: 'linear, small: the names in two trees; a commit that touches the memory costs as much as a check',
  },
  {
    name: 'diff, nothing changed',
    command: own('diff', 'HEAD...HEAD'),
    note: 'linear: reads and holds the records that stand, to tell what the change does to them',
  },
  {
    name: 'diff, a tenth added',
    command: own('diff', 'HEAD~1...HEAD'),
    note: 'linear: the same, and compares each new record with at most some hundred that share a rare word with it',
  },
];
