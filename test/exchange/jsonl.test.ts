import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCleaner } from '../../src/capture/drain/clean.ts';
import { bringIn as bringArrivals, type ImportReport } from '../../src/exchange/import/bring.ts';
import { exported, jsonlArrivals } from '../../src/exchange/jsonl.ts';
import { authorOf } from '../../src/memory/author.ts';
import { canonical } from '../../src/memory/canonical.ts';
import { blobId, isId } from '../../src/memory/id.ts';
import { LIMITS, type MemoryRecord } from '../../src/memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../src/memory/size.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { readEverything } from '../../src/records/read.ts';
import { anyRecord } from '../support/any-record.ts';
import { createRepository } from '../support/repository.ts';
import { runs } from '../support/trials.ts';

const it = test.extend('workspace', () => createWorkspace());

const NOW = new Date('2026-11-20T12:00:00Z');

function createWorkspace(): Workspace {
  const { root, env } = createRepository();
  return openWorkspace(root, env);
}

function bringIn(
  workspace: Workspace,
  lines: unknown[],
  changes: { store?: 'team'; dryRun?: true } = {},
): Promise<ImportReport> {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const cleaner = createCleaner([], MAX_SCANNED_TEXT);
  return bringArrivals(jsonlArrivals(texts, NOW), { workspace, store: 'private', cleaner, now: NOW, ...changes });
}

async function recordsOf(workspace: Workspace): Promise<MemoryRecord[]> {
  return (await readEverything(workspace)).records.map(({ record }) => record).reverse();
}

const FOLDERS = { team: '', private: '' };

/** The export of everything, without what depends on the place. */
async function exportOf(workspace: Workspace): Promise<{ line: string; comparable: unknown }[]> {
  const { records } = await readEverything(workspace);
  return [...exported(records.reverse(), FOLDERS)].map((line) => {
    const { store: _, path: __, trust: ___, freshness: ____, ...comparable } = JSON.parse(line);
    return { line, comparable };
  });
}

describe('import', () => {
  it('needs only a title, and supplies the date and id itself', async ({ workspace }) => {
    expect(await bringIn(workspace, [{ title: 'Clocks run ahead' }])).toEqual({
      imported: 1,
      skipped: 0,
      problems: [],
    });
    const [record] = await recordsOf(workspace);
    expect(record).toMatchObject({
      kind: 'observation',
      type: 'change',
      title: 'Clocks run ahead',
      facts: [],
      anchors: {},
      generated: { by: 'import', at: '2026-11-20T12:00:00Z' },
    });
    expect(isId(record?.id ?? '')).toBe(true);
  });

  it('keeps a valid, free id, and imports the same record only once', async ({ workspace }) => {
    const lines = [
      { id: 'k3v9x2qd7m', title: 'One', created: '2026-11-01T00:00:00Z' },
      { id: 'obs-17', title: 'Two', created: '2026-11-02T00:00:00Z' },
      { title: 'Three' },
    ];
    expect(await bringIn(workspace, lines, { store: 'team' })).toMatchObject({ imported: 3, skipped: 0 });
    expect(await bringIn(workspace, lines)).toEqual({ imported: 0, skipped: 3, problems: [] });
    const records = await recordsOf(workspace);
    expect(records).toHaveLength(3);
    expect(records[0]?.id).toBe('k3v9x2qd7m');
  });

  it('gives a record another id where its own is taken, and updates references to it', async ({ workspace }) => {
    await bringIn(workspace, [{ id: 'k3v9x2qd7m', title: 'Here first', created: '2026-11-01T00:00:00Z' }]);
    const report = await bringIn(workspace, [
      { id: 'zzzzzzzzzz', kind: 'mark', type: 'retire', targets: ['k3v9x2qd7m'], created: '2026-11-04T00:00:00Z' },
      { id: 'k3v9x2qd7m', title: 'Another store had this', created: '2026-11-02T00:00:00Z' },
      { id: 'yyyyyyyyyy', title: 'Replaces', supersedes: ['k3v9x2qd7m', 'no id'], created: '2026-11-03T00:00:00Z' },
    ]);
    expect(report).toEqual({ imported: 3, skipped: 0, problems: [] });
    const [first, second, third, mark] = await recordsOf(workspace);
    expect([first?.id, third?.id, mark?.id]).toEqual(['k3v9x2qd7m', 'yyyyyyyyyy', 'zzzzzzzzzz']);
    expect(third).toMatchObject({ supersedes: [second?.id] });
    expect(mark).toMatchObject({ targets: [second?.id] });
  });

  it('leaves anchors out where a record brings none, and takes nobody for its author', async () => {
    const { root, env, write } = createRepository();
    const workspace = openWorkspace(root, env);
    write('src/a.ts', 'here\n');
    await bringIn(workspace, [
      { title: 'Without', files_modified: ['src/a.ts', 'src/gone.ts', '../outside', '/etc/passwd'], created: 1 },
      {
        title: 'With',
        files_modified: ['src/a.ts'],
        anchors: { 'src/a.ts': 'a'.repeat(40), b: 'no blob' },
        created: 2000,
      },
      { title: 'With none', files_modified: ['src/a.ts'], anchors: {}, created: 3000 },
    ]);
    const anchors = (await recordsOf(workspace)).map((record) => record.kind === 'observation' && record.anchors);
    expect(anchors).toEqual([{}, { 'src/a.ts': 'a'.repeat(40) }, {}]);
    const [first] = await recordsOf(workspace);
    expect(first?.generated).toEqual({ by: 'import', at: '1970-01-01T00:00:00Z' });
    expect(first && authorOf(first)).toBe('model');
  });

  it('removes secrets and private text, wherever they occur', async ({ workspace }) => {
    const secret = `gh${'p_'}${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
    await bringIn(
      workspace,
      [
        {
          title: `Uses ${secret}`,
          narrative: `See <private>our plan</private> ${secret}`,
          facts: [secret],
          concepts: [secret],
          subtitle: secret,
          branch: secret,
          session: secret,
          extractor: secret,
          extra: { note: secret },
          generated_by: secret,
          files_read: [`config/${secret}.txt`, 'a.ts'],
        },
        { kind: 'summary', title: 'S', learned: secret, notes: secret },
        { kind: 'mark', type: 'pin', targets: ['k3v9x2qd7m'], reason: secret },
      ],
      { store: 'team' },
    );
    const text = JSON.stringify(await recordsOf(workspace));
    expect(text).not.toContain(secret);
    expect(text).not.toContain('our plan');
    expect(text).toContain('a.ts');
  });

  it('truncates nothing that others wrote except the title, and then puts the full title before the text', async () => {
    const workspace = createWorkspace();
    const long = 'A long sentence about the cache. '.repeat(300).trim();
    const concepts = Array.from({ length: 30 }, (_, i) => `c${i}`);
    const files_read = Array.from({ length: 60 }, (_, i) => `src/${i}.ts`);
    const given = { title: long, narrative: 'Why it is so.', facts: Array(20).fill(long), concepts, files_read };
    const summary = { kind: 'summary', title: long, request: 'To be quick.', learned: long };
    expect((await bringIn(workspace, [given, summary])).problems).toEqual([]);
    const [record, other] = (await recordsOf(workspace)).sort((a, b) => (a.kind < b.kind ? -1 : 1));
    if (record?.kind !== 'observation' || other?.kind !== 'summary') throw new Error('not these two');
    expect(record.title.length).toBeLessThanOrEqual(LIMITS.title);
    expect(record.narrative).toBe(`${long}\n\nWhy it is so.`);
    expect([record.facts, record.concepts, record.files_read]).toEqual([given.facts, concepts, files_read]);
    expect([other.title.length <= LIMITS.title, other.request]).toEqual([true, `${long}\n\nTo be quick.`]);
    expect(other.learned).toBe(long);
  });

  it('refuses a record that is too long to scan, instead of importing part of it', async ({ workspace }) => {
    const narrative = 'Long. '.repeat(40_000);
    const facts = Array(30).fill('long '.repeat(20_000));
    const { imported, problems } = await bringIn(workspace, [
      { title: 'Long', narrative },
      { title: 'Large', facts },
    ]);
    expect([imported, problems.map(({ message }) => message)]).toEqual([
      0,
      ['"narrative" has 240000 characters, more than 200000.', expect.stringContaining('bytes, more than 1000000')],
    ]);
  });

  it('puts prompts into the private store, even with --team', async ({ workspace }) => {
    await bringIn(workspace, [{ kind: 'prompt', text: 'Why is it slow?' }, { title: 'One' }], { store: 'team' });
    const stores = (await readEverything(workspace)).records.map(({ entry }) => `${entry.kind} ${entry.store}`);
    expect(stores.sort()).toEqual(['observation team', 'prompt private']);
  });

  it('names the lines that are not records and imports the others', async ({ workspace }) => {
    const report = await bringIn(workspace, [
      '\ufeff{"title":"Good"}',
      '',
      'secret=not json',
      '[]',
      'null',
      '{"title":5}',
      '{"facts":["no title"]}',
      '{"kind":"mark","type":"forget","targets":["k3v9x2qd7m"]}',
      '{"kind":"mark","type":"supersede","targets":["k3v9x2qd7m"]}',
      '{"title":"x","created":"soon"}',
      '{"title":"x","extra":{"title":"twice"}}',
      `{"title":"deep","extra":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      '{"title":"x","__proto__":{"polluted":1},"constructor":1}',
    ]);
    expect(report).toMatchObject({ imported: 3, skipped: 0 });
    expect(report.problems.map(({ line, message }) => [line, message])).toEqual([
      [3, 'The line is not JSON.'],
      [4, 'The line is not as expected, which should be of type object.'],
      [5, 'The line is not as expected, which should be of type object.'],
      [6, '"title" is not as expected, which should be of type string.'],
      [7, '"title" is missing.'],
      [8, '"type" is none of supersede, retire, pin, verify, redact, undo.'],
      [9, '"by" is missing.'],
      [10, '"created" is "soon", which is not a time.'],
      [11, expect.stringContaining('duplicated mapping key')],
    ]);
  });

  it('reports in a dry run what it would do, and writes nothing', async ({ workspace }) => {
    const lines = [{ title: 'One' }, { title: 'One' }, 'no'];
    const planned = await bringIn(workspace, lines, { dryRun: true });
    expect(await recordsOf(workspace)).toEqual([]);
    expect(await bringIn(workspace, lines)).toEqual(planned);
    expect(planned).toMatchObject({ imported: 1, skipped: 1, problems: [{ line: 3 }] });
  });
});

it('export and import lose nothing', async () => {
  const kinds = fc.oneof(anyRecord.observation, anyRecord.summary, anyRecord.mark, anyRecord.prompt);
  // Only what git-mem could have written itself: canonical, cleaned, anchored by blob ids, with ids of their own.
  const records = fc.uniqueArray(kinds.map(importable), { minLength: 1, maxLength: 12, selector: ({ id }) => id });
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      const cleaner = createCleaner([], MAX_SCANNED_TEXT);
      const [from, to] = [createWorkspace(), createWorkspace()];
      try {
        for (const record of some) {
          const text = JSON.stringify(record);
          fc.pre((await cleaner.text(text)) === text);
          from.stores[record.kind === 'prompt' ? 'private' : 'team'].put(record);
        }
        const before = await exportOf(from);
        const report = await bringIn(
          to,
          before.map(({ line }) => line),
        );
        expect(report).toEqual({ imported: before.length, skipped: 0, problems: [] });
        const after = await exportOf(to);
        expect(after.map(({ comparable }) => comparable)).toEqual(before.map(({ comparable }) => comparable));
      } finally {
        for (const { checkout } of [from, to]) rmSync(checkout.root, { recursive: true, force: true });
      }
    }),
    runs(60),
  );
});

function importable(record: MemoryRecord): MemoryRecord {
  const one = canonical(record);
  if ((one.kind !== 'observation' && one.kind !== 'mark') || one.anchors === undefined) return one;
  return { ...one, anchors: Object.fromEntries(Object.keys(one.anchors).map((path) => [path, blobId(path)])) };
}
