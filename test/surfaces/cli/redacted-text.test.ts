import { describe, expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { allThatIsTold } from '../../support/told.ts';
import { drop, markOf, observationOf, put } from '../../support/written-records.ts';

const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';
const OLD = observationOf({ id: 'k3v9x2qd7m', title: 'A customer was hit', narrative: `Seen at night. ${SENTENCE}` });
const NEW = observationOf({ id: '7h2c9d4e1f', title: 'The queue is bounded' });

describe('a redacted text', () => {
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
  const repository = createRepository();
  for (const record of [OLD, NEW]) put(repository, record);
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
