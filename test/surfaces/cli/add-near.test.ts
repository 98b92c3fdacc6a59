import { describe, expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

describe('git mem add, next to similar records', () => {
  it('names similar records, and what to do if one is now wrong', async ({ repository }) => {
    put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'The importer cuts batches at ten rows' }));
    put(repository, observationOf({ id: 'p8w2m4ta1c', title: 'Sessions live in Postgres' }));
    const flags = ['add', '--title', 'The importer cuts batches at twenty rows'];
    const { stdout, stderr } = await gitMem(repository, flags);
    const [id = ''] = stdout.split(' ');
    expect(stderr).toBe(
      'near: k3v9x2qd7m  The importer cuts batches at ten rows\n' +
        `Where one of these is wrong now: \`git mem supersede ID --by ${id}\`.\n` +
        `Where one says the same: \`git mem retire ${id}\`.\n` +
        'Where only a part of one is outdated: add the whole of it, corrected, with `--supersedes ID`.\n',
    );
    const near = [{ id: 'k3v9x2qd7m', title: 'The importer cuts batches at ten rows', text: '' }];
    expect(JSON.parse((await gitMem(repository, [...flags, '--json'])).stdout).near).toEqual(near);
    const replacing = await gitMem(repository, [...flags, '--fact', 'Measured.', '--supersedes', 'k3v9']);
    expect(replacing.stderr).not.toContain('k3v9x2qd7m');
  });

  it('names at most three of the similar records', async ({ repository }) => {
    for (const [i, rows] of ['ten', 'thirty', 'forty', 'fifty'].entries()) {
      put(repository, observationOf({ id: `k3v9x2qd${i}m`, title: `The importer cuts batches at ${rows} rows` }));
    }
    for (const [i, place] of ['Postgres', 'Redis', 'cookies', 'headers', 'tokens', 'vaults', 'queues'].entries()) {
      put(repository, observationOf({ id: `p8w2m4ta${i}c`, title: `Sessions live in ${place}` }));
    }
    const { stdout } = await gitMem(repository, [
      'add',
      '--title',
      'The importer cuts batches at twenty rows',
      '--json',
    ]);
    expect(JSON.parse(stdout).near).toHaveLength(3);
  });

  it('names no record that shares only ordinary words', async ({ repository }) => {
    const titles = [
      'The report page is a file for each customer',
      'Only the rows that are shown are counted',
      'Sessions live in Postgres',
      'A failing mail waits for the next run',
      'Invoices are rendered with Chromium',
      'The gateway refuses tokens of other tenants',
    ];
    for (const [i, title] of titles.entries()) put(repository, observationOf({ id: `k3v9x2qd${i}m`, title }));
    const { stderr } = await gitMem(repository, ['add', '--title', 'The importer reads a file row by row']);
    expect(stderr).toBe('');
  });
});
