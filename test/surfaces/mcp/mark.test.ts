import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { encode } from '../../../src/memory/codec.ts';
import { storePath } from '../../../src/memory/file-name.ts';
import type { Mark, Observation } from '../../../src/memory/record.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { it, serve } from './served-memory.ts';

describe('mark', () => {
  it('supersedes, retires, pins, verifies and undoes', async ({ world: { repository, records } }) => {
    const claude = { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-329' };
    const server = await serve({ ...repository, env: { ...repository.env, ...claude } });
    const [a, b, c, d] = records.map(({ id }) => id) as [string, string, string, string];
    const state = async (id: string) => (await server.call('get_observations', { ids: [id] })).data.records[0];

    const { data, text } = await server.call('mark', {
      type: 'supersede',
      ids: [a.slice(0, 6)],
      by: b,
      reason: 'Moved.',
    });
    expect(text).toBe(`superseded: ${a} "${records[0]?.title}" by ${b}. Mark ${data.id}: ${data.path}`);
    expect(await state(a)).toMatchObject({ superseded_by: [b] });
    const mark = readFileSync(join(repository.root, data.path), 'utf8');
    expect(mark, 'a mark says which host made it').toContain('generated: {by: "claude-code/2.1.329", at: ');
    await server.call('mark', { type: 'retire', ids: [c] });
    await server.call('mark', { type: 'pin', ids: [d, b] });
    await server.call('mark', { type: 'verify', ids: [d] });
    expect(await state(c)).toMatchObject({ retired: true });
    expect(await state(d)).toMatchObject({ pinned: true, verified: true });
    expect((await server.call('search')).data.total).toBe(3);
    await server.call('mark', { type: 'undo', ids: [c] });
    await server.call('mark', { type: 'undo', ids: [data.id] });
    expect((await server.call('search')).data.total).toBe(5);
  });

  it('does not show redacted text', async ({ world: { repository, records } }) => {
    const [a, b] = records as [Observation, Observation];
    const { id, generated } = generatedObservation(9);
    const redact: Mark = { kind: 'mark', id, generated, type: 'redact', targets: [a.id], reason: '' };
    repository.write(`.memory/${storePath(redact)}`, encode(redact));
    repository.commit('Memory');
    const server = await serve(repository);
    const whole = await server.call('get_observations', { ids: [a.id, b.id] });
    expect(whole.data).toMatchObject({ records: [{ id: b.id }], missing: [a.id] });
    const around = await server.call('timeline', { anchor: a.id });
    expect(around.data.items[0].id).toBe(b.id);
    expect(JSON.stringify([whole, around])).not.toMatch(/postgres/i);
  });
});
