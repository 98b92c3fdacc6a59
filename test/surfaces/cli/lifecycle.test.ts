import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../../support/written-records.ts';
import { markAt, NEW, OLD, SENTENCE, stateOf, stocked } from './stocked.ts';

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

  it('says of a record that a mark or a trusted record supersedes by what, and does not pin or verify it', async () => {
    const repository = stocked();
    const [own, by, other] = [idOf('own'), idOf('by'), idOf('other')];
    for (const id of [own, other]) put(repository, observationOf({ id }));
    put(repository, observationOf({ id: by, supersedes: [own] }));
    drop(repository, observationOf({ id: idOf('untrusted'), supersedes: [other] }));
    await gitMem(repository, ['supersede', 'k3v9', '--by', '7h2c']);
    for (const [old, next] of [
      [OLD.id, NEW.id],
      [own, by],
    ] as const) {
      const { code, stderr } = await gitMem(repository, ['pin', old]);
      expect(code).toBe(1);
      expect(stderr).toContain(`${old} is superseded by ${next}; there is nothing to pin.`);
      expect(stderr).toContain(`git mem pin ${next}`);
      expect((await gitMem(repository, ['verify', NEW.id, old])).code).toBe(1);
    }
    expect((await gitMem(repository, ['pin', NEW.id, by, other])).code).toBe(0);
  });

  it('takes several records at once and prints the id and the path', async () => {
    const repository = stocked();
    const { stdout, stderr } = await gitMem(repository, ['retire', 'k3v9', '7h2c']);
    expect(stdout).toMatch(
      /^[0-9a-z]{10} {2}\.memory\/marks\/\d{4}-\d\d\/\d{8}T\d{6}Z-retire-k3v9x2qd7m-and-1-[0-9a-z]{4}-[0-9a-z]{10}\.md\n$/,
    );
    expect(stderr).toBe(`Retired 2 records:\n  ${OLD.id}  ${OLD.title}\n  ${NEW.id}  ${NEW.title}\n`);
    expect((await gitMem(repository, ['retire', '7h2c', 'k3v9'])).stderr).toContain('It was there already.\n');
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
    ['a prefix that is too short', ['retire', 'k3v'], 1, '"k3v" is too short'],
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

  const verbs = ['supersede', 'retire', 'pin', 'verify', 'redact', 'undo', 'promote', 'trust', 'scrub'];
  it.each(verbs)('shows help with examples for %s', async (verb) => {
    const { code, stdout } = await gitMem(createRepository(), [verb, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain(`git mem ${verb} `);
  });

  it('are listed once each in the general help', async () => {
    const { stdout } = await gitMem(createRepository(), ['help', '--all']);
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
    expect(stderr).toBe('Pinned: A record\nIt guards once the mark and the record are on the reviewed branch.\n');
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
