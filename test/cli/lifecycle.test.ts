import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/memory/codec.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Mark } from '../../src/memory/record.ts';
import { redactAll } from '../../src/privacy/redact.ts';
import { createRedactor } from '../../src/privacy/secrets.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, edit, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';
const OLD = observationOf({ id: 'k3v9x2qd7m', title: 'A customer was hit', narrative: `Seen at night. ${SENTENCE}` });
const NEW = observationOf({ id: '7h2c9d4e1f', title: 'The queue is bounded' });
const MINE = observationOf({ id: 'p8w2m4ta1c', title: 'A private thought' });

describe('git mem supersede, retire, pin, verify, redact, undo', () => {
  it.each([
    ['supersede', ['k3v9', '--by', '7h2c'], { superseded_by: [NEW.id] }],
    ['retire', ['k3v9'], { retired: true }],
    ['pin', ['k3v9x2'], { pinned: true }],
    ['verify', ['K3V9'], { verified: true }],
    ['redact', ['k3v9'], { redacted: true }],
  ])('%s writes one mark with its reason, and undo reverts it', async (verb, args, expected) => {
    const repository = stocked();
    const before = await stateOf(repository, OLD.id);
    const { code, stdout } = await gitMem(repository, [verb, ...args, '--reason', 'Because.', '--json']);
    expect(code).toBe(0);
    const written = JSON.parse(stdout);
    expect(Object.keys(written).slice(0, 2)).toEqual(['id', 'path']);
    expect(markAt(repository, written.path)).toMatchObject({
      id: written.id,
      kind: 'mark',
      type: verb,
      targets: [OLD.id],
      reason: 'Because.',
      branch: 'main',
      generated: { by: 'cli' },
    });
    expect(await stateOf(repository, OLD.id)).toMatchObject(expected);
    const undone = await gitMem(repository, ['undo', verb === 'pin' ? written.id.slice(0, 6) : 'k3v9', '--json']);
    expect(markAt(repository, JSON.parse(undone.stdout).path)).toMatchObject({ type: 'undo', targets: [written.id] });
    expect(await stateOf(repository, OLD.id)).toEqual(before);
  });

  it.each([
    ['pin', ['pin', 'k3v9'], 'there is nothing to pin'],
    ['verify', ['verify', '7h2c', 'k3v9'], 'there is nothing to verify'],
    ['supersede by', ['supersede', '7h2c', '--by', 'k3v9'], 'it cannot take the place of others'],
  ])('says that a record is retired to %s, and writes nothing', async (_, args, words) => {
    const repository = stocked();
    await gitMem(repository, ['retire', 'k3v9']);
    const before = await stateOf(repository, OLD.id);
    const { code, stderr } = await gitMem(repository, args);
    expect(code).toBe(1);
    expect(stderr).toContain(`${OLD.id} is retired; ${words}.`);
    expect(stderr).toContain(`git mem undo ${OLD.id}`);
    expect(await stateOf(repository, OLD.id)).toEqual(before);
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await gitMem(repository, args)).code).toBe(0);
  });

  it('lets a retired record be superseded, and lets one be pinned that only an untrusted mark retires', async () => {
    const repository = stocked();
    await gitMem(repository, ['retire', 'k3v9']);
    expect((await gitMem(repository, ['supersede', 'k3v9', '--by', '7h2c'])).code).toBe(0);
    drop(repository, markOf({ id: 'm4x1m4x1m4', type: 'retire', targets: [NEW.id] }));
    expect((await gitMem(repository, ['pin', '7h2c'])).code).toBe(0);
  });

  it('takes several records at once and prints the id and the path', async () => {
    const repository = stocked();
    const { stdout, stderr } = await gitMem(repository, ['retire', 'k3v9', '7h2c']);
    expect(stdout).toMatch(
      /^[0-9a-z]{10} {2}\.memory\/marks\/\d{4}-\d\d\/\d{8}T\d{6}Z-retire-k3v9x2qd7m-and-1-[0-9a-z]{4}-[0-9a-z]{10}\.md\n$/,
    );
    expect(stderr).toBe('');
    expect((await gitMem(repository, ['retire', '7h2c', 'k3v9'])).stderr).toBe('It was there already.\n');
    expect((await gitMem(repository, ['list', '--json'])).stdout).not.toContain(OLD.id);
  });

  it('writes a mark for a private record to the private store, and for records of both stores to the team store', async () => {
    const repository = stocked();
    const place = async (...args: string[]) => JSON.parse((await gitMem(repository, [...args, '--json'])).stdout).path;
    expect(await place('pin', 'p8w2')).toContain('.git/git-mem/private/marks/');
    expect(await place('pin', 'p8w2', '7h2c')).toMatch(/^\.memory\/marks\//);
    await gitMem(repository, ['promote', 'p8w2']);
    expect(await place('verify', 'p8w2')).toMatch(/^\.memory\/marks\//);
  });

  it.each<[what: string, args: string[], code: number, says: string]>([
    ['an unknown record', ['retire', 'zzzz'], 1, 'No record has an id that starts with "zzzz"'],
    ['a prefix that is too short', ['retire', 'k3v'], 1, '"k3v"'],
    ['no record', ['retire'], 2, 'missing required argument'],
    ['no successor', ['supersede', 'k3v9'], 2, '--by'],
    ['an unknown successor', ['supersede', 'k3v9', '--by', 'zzzz'], 1, '"zzzz"'],
    ['a record that supersedes itself', ['supersede', 'k3v9', '--by', 'k3v9'], 1, 'cannot supersede itself'],
    ['a private successor of what the team has', ['supersede', 'k3v9', '--by', 'p8w2'], 1, 'git mem promote'],
    ['nothing to undo', ['undo', 'k3v9'], 1, 'nothing to undo'],
    ['a reason that repeats what is redacted', ['redact', 'k3v9', '--reason', SENTENCE], 1, 'repeats'],
  ])('refuses %s', async (_, args, code, says) => {
    const repository = stocked();
    const before = repository.git('status', '--porcelain', '-uall');
    const ran = await gitMem(repository, args);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
    expect(ran.stderr).toContain(says);
    expect(repository.git('status', '--porcelain', '-uall')).toBe(before);
  });

  it('refuses to retire a mark, and says how to undo it', async () => {
    const repository = stocked();
    const { id } = JSON.parse((await gitMem(repository, ['pin', 'k3v9', '--json'])).stdout);
    expect((await gitMem(repository, ['retire', id])).stderr).toContain(`git mem undo ${id}`);
  });

  it('undoes a team mark in the team store, even when a private target of it is named', async () => {
    const repository = createRepository();
    const ours = observationOf({ id: 'a1a1a1a1a1', title: 'The queue is bounded by ten rows' });
    put(repository, ours);
    put(repository, observationOf({ id: 'b2b2b2b2b2', title: 'The queue was bounded by hand' }), 'private');
    await gitMem(repository, ['retire', ours.id, 'b2b2b2b2b2']);
    const { path } = JSON.parse((await gitMem(repository, ['undo', 'b2b2b2b2b2', '--json'])).stdout);
    expect(path).toMatch(/^\.memory\/marks\//);
  });

  it.each(['supersede', 'retire', 'pin', 'verify', 'redact', 'undo', 'promote', 'trust', 'scrub'])(
    'shows help with examples for %s',
    async (verb) => {
      const { code, stdout } = await gitMem(createRepository(), [verb, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout).toContain(`git mem ${verb} `);
    },
  );

  it('are listed once each in the general help', async () => {
    const { stdout } = await gitMem(createRepository(), ['--help']);
    for (const verb of ['supersede', 'undo', 'promote', 'trust', 'scrub']) {
      expect(stdout.match(new RegExp(`^ {2}${verb} `, 'gm'))).toHaveLength(1);
    }
  });
});

describe('git mem pin --guard', () => {
  it('writes what it guards into the mark, once, and shows it', async () => {
    const repository = createRepository();
    await repository.call('init', '--yes');
    put(repository, observationOf({ id: idOf('a') }));
    const args = ['pin', idOf('a'), '--guard', 'src/db/**', '--guard', 'npm  publish', '--ask'];
    const { stdout, stderr } = await gitMem(repository, args);
    expect(stderr).toBe('It guards once the mark and the record are on the reviewed branch.\n');
    const [id = ''] = stdout.split('  ');
    expect(await repository.call('show', '--raw', id)).toContain(
      'guards: ["npm publish", "src/db/**"]\nasks: "person"\n',
    );
    expect(await repository.call('show', id)).toContain('npm publish, src/db/**');
    expect(await repository.call(...args)).toBe(stdout);
    const { records } = JSON.parse(await repository.call('show', '--json', id));
    expect(records[0]).toMatchObject({ type: 'pin', guards: ['npm publish', 'src/db/**'], asks: 'person' });
    expect((await gitMem(repository, ['why', idOf('a')])).stdout).toMatch(
      /pin \S+ by .*, guards npm publish, src\/db\/\*\* and asks\n/,
    );
    expect((await repository.call('pin', idOf('a'))).split('  ')[0]).not.toBe(id);
  });

  it.each([
    [['team', '--ask'], '--ask needs --guard.'],
    [['team', '--guard', '**'], 'is no pattern to guard'],
    [['private', '--guard', 'src/**'], 'is in the private store, and only reviewed records guard'],
    [['summary', '--guard', 'src/**'], 'is not an observation, and only observations guard'],
  ])('is refused: %j', async ([about = '', ...options], message) => {
    const repository = createRepository();
    await repository.call('init', '--yes');
    put(repository, observationOf({ id: idOf('team') }));
    put(repository, observationOf({ id: idOf('private') }), 'private');
    put(repository, summaryOf({ id: idOf('summary') }));
    const { code, stderr } = await gitMem(repository, ['pin', idOf(about), ...options]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });
});

describe('a redacted text', () => {
  it('is not in the mark, which stores only hashes with one salt for all', async () => {
    const repository = stocked();
    const marks = [];
    for (const id of ['k3v9', '7h2c']) {
      const { stdout, stderr } = await gitMem(repository, ['redact', id]);
      expect(stderr).toContain('git mem scrub');
      marks.push(markAt(repository, stdout.trim().split('  ')[1] ?? ''));
    }
    const [first, second] = marks;
    expect(first?.hashes?.length).toBeGreaterThan(1);
    expect(first?.hashed_with).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.hashed_with).toBe(first?.hashed_with);
    expect(JSON.stringify(marks)).not.toMatch(/wintergreen|outage/i);
    for (const mark of marks) expect(await redactAll(encode(mark), createRedactor())).toBe(encode(mark));
  });

  it('has a mark in each store that holds its records', async () => {
    const repository = stocked();
    const { stdout } = await gitMem(repository, ['redact', 'k3v9', 'p8w2', '--json']);
    const [team, own] = JSON.parse(stdout).marks.map(({ path }: { path: string }) => markAt(repository, path));
    expect([team?.targets, own?.targets]).toEqual([[OLD.id], [OLD.id, MINE.id]]);
    // Hashes of private text have no place in a file that everybody gets.
    expect(team?.hashes?.filter((hash: string) => own?.hashes?.includes(hash))).toEqual([]);
  });

  it('is shown nowhere: not by id, raw, in a full list or in a search', async () => {
    const repository = stocked();
    await gitMem(repository, ['redact', 'k3v9']);
    for (const args of [
      ['show', 'k3v9'],
      ['show', 'k3v9', '--raw'],
      ['show', 'k3v9', '--json'],
      ['list', '--all'],
      ['search', 'customer outage', '--all'],
      ['timeline', 'k3v9', '--all', '--json'],
    ]) {
      const { stdout } = await gitMem(repository, args);
      expect(stdout, args.join(' ')).toContain('(redacted)');
      expect(stdout, args.join(' ')).not.toMatch(/Wintergreen|A customer was hit/);
    }
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await gitMem(repository, ['show', 'k3v9'])).stdout).toContain('Wintergreen');
  });

  it('cannot be added by hand until the redaction is undone', async () => {
    const repository = stocked();
    await gitMem(repository, ['redact', 'k3v9']);
    const add = () =>
      gitMem(repository, [
        'add',
        '--title',
        'Gateway cuts large uploads',
        '--fact',
        SENTENCE.toUpperCase(),
        '--private',
      ]);
    const refused = await add();
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/redacted by the mark (\w{10})[\s\S]*git mem undo \1/);
    expect(refused.stderr).not.toMatch(/wintergreen/i);
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await add()).code).toBe(0);
  });

  it('is skipped by an import, and reported as a problem', async () => {
    const repository = stocked();
    await gitMem(repository, ['redact', 'k3v9']);
    const stdin = [{ title: 'Harmless' }, { title: 'Not so', narrative: `Well. ${SENTENCE}` }].map((one) =>
      JSON.stringify(one),
    );
    const { code, stdout } = await gitMem(repository, ['import', 'jsonl', '-', '--json'], { stdin: stdin.join('\n') });
    const { imported, problems } = JSON.parse(stdout);
    expect({ code, imported }).toEqual({ code: 1, imported: 1 });
    expect(problems).toMatchObject([{ line: 2, code: 'redacted' }]);
    expect(stdout).not.toContain('Wintergreen');
  });

  it('is also kept out of a repository that imports the mark', async () => {
    const [one, other] = [stocked(), createRepository()];
    await gitMem(one, ['redact', 'k3v9']);
    const { stdout } = await gitMem(one, ['export', '--kind', 'mark', '--all']);
    expect((await gitMem(other, ['import', 'jsonl', '-', '--team'], { stdin: stdout })).code).toBe(0);
    expect((await gitMem(other, ['add', '--title', SENTENCE])).code).toBe(1);
  });

  it('is allowed where only an unreviewed mark forbids it', async () => {
    const [one, other] = [stocked(), createRepository()];
    const { path } = JSON.parse((await gitMem(one, ['redact', 'k3v9', '--json'])).stdout);
    drop(other, markAt(one, path));
    expect((await gitMem(other, ['add', '--title', SENTENCE])).code).toBe(0);
    await gitMem(other, ['trust', '--branch']);
    expect((await gitMem(other, ['add', '--title', SENTENCE, '--fact', 'Again.'])).code).toBe(1);
  });
});

describe('git mem promote', () => {
  it('copies a private record into the team store under its id, once', async () => {
    const repository = stocked();
    const { code, stdout } = await gitMem(repository, ['promote', 'p8w2', '--json']);
    const { id, path, promoted } = JSON.parse(stdout);
    expect({ code, id, promoted }).toEqual({ code: 0, id: MINE.id, promoted: [{ id, path, created: true }] });
    expect(decode(readFileSync(join(repository.root, path), 'utf8'), path)).toEqual(MINE);
    const again = await gitMem(repository, ['promote', 'p8w2', '7h2c']);
    expect(again.stdout).toContain(`${MINE.id}  ${path}\n${NEW.id}  .memory/`);
    expect(again.stderr).toBe(`${MINE.id} was there already.\n${NEW.id} was there already.\n`);
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).total).toBe(3);
  });

  it('removes secrets that earlier checks missed', async () => {
    const repository = stocked();
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    put(repository, observationOf({ id: 'zzzzzzzzz1', title: 'Access', facts: [`It is ${token}`] }), 'private');
    const { path } = JSON.parse((await gitMem(repository, ['promote', 'zzzz', '--json'])).stdout);
    expect(readFileSync(join(repository.root, path), 'utf8')).toMatch(/It is \[redacted:/);
  });

  it('refuses prompts, redacted text and marks on records that the team lacks, and then writes nothing', async () => {
    const repository = stocked();
    const generated = { by: 'test', at: '2026-11-20T20:05:01Z' };
    put(repository, { id: 'yyyyyyyyy1', kind: 'prompt', text: 'Do it.', generated }, 'private');
    put(repository, observationOf({ id: 'xxxxxxxxx1', title: 'Said again', facts: [SENTENCE] }), 'private');
    const { id: mark } = JSON.parse((await gitMem(repository, ['pin', 'p8w2', '--json'])).stdout);
    await gitMem(repository, ['redact', 'k3v9', '--only']);
    const before = repository.git('status', '--porcelain', '-uall');
    for (const [args, says] of [
      [['p8w2', 'yyyy'], 'is a prompt'],
      [['p8w2', 'xxxx'], 'redacted by the mark'],
      [[mark], `git mem promote ${MINE.id} ${mark}`],
      [['zzzz'], '"zzzz"'],
    ] as const) {
      const { code, stderr } = await gitMem(repository, ['promote', ...args]);
      expect(code).toBe(1);
      expect(stderr).toContain(says);
    }
    expect(repository.git('status', '--porcelain', '-uall')).toBe(before);
    expect((await gitMem(repository, ['promote', mark, 'p8w2'])).code).toBe(0);
  });

  it('refuses a private record that is redacted itself', async () => {
    const repository = stocked();
    await gitMem(repository, ['redact', 'p8w2']);
    const { code, stderr } = await gitMem(repository, ['promote', 'p8w2']);
    expect(code).toBe(1);
    expect(stderr).toContain('is redacted');
  });
});

describe('git mem trust', () => {
  it('accepts records and marks by their ids, and shows them sanitised', async () => {
    const repository = createRepository();
    const path = drop(repository, { ...OLD, title: 'Red \u001b[31malert\u202e' });
    const mark = markOf({ id: 'mmmmmmmmm1', type: 'retire', targets: [NEW.id] });
    drop(repository, mark);
    put(repository, NEW);
    expect(await stateOf(repository, NEW.id)).toMatchObject({ retired: false });
    const { code, stdout, stderr } = await gitMem(repository, ['trust', 'k3v9']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${OLD.id}  discovery Red [31malert\n` });
    expect(stderr).toContain('1 record accepted on this clone.');
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'own' });
    const { trusted } = JSON.parse((await gitMem(repository, ['trust', 'mmmm', 'k3v9', '--json'])).stdout);
    expect(trusted).toMatchObject([{ id: mark.id, kind: 'mark', was: 'unreviewed' }]);
    expect(path).toContain('.memory/');
    expect(await stateOf(repository, NEW.id)).toMatchObject({ retired: true });
  });

  it('accepts everything that a branch adds, and an edit only when it is trusted again', async () => {
    const repository = createRepository();
    const path = drop(repository, OLD);
    repository.write('.memory/observations/2026-11/20261120T200501Z-broken-aaaaaaaaa1.md', 'no record');
    const { code, stdout, stderr } = await gitMem(repository, ['trust', '--branch', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ trusted: [{ id: OLD.id, title: OLD.title, path }], unreadable: 1 });
    expect((await gitMem(repository, ['trust', '--branch'])).stderr).toContain('Nothing is unreviewed');
    edit(repository, OLD, { ...OLD, narrative: 'Something else altogether.' });
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'unreviewed' });
  });

  it('shows an edit of a reviewed record as one', async () => {
    const repository = createRepository();
    drop(repository, OLD);
    repository.commit('reviewed');
    expect((await gitMem(repository, ['trust', 'k3v9'])).stdout).toBe('');
    edit(repository, OLD, { ...OLD, narrative: 'Something else altogether.' });
    expect((await gitMem(repository, ['trust', 'k3v9'])).stdout).toContain('[edited');
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'own' });
  });

  it('requires ids or --branch', async () => {
    const repository = stocked();
    expect((await gitMem(repository, ['trust'])).code).toBe(2);
    expect((await gitMem(repository, ['trust', 'k3v9', '--branch'])).code).toBe(2);
    expect((await gitMem(repository, ['trust', 'zzzz'])).code).toBe(1);
  });
});

/** A repository with two records of the team and a private one. */
function stocked(): TestRepository {
  const repository = createRepository();
  for (const record of [OLD, NEW]) put(repository, record);
  put(repository, MINE, 'private');
  return repository;
}

function markAt({ root }: TestRepository, path: string): Mark {
  const record = decode(readFileSync(resolve(root, path), 'utf8'), path);
  if (record.kind !== 'mark') throw new Error(`${path} is a ${record.kind}.`);
  return record;
}

async function stateOf(repository: TestRepository, id: string) {
  const { records } = JSON.parse((await gitMem(repository, ['show', id, '--json'])).stdout);
  const { superseded_by, pinned, verified, retired, redacted, disputed, trust } = records[0];
  return { superseded_by, pinned, verified, retired, redacted, disputed, trust };
}
