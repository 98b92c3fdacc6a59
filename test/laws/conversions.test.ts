import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/memory/codec.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import type { Trust } from '../../src/provenance/levels.ts';
import { trustOf } from '../../src/provenance/trust.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { runs } from '../support/trials.ts';
import { observationOf, put } from '../support/written-records.ts';

const OURS = observationOf({ id: 'r0wrec0rd0', title: 'Rows of any length are read' });
// With characters that ident expands and that another encoding writes differently.
const THEIRS = encode({ ...OURS, title: 'Rows may be skipped', narrative: 'See $Id$ and the café.' });
const ATTRIBUTES = '.memory/.gitattributes';

/** What this clone did with the record that it wrote, before somebody else's branch arrives. */
const HISTORIES = {
  'was staged and never committed': ({ git }: TestRepository, path: string) =>
    git('rm', '--quiet', '--cached', '-r', '.memory', path),
  'is committed on a branch': ({ git }: TestRepository) => git('commit', '--quiet', '-m', 'ours'),
  'was dropped by the reviewed branch': ({ git }: TestRepository) => {
    git('commit', '--quiet', '-m', 'ours');
    git('branch', '--force', 'main');
    git('rm', '--quiet', '-r', '.memory');
    git('commit', '--quiet', '-m', 'dropped');
    git('branch', '--force', 'main');
  },
};

/** How bytes in the checkout come to differ from those of the blob: the branch's attributes, the user's settings. */
const CONVERSIONS: Record<string, { attributes?: string; settings?: [string, string][] }> = {
  nothing: {},
  'line ends': { attributes: '* text eol=crlf' },
  idents: { attributes: '* ident' },
  encodings: { attributes: '* working-tree-encoding=ISO-8859-1' },
  'a filter': {
    attributes: '* filter=names',
    settings: [
      ['filter.names.smudge', 'sed s/Rows/Lines/'],
      ['filter.names.clean', 'sed s/Lines/Rows/'],
    ],
  },
  'a filter without its inverse': {
    attributes: '* filter=stored',
    settings: [['filter.stored.smudge', 'cat; echo stored elsewhere']],
  },
  'the line ends of the machine': { settings: [['core.autocrlf', 'true']] },
};

/** How the text arrives. */
const WAYS: Record<string, (repository: TestRepository, path: string) => void> = {
  'a checkout of the branch': ({ git }) => git('switch', '--quiet', '--force', 'theirs'),
  'a checkout of its memory': ({ git }) => git('checkout', '--quiet', 'theirs', '--', '.memory'),
  'a restore of the files alone': ({ git }) => git('restore', '--source=theirs', '--', '.memory'),
  'a squash': ({ git }) => git('merge', '--quiet', '--squash', '-X', 'theirs', 'theirs'),
  'a pick': ({ git }) => git('cherry-pick', '--no-commit', '-X', 'theirs', 'theirs'),
  'a patch': ({ git, root, folder }, path) => {
    // Not over a record of ours that git tracks: that is an edit like any other.
    if (git('ls-files', path) !== '') return;
    rmSync(join(root, path), { force: true });
    writeFileSync(join(folder, 'patch'), git('diff', '--no-ext-diff', '--binary', '--no-renames', EMPTY, 'theirs'));
    git('apply', '--include', path, '--include', ATTRIBUTES, join(folder, 'patch'));
  },
  // What git has never seen, at a path that others know.
  'a patch from a mail': (repository, path) => {
    if (repository.git('ls-files', path) === '') repository.write(path, THEIRS.replace('may be', 'are'));
  },
};
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What happens to the checkout afterwards. */
const AFTERWARDS: Record<string, (repository: TestRepository, path: string) => void> = {
  nothing: () => {},
  'git looks at the file again': ({ root }, path) => utimesSync(join(root, path), 1, 1),
  // Git takes those of the index where the checkout has none.
  'the attributes go': ({ git, root }) => {
    git('update-index', '--force-remove', ATTRIBUTES);
    rmSync(join(root, ATTRIBUTES), { force: true });
  },
  'the attributes go from the checkout': ({ root }) => rmSync(join(root, ATTRIBUTES), { force: true }),
};

/** Those that one part of the rule alone tells from an edit. */
const EXAMPLES: [[history: string, conversion: string, way: string, afterwards: string]][] = [
  [['was staged and never committed', 'a filter', 'a checkout of the branch', 'the attributes go']],
  [['was dropped by the reviewed branch', 'nothing', 'a patch from a mail', 'nothing']],
];

async function trustAt({ root, env }: TestRepository, path: string): Promise<Trust | undefined> {
  const workspace = openWorkspace(root, env);
  const { team } = workspace.stores;
  const entry = [...team.newest()].find((one) => `.memory/${one.path}` === path);
  const files = entry === undefined ? [] : [team.load(entry)];
  return (await trustOf(files, workspace, { signatures: true }))[0];
}

const keysOf = (table: object) => fc.constantFrom(...Object.keys(table));

describe('law: what git converts on its way into the checkout is not taken for a person’s edit', () => {
  it('by any attributes, filters and settings, in any way, whatever became of our record', async () => {
    let arrived = 0;
    const any = fc.tuple(keysOf(HISTORIES), keysOf(CONVERSIONS), keysOf(WAYS), keysOf(AFTERWARDS));
    await fc.assert(
      fc.asyncProperty(any, async ([history, conversion, way, afterwards]) => {
        const repository = createRepository();
        const { git, root } = repository;
        const { attributes, settings = [] } = CONVERSIONS[conversion] ?? {};
        // What a filter or an encoding left over our file, without a trace of it, is an edit like any other.
        const isTraceless = way === 'a restore of the files alone' && afterwards.startsWith('the attributes go');
        if (isTraceless && /filter|encodings/.test(conversion)) return;
        git('commit', '--quiet', '--allow-empty', '-m', 'base');
        git('switch', '--quiet', '-c', 'work');
        const path = put(repository, OURS);
        git('add', '--all');
        HISTORIES[history as keyof typeof HISTORIES](repository, path);
        // The branch of somebody else, whose clone has no such settings.
        git('switch', '--quiet', '--force', '-c', 'theirs');
        repository.write(path, THEIRS);
        if (attributes !== undefined) repository.write(ATTRIBUTES, `${attributes}\n`);
        git('add', '--all');
        git('commit', '--quiet', '-m', 'theirs');
        git('switch', '--quiet', 'work');
        for (const [key, value] of settings) git('config', key, value);
        WAYS[way]?.(repository, path);
        AFTERWARDS[afterwards]?.(repository, path);
        const trust = await trustAt(repository, path);
        if (!readFileSync(join(root, path), 'utf8').includes('skipped')) return;
        arrived++;
        expect(trust, `${history}; ${conversion}; ${way}; ${afterwards}`).toMatch(/unreviewed|edited/);
      }),
      { ...runs(300), endOnFailure: true, examples: EXAMPLES },
    );
    expect(arrived).toBeGreaterThan(10);
  }, 300_000);
});
