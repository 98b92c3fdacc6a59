import { describe, expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { observationOf, put, summaryOf } from '../../support/written-records.ts';

function createMemory() {
  const repository = createRepository();
  const common = { concepts: ['auth'], files_modified: ['src/auth.ts'], session: 'one' };
  put(repository, observationOf({ id: 'a1aaaaaaaa', ...common, type: 'bugfix', discovery_tokens: 12_000 }));
  put(repository, observationOf({ id: 'b2bbbbbbbb', ...common, concepts: ['__proto__'] }), 'private');
  put(
    repository,
    summaryOf({ id: 'c3cccccccc', session: 'two', generated: { by: 'test', at: '2026-10-01T08:00:00Z' } }),
  );
  put(repository, {
    id: 'd4dddddddd',
    kind: 'mark',
    type: 'retire',
    targets: ['b2bbbbbbbb'],
    reason: '',
    generated: { by: 'test', at: '2026-11-21T10:00:00Z' },
  });
  return repository;
}

describe('git mem stats', () => {
  it('counts records in every way, and what they cost and save', async () => {
    const { code, stdout } = await gitMem(createMemory(), ['stats', '--json']);
    expect(code).toBe(0);
    const { records, tokens, spending, concepts, files } = JSON.parse(stdout);
    expect(records).toEqual({
      live: 2,
      hidden: 1,
      by_store: { team: 2, private: 1 },
      by_kind: { observation: 2, mark: 1, summary: 1 },
      by_type: { bugfix: 1 },
      by_month: { '2026-10': 1, '2026-11': 1 },
      by_trust: { own: 2 },
      by_freshness: { unknown: 2 },
      unreadable: 0,
    });
    expect(tokens.saved).toBe(12_000 - tokens.read_of_these);
    expect(tokens.read).toBeGreaterThan(tokens.read_of_these);
    expect(spending).toEqual({ today: 0, daily_budget: 2_000_000, providers: [], totals: {} });
    expect(concepts).toEqual([{ name: 'auth', count: 1 }]);
    expect(files).toEqual([{ name: 'src/auth.ts', count: 1 }]);
  });

  it('draws charts for people, without colours where stdout is no terminal', async () => {
    const { stdout, stderr } = await gitMem(createMemory(), ['stats']);
    expect(stdout).toMatch(/^2 active records, 1 superseded, retired or redacted\n/);
    expect(stdout).toContain('Types\n  bugfix            1  ▇');
    expect(stdout).toMatch(/Tokens\n {2}to read all {2}\d+\n {2}work behind {2}12,000\n {2}saved {8}11,\d+ \(9\d %\)/);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toBe('');
  });

  it('works on an empty store', async () => {
    expect(await gitMem(createRepository(), ['stats'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 active records'),
    });
  });
});
