import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type HandMade, save } from '../../../src/capture/by-hand/save.ts';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';

const TOKEN = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');

describe('a record written by hand', () => {
  it('gets the current branch, commit, time and blobs', async ({ repository }) => {
    repository.write('src/auth.ts', 'auth\n');
    repository.write('README.md', 'readme\n');
    repository.commit('start');
    const made = { files_modified: ['src/auth.ts'], files_read: ['README.md', 'no/such.ts', 'README.md/below'] };
    const { id, created } = await saved(repository, made);
    expect(created).toBe(true);
    expect(read(repository, id)).toMatchObject({
      kind: 'observation',
      branch: 'main',
      commit: repository.git('rev-parse', 'HEAD').trim(),
      generated: { by: 'cli', at: '2026-11-20T20:05:01Z' },
      files_read: ['README.md', 'no/such.ts', 'README.md/below'],
      anchors: {
        'src/auth.ts': repository.git('hash-object', 'src/auth.ts').trim(),
        'README.md': repository.git('hash-object', 'README.md').trim(),
      },
    });
  });

  it('cites files relative to the current directory, and only those of the repository', async ({ repository }) => {
    const cwd = join(repository.root, 'src');
    repository.write('src/auth.ts', 'auth\n');
    const { id } = await saved(
      repository,
      { files_modified: ['auth.ts', '../README.md', join(repository.root, 'a.ts')] },
      { cwd },
    );
    expect(read(repository, id).files_modified).toEqual(['src/auth.ts', 'README.md', 'a.ts']);
    for (const file of ['../../elsewhere', '/etc/passwd', '..', '../..']) {
      await expect(saved(repository, { files_read: [file] }, { cwd: repository.root })).rejects.toMatchObject({
        code: 'bad-input',
      });
    }
  });

  it('is written once, however often it is given', async ({ repository }) => {
    const first = await saved(repository, { title: 'Once' });
    const again = await saved(repository, { title: 'Once' }, { now: new Date('2026-12-01') });
    expect(again).toMatchObject({ id: first.id, path: first.path, created: false });
    expect((await saved(repository, { title: 'Once', facts: ['but more'] })).id).not.toBe(first.id);
  });

  it('may carry an id, unless another record has that id', async ({ repository }) => {
    const given = { id: 'k3v9x2qd7m', title: 'Brought along' };
    expect(await saved(repository, given)).toMatchObject({ id: 'k3v9x2qd7m', created: true });
    expect(await saved(repository, given)).toMatchObject({ id: 'k3v9x2qd7m', created: false });
    await expect(saved(repository, { ...given, narrative: 'edited since' })).rejects.toMatchObject({
      code: 'bad-input',
      hint: expect.stringContaining('--supersedes k3v9x2qd7m'),
    });
  });

  it('needs a title', async () => {
    for (const title of ['', ' \n ', '<private>only this</private>']) {
      await expect(saved(createRepository(), { title })).rejects.toMatchObject({ code: 'bad-input' });
    }
  });

  it('goes to the requested store', async ({ repository }) => {
    const { id } = await saved(repository, { title: 'Mine alone' }, { store: 'private' });
    expect([...openWorkspace(repository.root, repository.env).stores.team.newest()]).toEqual([]);
    expect(read(repository, id, 'private').title).toBe('Mine alone');
  });
});

describe('law: nothing secret reaches a record written by hand', () => {
  it('in whichever field it occurs', async ({ repository }) => {
    const said = `The token is ${TOKEN} <private>and Initech is the customer</private>`;
    const { id } = await saved(repository, {
      type: TOKEN,
      title: said,
      subtitle: said,
      narrative: said,
      facts: [said],
      concepts: [TOKEN],
      extra: { note: said, list: [TOKEN], nested: { deep: { api_token: TOKEN } }, harmless: 'stays' },
    });
    const record = read(repository, id);
    const text = JSON.stringify(record);
    expect(text).not.toContain(TOKEN.slice(4));
    expect(text).not.toContain('Initech');
    expect(record.title).toMatch(/^The token is \[redacted:.+\]$/);
    expect(record.extra).toMatchObject({
      harmless: 'stays',
      nested: { deep: { api_token: expect.stringContaining('[redacted') } },
    });
  });

  it('even if only the team’s own patterns know it', async () => {
    const { id, repository } = await savedWith(['ACME-*'], { title: 'Ticket ACME-4711 is done' });
    expect(read(repository, id).title).toBe('Ticket [redacted:team-pattern] is done');
  });
});

type Options = Partial<Parameters<typeof save>[2]>;

function saved({ root, env }: TestRepository, made: Partial<HandMade>, options: Options = {}) {
  const nothing = { facts: [], concepts: [], files_modified: [], files_read: [], supersedes: [] };
  const now = new Date('2026-11-20T20:05:01.234Z');
  return save(
    openWorkspace(root, env),
    { type: 'discovery', title: 'A record', narrative: '', ...nothing, ...made },
    { store: 'team', maker: { by: 'cli' }, now, cwd: root, cleaner: createCleaner([]), ...options },
  );
}

async function savedWith(patterns: string[], made: Partial<HandMade>) {
  const repository = createRepository();
  return { repository, ...(await saved(repository, made, { cleaner: createCleaner(patterns) })) };
}

function read({ root, env }: TestRepository, id: string, store: 'team' | 'private' = 'team'): Observation {
  const opened = openWorkspace(root, env).stores[store];
  for (const entry of opened.newest('observation')) {
    const { record } = opened.read(entry);
    if (record.id === id && record.kind === 'observation') return record;
  }
  throw new Error(`${id} was not written.`);
}
