import { describe, expect, test } from 'vitest';
import { encode } from '../../../src/memory/codec.ts';
import { redactAll } from '../../../src/privacy/redact.ts';
import { createRedactor } from '../../../src/privacy/secrets.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { allThatIsTold } from '../../support/told.ts';
import { drop, markOf, observationOf, put } from '../../support/written-records.ts';
import { MINE, markAt, NEW, OLD, SENTENCE, stocked } from './stocked.ts';

const it = test.extend('repository', () => stocked());

describe('a redacted text', () => {
  it('is not in the mark, which stores only hashes with one salt for all', async ({ repository }) => {
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

  it('has a mark in each store that holds its records', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['redact', 'k3v9', 'p8w2', '--json']);
    const [team, own] = JSON.parse(stdout).marks.map(({ path }: { path: string }) => markAt(repository, path));
    expect([team?.targets, own?.targets]).toEqual([[OLD.id], [OLD.id, MINE.id]]);
    // Hashes of private text have no place in a file that everybody gets.
    expect(team?.hashes?.filter((hash: string) => own?.hashes?.includes(hash))).toEqual([]);
  });

  it('is shown nowhere: not by id, raw, in a full list or in a search', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    for (const args of [
      ['show', 'k3v9'],
      ['show', 'k3v9', '--raw'],
      ['show', 'k3v9', '--json'],
      ['list', '--all'],
      ['search', 'customer outage', '--all'],
      ['timeline', 'k3v9', '--json'],
    ]) {
      const { stdout } = await gitMem(repository, args);
      expect(stdout, args.join(' ')).toContain('(redacted)');
      expect(stdout, args.join(' ')).not.toMatch(/Wintergreen|A customer was hit/);
    }
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await gitMem(repository, ['show', 'k3v9'])).stdout).toContain('Wintergreen');
  });

  it('cannot be added by hand until the redaction is undone', async ({ repository }) => {
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

  it('is skipped by an import, and reported as a problem', async ({ repository }) => {
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
    const { stdout } = await gitMem(one, ['export', '--type', 'redact']);
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

  it('is hidden in a record that was written without knowledge of the mark and came in with a merge', async () => {
    const { repository, echo } = await merged();
    expect((await gitMem(repository, ['check', '--base', 'HEAD~1'])).code).toBe(1);
    for (const args of [
      ['context'],
      ['context', '--json'],
      ['list'],
      ['list', '--all'],
      ['list', '--json'],
      ['search', 'gateway uploads'],
      ['search', 'customer behind the outage'],
      ['show', echo, '--json'],
      ['show', echo, '--raw'],
      ['why', echo],
      ['timeline', NEW.id],
      ['export'],
    ]) {
      const { stdout, stderr } = await gitMem(repository, args);
      expect(stdout + stderr, args.join(' ')).not.toMatch(/wintergreen/i);
    }
    expect((await gitMem(repository, ['list'])).stdout).not.toContain(echo);
    const { stdout } = await gitMem(repository, ['show', echo, '--json']);
    expect(JSON.parse(stdout).records[0]).toMatchObject({ redacted: true, title: '(redacted)' });
    // Once the redaction is lifted, so is what it hid.
    await gitMem(repository, ['undo', OLD.id]);
    expect((await gitMem(repository, ['show', echo])).stdout).toMatch(/wintergreen/i);
  });

  it('is hidden in such a record from a guard and from a prompt too', async () => {
    const { repository, echo } = await merged();
    put(repository, markOf({ id: 'm4rkm4rk12', type: 'pin', targets: [echo], guards: ['src/gateway.ts'] }));
    const prompt = 'Why does the gateway cut large uploads after sixty seconds?';
    const told = async (session: string) => {
      const edit = { file_path: `${repository.root}/src/gateway.ts`, old_string: 'a', new_string: 'b' };
      const payload = { session_id: session, cwd: repository.root, tool_name: 'Edit', tool_input: edit };
      const guarded = await hookCall(repository, 'claude-code', 'PreToolUse', payload);
      const all = await allThatIsTold(repository, { prompt, file: 'src/gateway.ts' });
      return { guarded, prompted: all.at(-2), all: all.join('') };
    };
    const hidden = await told('one');
    expect(hidden.guarded + hidden.all).not.toMatch(/wintergreen|Gateway cuts/i);
    await gitMem(repository, ['undo', OLD.id]);
    const lifted = await told('two');
    expect([lifted.guarded, lifted.prompted]).toEqual(Array(2).fill(expect.stringContaining('Gateway cuts')));
  });
});

/** A repository in which a record is redacted, merged with a branch on which somebody had written the same sentence. */
async function merged(): Promise<{ repository: TestRepository; echo: string }> {
  const repository = stocked();
  repository.write('src/gateway.ts', 'export const SECONDS = 60;\n');
  repository.commit('Two records');
  await gitMem(repository, ['redact', 'k3v9']);
  repository.commit('Redact');
  const echo = observationOf({
    id: 'g7t4w2ya1c',
    title: 'Gateway cuts large uploads after sixty seconds',
    narrative: `It reads \`SECONDS\` of the gateway. ${SENTENCE.toUpperCase()}`,
    files_modified: ['src/gateway.ts'],
  });
  drop(repository, echo);
  repository.commit('A colleague’s branch');
  return { repository, echo: echo.id };
}
