import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/capture/agents/agents.ts';
import type { AgentEvent } from '../../src/capture/agents/event.ts';
import { completedEvents } from '../../src/capture/drain/event-file.ts';
import { pending, readEvent } from '../../src/capture/spool/spool.ts';
import { idOf } from '../../src/memory/id.ts';
import { filesBelow } from '../support/files-below.ts';
import { hookCall } from '../support/hook-call.ts';
import { isRecorded, type Occasion, occasionsOf } from '../support/host-occasions.ts';
import { tableIn } from '../support/markdown-table.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

/** The table of agents in docs/getting-started.md: what it says is what happens. */
const COLUMNS = ['`--host`', 'reads', 'a session starts', 'a prompt', 'a file is read', 'MCP server', 'seen'] as const;
type Column = (typeof COLUMNS)[number];

const TITLE = 'Tolerate clock skew between nodes';
const NOTE = 'note in `AGENTS.md`';

const [header = [], ...rows] = tableIn(readFileSync('docs/getting-started.md', 'utf8'), '| `--host` |');

it('has the columns that the tests check, and a row for every adapter', () => {
  expect(header).toEqual(COLUMNS);
  expect(rows.map(([host = '']) => host.replaceAll('`', '')).sort()).toEqual(AGENTS.map(({ name }) => name).sort());
  for (const row of rows) expect(row, row[0]).toHaveLength(COLUMNS.length);
});

describe.each(rows.map((row) => ({ host: (row[0] ?? '').replaceAll('`', ''), row })))('$host', ({ host, row }) => {
  const agent = AGENTS.find(({ name }) => name === host) ?? expect.fail(`${host} is no adapter.`);
  const dialects = occasionsOf(host);
  const all = dialects.flatMap(({ start, prompt, read, rest }) => [...start, ...prompt, ...read, ...rest]);
  const sessions = new Set(
    all.flatMap(({ event, payload }) => agent.toEvents(event, payload)).map((one) => one.session),
  );
  let repository: TestRepository;
  let remove = () => {};

  beforeAll(async () => {
    repository = createRepository('repository', (undo) => {
      remove = undo;
    });
    repository.write('src/auth.ts', 'export const leeway = 30;\n');
    await repository.call('init', '--yes', '--host', host);
    const ours = {
      narrative: 'A node whose clock runs ahead gave a 401 right after login: hence the `leeway`.',
      files_modified: ['src/auth.ts'],
    };
    put(repository, observationOf({ id: idOf('skew'), type: 'bugfix', title: TITLE, ...ours }));
    put(
      repository,
      observationOf({ id: idOf('slugs'), title: 'Colliding slugs get the post id', files_read: ['src/a.ts'] }),
    );
    put(
      repository,
      observationOf({ id: idOf('pdf'), title: 'Invoices are rendered to PDF', files_read: ['src/pdf.ts'] }),
    );
    await repository.call('sync');
  });
  afterAll(() => remove());

  /** The cell under a column, with what is claimed in the name of its test. */
  const cell = (column: Column, look: (said: string) => Promise<void> | void) => {
    const said = row[COLUMNS.indexOf(column)] ?? '';
    it(`${host} · ${column} · ${said || 'nothing'}`, () => look(said));
  };

  /** Reports an event as the host does, in a session of the cell's own; gives what it is told. */
  function hook({ event, payload }: Occasion, session: string): Promise<string> {
    let input = JSON.stringify(payload).replaceAll('/repo', repository.root);
    for (const name of sessions) input = input.replaceAll(name, `${session}-${name}`);
    return hookCall(repository, host, event, input);
  }

  /** Of what is reported in one go, those that are answered with the record; anything else must be silence. */
  async function answered<T extends Occasion>(occasions: T[], session: string): Promise<T[]> {
    const answers: T[] = [];
    for (const [i, occasion] of occasions.entries()) {
      const told = await hook(occasion, `${session}${i}`);
      if (told === '') continue;
      expect(told).toContain(TITLE);
      answers.push(occasion);
    }
    return answers;
  }

  /** What the first client gets and, where another one differs, what that gets. */
  function inEveryDialect(words: string[]): string {
    const [first = ''] = words;
    const others = dialects.flatMap(({ client = '' }, i) => {
      const word = words[i] ?? '';
      return word === first ? [] : [`${client}: ${word || 'nothing'}`];
    });
    return [first, ...others].join('; ');
  }

  /** `injected`, a note instead, or nothing. */
  async function expectTold(said: string, occasions: Occasion[][], session: string): Promise<void> {
    const otherwise = readdirSync(repository.root).includes('AGENTS.md') ? NOTE : '';
    const words: string[] = [];
    for (const [i, reported] of occasions.entries()) {
      words.push((await answered(reported, `${session}${i}`)).length === 1 ? 'injected' : otherwise);
    }
    // What stands behind a comma is about the client, which is not here.
    expect(said.split(',')[0]).toBe(inEveryDialect(words));
  }

  cell('a session starts', async (said) => {
    const starts = dialects.map(({ start }) => start);
    if (!agent.startsWithPrompt) return expectTold(said, starts, 'start');
    // What the start is told comes with the first prompt, whatever that is about.
    for (const one of starts.flat()) expect(await hook(one, 'start')).not.toContain(TITLE);
    const prompts = dialects.map(({ prompt }) => prompt.map(withWords));
    const told = await Promise.all(prompts.flat().map((one) => hook(one, 'start')));
    expect(told.join('')).toContain(TITLE);
    expect(said).toBe('injected');
  });

  cell('a prompt', (said) =>
    expectTold(
      said,
      dialects.map(({ prompt }) => prompt),
      'prompt',
    ),
  );

  cell('a file is read', async (said) => {
    const words: string[] = [];
    for (const [i, { read }] of dialects.entries()) {
      const told = await answered(read, `read${i}`);
      const moments = new Set(told.map(({ event }) => (/^(pre|before)/i.test(event) ? 'before' : 'after')));
      const only = told.every(({ by }) => by === 'command') ? ', commands only' : '';
      words.push(told.length === 0 ? '' : `injected ${[...moments].join(' and ')}${only}`);
      expect(told.length === 0 || told.some(({ by }) => by === 'command')).toBe(true);
    }
    expect(said).toBe(inEveryDialect(words));
  });

  cell('reads', async (said) => {
    const state = join(repository.root, '.git/git-mem');
    const taken = { env: repository.env, at: new Date().toISOString() };
    const before = new Set(pending(state).map(({ name }) => name));
    for (const { log } of dialects) {
      const text = log ? readFileSync(log.recorded, 'utf8') : '';
      for (const name of sessions) if (log) repository.write(`../home/${log.place(`reads-${name}`)}`, text);
    }
    for (const occasion of all) await hook(occasion, 'reads');
    const kept = pending(state).flatMap(({ name }) => {
      const read = before.has(name) ? undefined : readEvent(state, name);
      if (read === undefined) return [];
      expect(read.head.host).toBe(host);
      return completedEvents(agent, read.head.event, JSON.parse(read.payload), taken).map(({ event }) => ({
        from: read.head.event,
        event,
      }));
    });
    expect(said).toBe(wordsFor(kept).join(', '));
  });

  cell('MCP server', (said) => {
    const servers = filesUnder(repository.root).filter((path) =>
      /"mcp"\s*\]/.test(readFileSync(join(repository.root, path), 'utf8')),
    );
    expect(said).toBe(
      servers
        .sort()
        .map((path) => `\`${path}\``)
        .join(', '),
    );
  });

  cell('seen', (said) => {
    expect(said).toMatch(isRecorded(host) ? /^recorded (sessions?|payloads)$/ : /^documentation$/);
    expect(dialects.length).toBeGreaterThan(0);
  });
});

/** A prompt that no record is about. */
function withWords({ event, payload }: Occasion): Occasion {
  return { event, payload: { ...payload, prompt: 'go on please' } };
}

/** What was captured, in the words of the table. */
function wordsFor(kept: { from: string; event: AgentEvent }[]): string[] {
  const has = (claim: (event: AgentEvent) => boolean) => kept.some(({ event }) => claim(event));
  const actions = new Map<string, Set<string>>();
  for (const { from, event } of kept) {
    if (event.kind === 'tool') actions.set(from, (actions.get(from) ?? new Set()).add(event.call.action));
  }
  const kinds = new Set([...actions.values()].flatMap((some) => [...some]));
  // One event for whatever tool there is, or one for each kind of them.
  const isAny =
    [...actions.values()].some(({ size }) => size > 1) || [...kinds].some((kind) => !/^(edit|command)$/.test(kind));
  return [
    ...(has((event) => event.kind === 'prompt' && event.text !== '') ? ['prompts'] : []),
    ...(isAny ? ['tools'] : [...(kinds.has('edit') ? ['edits'] : []), ...(kinds.has('command') ? ['commands'] : [])]),
    ...(has((event) => event.kind === 'turn-end' && event.text !== '') ? ['answers'] : []),
    ...(has((event) => event.kind === 'report') ? ['sub-agents'] : []),
    ...(has((event) => event.kind === 'session-end') ? ['ends'] : []),
  ];
}

/** The files of a checkout but for git's and memory itself. */
function filesUnder(root: string): string[] {
  return filesBelow(root).filter((path) => !/^\.(git|memory)\//.test(path));
}
