import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { forAllTests } from '../../support/set-up.ts';
import { at, createMemory, idsOf } from './searched-memory.ts';

/** For tests that only ask. */
const asked = forAllTests((atEnd) => createMemory(atEnd));

describe('git mem search', () => {
  it.each([
    [['-clock'], ['7h2c9d4e1f']],
    [['clock', '-"clock runs ahead"'], ['p8w2m4ta1c']],
    [['title:clock'], ['k3v9x2qd7m']],
    [['clock', 'AND', 'redis'], ['p8w2m4ta1c']],
    [['verif*'], ['k3v9x2qd7m']],
    [['src/auth/token.ts'], ['k3v9x2qd7m']],
    [['paswords', 'vualt'], ['7h2c9d4e1f']],
  ])('does what was typed: %j', async (words, ids) => {
    expect(idsOf((await gitMem(asked(), ['search', '--json', '--limit', '1', ...words])).stdout)).toEqual(ids);
  });

  it('refuses a query that it would misinterpret, and in a stream only that one', async () => {
    const refused = await gitMem(asked(), ['search', '(clock AND redis) OR vault']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('OR binds tighter than AND');
    const { code, stdout } = await gitMem(asked(), ['search', '--stdin'], {
      stdin: '(clock AND redis) OR vault\nvault\n',
    });
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, first.error, second.total]).toEqual([0, expect.stringContaining('Parentheses'), 1]);
  });

  it('prints a line and the matching sentence for each hit, best first', async () => {
    expect(await gitMem(asked(), ['search', 'seconds', 'of', 'skew'])).toEqual({
      code: 0,
      stdout: `k3v9 2026-11-20 10:00 bugfix    JWT rejected when the clock runs ahead
     It now allows 30 seconds of skew.
`,
      stderr: '',
    });
    expect((await gitMem(asked(), ['search', 'clock', '--limit', '1'])).stderr).toBe(
      '1 more: --limit 2 shows them all.\n',
    );
  });

  it('colours ids and highlights the query’s words', async () => {
    const { stdout } = await gitMem(asked(), ['search', 'failovers'], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[33mp8w2\u001b[39m');
    expect(stdout).toContain('Redis was rejected: no \u001b[1m\u001b[4mfailover\u001b[24m\u001b[22m.');
  });

  it('says so when nothing is found, and that is no failure', async () => {
    expect(await gitMem(asked(), ['search', 'kubernetes'])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing found\. Nearest: \w{10} 2026-11-\d\d \d\d:\d\d \w+: .+\n$/),
    });
    const { total, hits, nearest } = JSON.parse((await gitMem(asked(), ['search', '--json', 'kubernetes'])).stdout);
    expect([total, hits, Object.keys(nearest).slice(0, 4)]).toEqual([0, [], ['id', 'kind', 'type', 'title']]);
  });

  it('says that a memory is empty, and names no nearest record', async () => {
    const empty = createRepository();
    expect((await gitMem(empty, ['search', 'clock'])).stderr).toBe('This memory is empty.\n');
    expect(JSON.parse((await gitMem(empty, ['search', '--json', 'clock'])).stdout)).toEqual({
      query: 'clock',
      took_ms: expect.any(Number),
      total: 0,
      hits: [],
    });
  });

  it('says which quoted phrase is the reason that nothing is found', async () => {
    const query = '"clock stew" clock "skew"';
    const note = 'no record has "clock stew". Without the quotes any of the words counts.';
    const { stdout, stderr } = await gitMem(asked(), ['search', query]);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining(`Nothing found: ${note} Nearest: k3v9x2qd7m `)]);
    expect(JSON.parse((await gitMem(asked(), ['search', query, '--json'])).stdout)).toMatchObject({ total: 0, note });
  });

  it('prints the documented JSON shape', async () => {
    const result = JSON.parse((await gitMem(asked(), ['search', '--json', 'clock', 'skew'])).stdout);
    expect(result).toMatchObject({ query: 'clock skew', total: 2 });
    expect(Object.keys(result)).toEqual(['query', 'took_ms', 'total', 'hits']);
    expect(result.hits[0]).toEqual({
      id: 'k3v9x2qd7m',
      kind: 'observation',
      type: 'bugfix',
      title: 'JWT rejected when the clock runs ahead',
      created: '2026-11-20T10:00:00Z',
      score: expect.any(Number),
      confidence: expect.any(Number),
      path: expect.stringMatching(
        /^\.memory\/observations\/2026-11\/20261120T100000Z-jwt-rejected-when-the-clock-runs-ahead-[0-9a-z]{4}-k3v9x2qd7m\.md$/,
      ),
      trust: 'own',
      freshness: 'unknown',
      snippet: 'It now allows 30 seconds of skew.',
    });
  });

  it.each([
    [['clock', '--type', 'decision'], ['p8w2m4ta1c']],
    [['"clock', 'runs"'], ['k3v9x2qd7m']],
    [['clock', '-postgres'], ['k3v9x2qd7m']],
  ])('%j finds %j', async (args, expected) => {
    expect(idsOf((await gitMem(asked(), ['search', '--json', ...args])).stdout)).toEqual(expected);
  });

  it('accepts files relative to the current directory and to the top of the repository', async () => {
    const repository = createMemory();
    repository.write('src/auth/token.ts', '');
    const cwd = join(repository.root, 'src/auth');
    for (const file of ['.', 'token.ts', '../auth', 'src/auth/token.ts', join(cwd, 'token.ts')]) {
      expect(idsOf((await gitMem(repository, ['search', '--json', '--file', file], { cwd })).stdout), file).toEqual([
        'k3v9x2qd7m',
      ]);
    }
  });

  it('accepts names for recent days', async () => {
    const repository = createRepository();
    // At noon, as today is another day to a command that begins after midnight.
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    remember(repository, [
      { id: 'aaaaaaaaaa', ...at('2026-11-20T12:00:00Z') },
      { id: 'bbbbbbbbbb', ...at('2026-11-19T12:00:00Z') },
      { id: 'cccccccccc', ...at('2026-10-21T12:00:00Z') },
    ]);
    expect(idsOf((await gitMem(repository, ['search', '--json', '--since', 'yesterday'])).stdout)).toEqual([
      'aaaaaaaaaa',
      'bbbbbbbbbb',
    ]);
    expect(idsOf((await gitMem(repository, ['search', '--json', '--until', '2 weeks ago'])).stdout)).toEqual([
      'cccccccccc',
    ]);
    expect(
      JSON.parse((await gitMem(repository, ['list', '--json', '--since', '2 days ago', '--until', 'yesterday'])).stdout)
        .total,
    ).toBe(1);
  });

  it('accepts any text as a query', async () => {
    const texts = [
      'src/db.ts',
      '"',
      "it's",
      'a AND OR NOT NEAR(',
      '*',
      '(',
      'title:x',
      '^x',
      '%',
      '😀',
      '東京',
      "'; DROP TABLE",
      '\\',
      ' ',
      '-',
      '--x y',
      '{}',
      '""',
      'title:alpha^2 NEAR(x y)',
      'alpha\u0000beta',
      '\ud800',
      '{"x":1}',
      '- -',
      '${x}',
      'clock '.repeat(20_000),
      '"'.repeat(1000),
      '-a '.repeat(1000),
    ];
    for (const text of texts)
      expect(await gitMem(asked(), ['search', '--json', '--', text]), text.slice(0, 20)).toMatchObject({
        code: 0,
        stderr: '',
      });
    expect((await gitMem(asked(), ['search', '--', '--limt'])).code).toBe(0);
    expect((await gitMem(asked(), ['search', 'clock', 'x'.repeat(100_000)])).code).toBe(0);
  });

  it('refuses mistyped options, dates and an empty question', async () => {
    expect(await gitMem(asked(), ['search', 'clock', '--limt', '3'])).toMatchObject({ code: 2, stdout: '' });
    expect(await gitMem(asked(), ['search', '--since', 'soon'])).toMatchObject({ code: 2, stdout: '' });
    expect(await gitMem(asked(), ['search'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing to search for'),
    });
  });
});
