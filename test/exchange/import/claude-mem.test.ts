import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../../src/memory/record.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { uuidOf, writeClaudeMem } from '../../support/claude-mem.ts';
import { importFrom, liveRecords, recordsOf } from '../../support/imports.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { describeSqlite, ENGINE, itSqlite, openDatabase } from '../../support/sqlite.ts';

const it = test.extend('repository', () => createMemory());

/** A repository, and a claude-mem database where claude-mem keeps it. */
function createMemory(plan: { observations?: number; early?: boolean } = {}): TestRepository & { path: string } {
  const repository = createRepository();
  const folder = join(repository.folder, 'home', '.claude-mem');
  mkdirSync(folder);
  const path = join(folder, 'claude-mem.db');
  writeClaudeMem(path, { project: 'repository', observations: 40, root: repository.root, ...plan });
  return { ...repository, path };
}

function change(path: string, sql: string): void {
  const db = openDatabase(path);
  db.exec(sql);
  db.close();
}

function sourceOf({ extra }: MemoryRecord): unknown {
  const source = extra?.source;
  return typeof source === 'object' && !Array.isArray(source) ? source.item : undefined;
}

/** Where a column's content goes in a record; most have the column's name. */
const MOVED: Record<string, string> = {
  id: 'source',
  text: 'narrative',
  prompt_text: 'text',
  created_at: 'generated.at',
  created_at_epoch: 'generated.at',
  memory_session_id: 'session',
  content_session_id: 'session',
};

/** The columns of a table that become part of a record, and where. */
function placesOf(table: 'observations' | 'session_summaries' | 'user_prompts'): [column: string, key: string][] {
  const common = 'id created_at created_at_epoch prompt_number';
  const said = 'memory_session_id files_read discovery_tokens';
  const columns = {
    observations: `${common} ${said} type title subtitle facts narrative text concepts files_modified`,
    session_summaries: `${common} ${said} request investigated learned completed next_steps files_edited notes`,
    user_prompts: `${common} content_session_id prompt_text`,
  }[table];
  return columns.split(' ').map((column) => [column, MOVED[column] ?? column]);
}

/** All that a record says under a key such as `generated.at`, as text. */
function placeIn(record: MemoryRecord | undefined, key: string): string {
  if (key === 'source') return JSON.stringify(record?.extra?.source);
  const found = key.split('.').reduce<unknown>((value, name) => new Map(Object.entries(value ?? {})).get(name), record);
  return typeof found === 'string' ? found : JSON.stringify(found ?? '');
}

/** What a value of a column must leave in a record. */
function expectedOf(column: string, value: unknown, root: string): string[] {
  if (value === null || value === undefined) return [];
  // Sessions are called by the host's own ids, which captured records have too.
  if (column === 'memory_session_id') return [value === uuidOf('memory 0') ? uuidOf('content 0') : uuidOf('content 1')];
  if (column === 'created_at_epoch') return [new Date(Number(value)).toISOString().slice(0, 19)];
  if (column === 'created_at') return [String(value).slice(0, 19)];
  if (!String(value).startsWith('[')) return [String(value).trim()];
  const entries: string[] = JSON.parse(String(value));
  // Files outside the repository are not cited.
  return entries.map((entry) => entry.replace(`${root}/`, '')).filter((entry) => !/^(?:\/|\.\.)/.test(entry));
}

describeSqlite('git mem import claude-mem', () => {
  it('imports observations, summaries and prompts of this project, each only once', async ({ repository }) => {
    const planned = await importFrom(repository, 'claude-mem', { dryRun: true });
    expect(planned).toMatchObject({ imported: 40 + 2 + 8, skipped: 0, problems: [] });
    expect(await liveRecords(repository)).toEqual([]);
    expect(await importFrom(repository, 'claude-mem')).toEqual(planned);
    expect(await importFrom(repository, 'claude-mem')).toMatchObject({ imported: 0, skipped: 50, problems: [] });
    const records = await liveRecords(repository);
    expect(records).toHaveLength(50);
    expect(records.find(({ kind }) => kind === 'observation')).toMatchObject({
      type: 'decision',
      title: 'Bound the token clock skew of module 0',
      concepts: ['token', 'gotcha'],
      subtitle: 'Part 0 had no bound, so token clock skew grew without end',
      narrative: expect.stringContaining('A limit of 0 was put in'),
      facts: ['Module 0 reads its limit from src/limits.ts.', 'The test for token clock skew failed before.'],
      files_modified: ['src/module-0.ts'],
      files_read: ['src/limits.ts', 'src/clock.ts'],
      anchors: {},
      session: uuidOf('content 0'),
      prompt_number: 1,
      discovery_tokens: 1000,
      generated: { by: 'claude-mem', at: '2025-10-01T08:00:00Z' },
      extractor: 'import/claude-mem',
      extra: { source: { from: 'claude-mem', item: `observations/${uuidOf('memory 0')}/1` } },
    });
    expect(records.find(({ kind }) => kind === 'summary')).toMatchObject({
      title: 'Mend token clock skew 0',
      request: 'Mend token clock skew 0',
      notes: 'Note 0',
      learned: 'The cause of token clock skew is a missing bound.',
      next_steps: 'Measure it.',
      files_read: ['src/a.ts'],
      files_edited: ['src/b.ts'],
    });
  });

  it('puts the contents of each column where they belong', async ({ repository }) => {
    await importFrom(repository, 'claude-mem');
    const records = await recordsOf(repository);
    const db = openDatabase(repository.path, { readonly: true });
    const told = { observations: 0, session_summaries: 0, user_prompts: 0 };
    for (const table of ['observations', 'session_summaries', 'user_prompts'] as const) {
      const rows = db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} LIMIT 25`).all();
      for (const row of [rows[0], rows.at(-1)]) {
        const own = String(row?.memory_session_id ?? row?.content_session_id);
        const record = records.find((one) => sourceOf(one) === `${table}/${own}/${row?.id}`);
        for (const [column, becomes] of placesOf(table)) {
          const expected = expectedOf(column, row?.[column], repository.root);
          const held = placeIn(record, becomes);
          for (const words of expected)
            expect({ column, held }).toEqual({ column, held: expect.stringContaining(words) });
          told[table] += expected.length;
        }
      }
    }
    db.close();
    // Columns that hold nothing prove nothing.
    expect(told).toEqual({ observations: 34, session_summaries: 28, user_prompts: 12 });
  });

  it('reads the schema of early versions', async () => {
    const repository = createMemory({ early: true });
    expect(await importFrom(repository, 'claude-mem')).toMatchObject({ imported: 50, problems: [] });
    const [first] = (await liveRecords(repository)).filter(({ kind }) => kind === 'observation');
    expect(first).toMatchObject({ session: uuidOf('content 0') });
    expect(first).not.toHaveProperty('discovery_tokens');
  });

  it('turns a changed row into a record that supersedes the old one, and leaves retired records retired', async () => {
    const repository = createMemory({ observations: 3 });
    await importFrom(repository, 'claude-mem');
    const [first, second] = (await liveRecords(repository)).filter(({ kind }) => kind === 'observation');
    repository.gitMem('retire', second?.id ?? '');
    change(repository.path, "UPDATE observations SET narrative = 'Said anew.' WHERE id IN (1, 2)");
    expect(await importFrom(repository, 'claude-mem')).toMatchObject({ imported: 1, skipped: 4 });
    const live = (await liveRecords(repository)).filter(({ kind }) => kind === 'observation');
    expect(live).toHaveLength(2);
    expect(live).toContainEqual(expect.objectContaining({ narrative: 'Said anew.', supersedes: [first?.id] }));
  });

  it('removes secrets, private text and hidden characters, wherever they occur', async () => {
    const repository = createMemory({ observations: 2 });
    const secret = `gh${'p_'}${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
    const text = `Uses ${secret} \u202eback\u200b <private>our plan</private>`;
    const db = openDatabase(repository.path);
    db.prepare(`UPDATE observations SET title = ?, subtitle = ?, narrative = ?, facts = ?, concepts = ?, type = ?`).run(
      ...[text, text, text, JSON.stringify([text]), JSON.stringify([text]), text],
    );
    db.prepare('UPDATE session_summaries SET request = ?, learned = ?, notes = ?').run(text, text, text);
    db.prepare('UPDATE user_prompts SET prompt_text = ?').run(text);
    db.close();
    expect(await importFrom(repository, 'claude-mem')).toMatchObject({ imported: 4, problems: [] });
    const all = JSON.stringify(await liveRecords(repository));
    for (const hidden of [secret, 'our plan', '\u202e', '\u200b']) expect(all).not.toContain(hidden);
  });

  it('puts a title that is too long before the text', async () => {
    const repository = createMemory({ observations: 1 });
    const long = 'A title that goes on and on '.repeat(8).trim();
    change(repository.path, `UPDATE observations SET title = '${long}', narrative = '${'Long. '.repeat(400)}'`);
    await importFrom(repository, 'claude-mem');
    const record = (await liveRecords(repository)).find(({ kind }) => kind === 'observation');
    expect(record).toMatchObject({ narrative: `${long}\n\n${'Long. '.repeat(400).trim()}` });
  });

  it('lists the available projects where this one is not among them', async ({ repository }) => {
    await expect(importFrom(repository, 'claude-mem', { project: 'nowhere' })).rejects.toMatchObject({
      message: 'It has nothing from a project "nowhere".',
      hint: 'Name one with --project: repository (42), another (1).',
    });
    expect(await importFrom(repository, 'claude-mem', { project: 'another' })).toMatchObject({ imported: 1 });
  });

  it('reports a missing database, or a file that is none', async () => {
    const repository = createRepository();
    const failing = (path?: string) => importFrom(repository, 'claude-mem', { ...(path && { path }) });
    await expect(failing()).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('claude-mem.db'),
    });
    const file = join(repository.folder, 'noise.db');
    writeFileSync(file, 'no database, but long enough to look at'.repeat(50));
    await expect(failing(file)).rejects.toMatchObject({ code: 'bad-input' });
    await expect(failing(repository.root)).rejects.toMatchObject({ code: 'bad-input' });
    symlinkSync(file, join(repository.root, 'link.db'));
    await expect(failing(join(repository.root, 'link.db'))).rejects.toMatchObject({
      message: expect.stringContaining('leads out of the repository'),
    });
  });

  it('never runs a view named like a table', async () => {
    const repository = createRepository();
    const path = join(repository.folder, 'view.db');
    change(
      path,
      `CREATE VIEW observations AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
       SELECT x AS id, 'repository' AS project FROM n`,
    );
    await expect(importFrom(repository, 'claude-mem', { path })).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('leaves the database unchanged', async ({ repository }) => {
    const before = readFileSync(repository.path);
    await importFrom(repository, 'claude-mem');
    expect(readFileSync(repository.path).equals(before)).toBe(true);
  });
});

it.skipIf(ENGINE !== 'minisearch')('says what its database needs where no SQLite is available', async () => {
  const repository = createRepository();
  const path = join(repository.folder, 'claude-mem.db');
  writeFileSync(path, 'SQLite format 3\0');
  const refusal = { code: 'bad-input', message: expect.stringContaining('The database needs SQLite') };
  await expect(importFrom(repository, 'claude-mem', { path })).rejects.toMatchObject(refusal);
});

describe('git mem import claude-mem-json', () => {
  itSqlite('treats the rows of an export as those of the database', async () => {
    const repository = createMemory();
    await importFrom(repository, 'claude-mem');
    const db = openDatabase(repository.path, { readonly: true });
    const rows = (table: string) => db.prepare(`SELECT * FROM ${table}`).all();
    const exported = {
      sessions: rows('sdk_sessions'),
      observations: rows('observations'),
      summaries: rows('session_summaries'),
      prompts: rows('user_prompts'),
    };
    db.close();
    const path = join(repository.folder, 'memories.json');
    writeFileSync(path, JSON.stringify(exported));
    expect(await importFrom(repository, 'claude-mem-json', { path })).toMatchObject({ imported: 0, skipped: 50 });
  });

  it('says so where the file is something else, without quoting it', async () => {
    const repository = createRepository();
    const path = join(repository.folder, 'memories.json');
    for (const content of ['{"observations": "no list"}', 'top secret', '[]', Buffer.from([0xff, 0xfe])]) {
      writeFileSync(path, content);
      const error = await importFrom(repository, 'claude-mem-json', { path }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'bad-input' });
      expect(String(error)).not.toContain('top secret');
    }
    expect(openWorkspace(repository.root, repository.env).stores.private.newest().next().done).toBe(true);
  });
});
