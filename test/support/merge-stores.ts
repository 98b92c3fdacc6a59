import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeMark } from '../../src/capture/by-hand/mark.ts';
import { save } from '../../src/capture/by-hand/save.ts';
import { createCleaner } from '../../src/capture/drain/clean.ts';
import { GitMemError } from '../../src/errors.ts';
import { wholeSeconds } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import type { Store } from '../../src/memory/store/store.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { readTemplate } from '../../src/templates.ts';
import { generatedObservation } from './generated-records.ts';
import type { Operation } from './merge-trials.ts';
import { summaryOf } from './written-records.ts';

/** A way to keep memory in a checkout, good or bad. */
export interface MergeStore {
  name: string;
  /** Writes what a fresh store consists of. */
  start(root: string): void;
  apply(root: string, operation: Operation): Promise<void>;
}

/** Few, so that branches say things in the same second; the months are not all there from the start. */
const INSTANTS = [8, 9, 23, 40, 41, 71].map((day) => new Date(Date.UTC(2026, 0, day, 12)));
const instantAt = (index: number) => INSTANTS[index % INSTANTS.length] ?? new Date(0);

const REASONS = [
  '',
  'The importer was rewritten, and what this says of its limits does not hold any more: there is one limit, in one place.',
  'Seen again.',
];

const cleaner = createCleaner([]);

/** git-mem itself. */
export const recordStore: MergeStore = {
  name: 'a file a record, only ever added',
  start(root) {
    mkdirSync(join(root, '.memory'));
    writeFileSync(join(root, '.memory/README.md'), readTemplate('init/README.md'));
    writeFileSync(join(root, '.memory/.gitattributes'), readTemplate('init/gitattributes'));
    const { stores } = openWorkspace(root, {});
    for (let i = 0; i < 4; i++) stores.private.put(generatedObservation(100 + i));
  },
  async apply(root, operation) {
    const workspace = openWorkspace(root, {});
    const { team } = workspace.stores;
    switch (operation.do) {
      case 'add':
        await add(workspace, operation.topic, instantAt(operation.instant));
        return;
      case 'capture':
        team.put(captured(operation.event, operation.wording));
        return;
      case 'summarise':
        team.put(summarised(team, operation.session, instantAt(operation.instant)));
        return;
      case 'promote': {
        const [entry] = [...workspace.stores.private.newest('observation')].slice(operation.which);
        if (entry !== undefined) team.put(workspace.stores.private.read(entry).record);
        return;
      }
      case 'mark':
        await mark(workspace, operation);
        return;
      default:
        operation satisfies never;
    }
  },
};

async function add(workspace: Workspace, topic: number, now: Date): Promise<void> {
  const { root } = workspace.checkout;
  try {
    await save(workspace, generatedObservation(topic), {
      store: 'team',
      maker: { by: 'cli' },
      now,
      cwd: root,
      cleaner,
    });
  } catch (error) {
    // What this branch has redacted is not said again.
    if (!(error instanceof GitMemError) || error.code !== 'redacted') throw error;
  }
}

/** What a drain makes of an event; killed before it noted that, it may find other words, and other files, next time. */
function captured(event: number, wording: number): Observation {
  const base = generatedObservation(20 + event);
  return {
    ...base,
    title: wording === 2 ? `${base.title}, it seems` : base.title,
    narrative: wording > 0 ? `${base.narrative} Told another way.` : base.narrative,
    anchors: { 'src/token/index.ts': wording.toString(16).repeat(40) },
    generated: { ...base.generated, at: wholeSeconds(instantAt(event)) },
  };
}

function summarised(team: Store, session: number, now: Date) {
  const earlier = [...team.newest('summary')].map((entry) => team.read(entry).record);
  const supersedes = earlier.filter((one) => one.session === `session-${session}`).map(({ id }) => id);
  return summaryOf({
    id: idOf('summary', String(session), String(supersedes.length)),
    title: `Session ${session}: the importer and its limits`,
    session: `session-${session}`,
    supersedes,
    completed: `The limit was raised ${supersedes.length + 1} times, and every caller was looked at.`,
    generated: { by: 'claude-code', at: wholeSeconds(now) },
  });
}

async function mark(workspace: Workspace, operation: Operation & { do: 'mark' }): Promise<void> {
  const { type } = operation;
  const entries = [...workspace.stores.team.newest(...(type === 'undo' ? [] : (['observation', 'summary'] as const)))];
  const ids = [...new Set(entries.map(({ id }) => id))].sort();
  if (ids.length === 0) return;
  const at = (index: number) => ids[index % ids.length] ?? '';
  const by = at(operation.by);
  const targets = operation.targets.map(at).filter((id) => type !== 'supersede' || id !== by);
  const options = { maker: { by: 'cli' }, now: instantAt(operation.instant), cleaner };
  const reason = REASONS[operation.reason] ?? '';
  try {
    await writeMark(workspace, { type, targets, reason, store: 'team', ...(type === 'supersede' && { by }) }, options);
  } catch (error) {
    // Nothing to undo, or nothing left to supersede: then the operation does nothing.
    if (!(error instanceof GitMemError)) throw error;
  }
}

const about = (operation: Operation) => JSON.stringify(operation);

/** The store that everyone writes first: one file, new things at its end, what changes changed in its place. */
export const oneFile: MergeStore = {
  name: 'one file, edited in place',
  start(root) {
    writeFileSync(join(root, '.gitattributes'), readTemplate('init/gitattributes'));
    writeFileSync(join(root, 'memory.md'), '# Memory\n');
  },
  async apply(root, operation) {
    const file = join(root, 'memory.md');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    if (operation.do === 'mark') {
      for (const target of operation.targets) {
        const line = target % lines.length;
        lines[line] = `${lines[line]} (${operation.type}, ${operation.reason})`;
      }
    } else lines.push(`- ${about(operation)}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
  },
};

/** A file a record, but what is said of a record later is written into its file. */
export const statusInPlace: MergeStore = {
  name: 'a file a record, its status edited in place',
  start(root) {
    mkdirSync(join(root, 'memory'));
    writeFileSync(join(root, '.gitattributes'), readTemplate('init/gitattributes'));
    writeFileSync(join(root, 'memory/first.md'), 'status:\n\nFirst.\n');
  },
  async apply(root, operation) {
    const folder = join(root, 'memory');
    const names = readdirSync(folder).sort();
    if (operation.do !== 'mark') {
      const file = join(folder, `${idOf(about(operation))}.md`);
      if (!existsSync(file)) writeFileSync(file, `status:\n\n${about(operation)}\n`);
      return;
    }
    for (const target of operation.targets) {
      const file = join(folder, names[target % names.length] ?? 'first.md');
      const said = `status: ${operation.type} ${operation.reason}`;
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^status:.*$/m, said));
    }
  },
};
