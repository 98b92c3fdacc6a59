import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { forAllTests } from '../../support/set-up.ts';
import { drop, observationOf } from '../../support/written-records.ts';
import { bugfix, decision, filled, session } from './three-records.ts';

/** For tests that only read. */
const asked = forAllTests((atEnd) => filled(atEnd));

describe('git mem context', () => {
  it('prints what a session start injects, and with --receipt why', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger'), title: 'A stranger’s' }));
    const plain = await gitMem(repository, ['context']);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toMatch(/^<git-mem-memory>\n.*\n<\/git-mem-memory>\n$/s);
    const { stdout } = await gitMem(repository, ['context', '--receipt']);
    expect(stdout.startsWith(plain.stdout)).toBe(true);
    expect(stdout.slice(plain.stdout.length)).toMatch(
      new RegExp(
        `^\\n\\d+ tokens\\.\\nin   ${bugfix.id} .* by a person\\nin   ${decision.id} .* by a model\\nout  ${idOf('stranger')}  unreviewed\\nout  ${session.id}  another branch, or nothing left open\\n$`,
      ),
    );
  });

  it('has these keys as JSON', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger') }));
    const briefing = JSON.parse((await gitMem(repository, ['context', '--json'])).stdout);
    expect(Object.keys(briefing)).toEqual(['text', 'tokens', 'records', 'dropped']);
    for (const record of briefing.records)
      expect(Object.keys(record)).toEqual(['id', 'reason', 'tokens', 'trust', 'freshness']);
    for (const record of briefing.dropped) expect(Object.keys(record)).toEqual(['id', 'reason']);
    expect(`${briefing.text}\n`).toBe((await gitMem(repository, ['context'])).stdout);
  });

  it('accepts another budget and another start source', async () => {
    const small = await gitMem(asked(), ['context', '--json'], { env: { GIT_MEM_BRIEFING_TOKENS: '160' } });
    expect(JSON.parse(small.stdout).tokens).toBeLessThanOrEqual(160);
    const compact = await gitMem(asked(), ['context', '--source', 'compact', '--session', decision.session ?? '']);
    expect(compact.stdout).toContain(decision.title);
  });

  it('says on stderr that nothing is remembered', async () => {
    const repository = createRepository();
    expect(await gitMem(repository, ['context'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is remembered yet, so nothing is injected.\n',
    });
    expect(JSON.parse((await gitMem(repository, ['context', '--json'])).stdout)).toEqual({
      text: '',
      tokens: 0,
      records: [],
      dropped: [],
    });
  });
});
