import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { writeBundle } from '../../../src/exchange/export/export-files.ts';
import { canonical } from '../../../src/memory/canonical.ts';
import { splitFrontMatter } from '../../../src/memory/front-matter.ts';
import { blobId } from '../../../src/memory/id.ts';
import type { MemoryRecord } from '../../../src/memory/record.ts';
import { anyRecord } from '../../support/any-record.ts';
import { importFrom, recordsOf } from '../../support/imports.ts';
import { snapshot } from '../../support/replayed-session.ts';
import { createRepository } from '../../support/repository.ts';
import { runs, SEED } from '../../support/trials.ts';

/** Only what git-mem could have written itself: canonical, anchored by blob ids. */
function writable(record: MemoryRecord): MemoryRecord {
  const one = canonical(record);
  if ((one.kind !== 'observation' && one.kind !== 'mark') || one.anchors === undefined) return one;
  return { ...one, anchors: Object.fromEntries(Object.keys(one.anchors).map((path) => [path, blobId(path)])) };
}

describe('a bundle of the Open Knowledge Format', () => {
  it('loses nothing between export and import', async () => {
    const repository = createRepository();
    const kinds = fc.oneof(anyRecord.observation, anyRecord.summary, anyRecord.mark, anyRecord.prompt);
    const some = fc.uniqueArray(kinds.map(writable), { minLength: 1, maxLength: 8, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(some, async (records) => {
        const cleaner = createCleaner([], 200_000);
        for (const record of records) {
          const text = JSON.stringify(record);
          fc.pre((await cleaner.text(text)) === text);
        }
        const [first, second] = [
          mkdtempSync(join(repository.folder, 'a-')),
          mkdtempSync(join(repository.folder, 'b-')),
        ];
        const to = createRepository();
        try {
          writeBundle(first, records);
          expect(await importFrom(to, 'okf', { path: first })).toEqual({
            imported: records.length,
            skipped: 0,
            problems: [],
          });
          const arrived = new Map((await recordsOf(to)).map((record) => [record.id, record]));
          writeBundle(
            second,
            records.flatMap(({ id }) => arrived.get(id) ?? []),
          );
          expect(snapshot(second)).toEqual(snapshot(first));
        } finally {
          for (const folder of [first, second, to.root]) rmSync(folder, { recursive: true, force: true });
        }
      }),
      runs(40),
    );
  });

  it('is conformant: a type in every file, and indexes that lead to all of them', () => {
    const { folder } = createRepository();
    const records = (['observation', 'summary', 'mark', 'prompt'] as const).map((kind, i) => ({
      ...fc.sample(anyRecord[kind], { seed: SEED, numRuns: 1 })[0],
      id: `k3v9x2qd7${i}`,
    })) as MemoryRecord[];
    const out = join(folder, 'bundle');
    writeBundle(out, records.map(writable));
    const files = snapshot(out);
    for (const [path, text] of Object.entries(files)) {
      if (path.endsWith('index.md')) continue;
      expect(splitFrontMatter(text, path).data.type, path).toMatch(/\S/);
      const [name, ...rest] = path.split('/');
      expect(files[`${name}/index.md`]).toContain(`(${rest.join('/')})`);
    }
    expect(files['index.md']).toContain('okf_version: "0.2"');
    expect(() => writeBundle(out, [])).toThrow('is not empty');
  });

  it('from another tool is read by title, description, tags and timestamp, and keeps its own keys', async () => {
    const repository = createRepository();
    const path = mkdtempSync(join(repository.folder, 'bundle-'));
    writeFileSync(join(path, 'index.md'), '# Index\n');
    writeFileSync(join(path, 'log.md'), '## 2026-01-01\n');
    writeFileSync(
      join(path, 'orders.md'),
      '---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row an order\ntags: [sales]\ntimestamp: 2026-01-02T03:04:05Z\nresource: https://example.com/orders\nid: 17\n---\n\n# Schema\n\n- id\n',
    );
    writeFileSync(join(path, 'untyped.md'), '---\ntitle: x\n---\n');
    writeFileSync(join(path, 'bare.md'), 'No front matter.');
    const report = await importFrom(repository, 'okf', { path });
    expect(report).toMatchObject({ imported: 1, skipped: 0 });
    expect(report.problems.map(({ place }) => place)).toEqual(['bare.md', 'untyped.md']);
    expect(await recordsOf(repository)).toMatchObject([
      {
        type: 'discovery',
        title: 'Orders',
        subtitle: 'One row an order',
        concepts: ['sales'],
        narrative: '# Schema\n\n- id',
        generated: { by: 'okf', at: '2026-01-02T03:04:05Z' },
        extra: { okf_type: 'BigQuery Table', okf_id: '17', resource: 'https://example.com/orders' },
      },
    ]);
    expect(await importFrom(repository, 'okf', { path })).toMatchObject({ imported: 0, skipped: 1 });
  });
});
