import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hookedSession } from '../../support/hooked-session.ts';
import { it, serve, setUp } from './served-memory.ts';

describe('save_summary', () => {
  it('saves the state of the session, and replaces the previous summary', async ({ world: { repository } }) => {
    const id = 'a3b1c2d4-0000-4000-8000-000000000002';
    hookedSession(repository.root, { id, at: new Date() }).prompt('p1', 'raise the limit');
    const env = { ...repository.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: id };
    const server = await serve({ ...repository, env });
    const given = {
      title: 'Upload limits of the gateway',
      completed: 'The limit is 20 MB.',
      next_steps: 'Tell support.',
    };
    const first = await server.call('save_summary', given);
    expect(first).toMatchObject({
      isError: false,
      text: `Saved ${first.data.id}: ${first.data.path}, which you commit with your work. Edit that file to correct it.`,
    });
    const { records } = (await server.call('get_observations', { ids: [first.data.id] })).data;
    expect(records).toMatchObject([
      { kind: 'summary', session: id, prompt_number: 1, extractor: 'agent', completed: 'The limit is 20 MB.' },
    ]);
    expect(await server.call('save_summary', given)).toMatchObject({
      text: `${first.data.id} already existed: ${first.data.path}`,
      data: { created: false },
    });
    const second = await server.call('save_summary', { ...given, next_steps: '' });
    const found = (await server.call('search', { type: 'summary' })).data.hits;
    expect(found.map((hit: { id: string }) => hit.id)).toEqual([second.data.id]);
  });

  it('takes paths as an agent in a sub-directory means them, and leaves out those of elsewhere', async () => {
    const repository = setUp();
    repository.write('packages/limits.ts', 'export const limit = 20;\n');
    const server = await serve(repository, { cwd: join(repository.root, 'packages') });
    const files_edited = ['limits.ts:3', '/etc/hosts'];
    const given = { title: 'Upload limits of the gateway', completed: 'The limit is 20 MB.', files_edited };
    const { data } = await server.call('save_summary', given);
    expect(data.advice).toBe('Left out, because it is not in this repository: /etc/hosts.');
    const { records } = (await server.call('get_observations', { ids: [data.id] })).data;
    expect(records).toMatchObject([{ files_edited: ['packages/limits.ts'] }]);
  });

  it('says what it cut, as text and as data', async () => {
    const server = await serve(setUp());
    const completed = 'The gateway cuts uploads at 20 MB. '.repeat(60);
    const { text, data } = await server.call('save_summary', { title: 'Upload limits of the gateway', completed });
    expect(data.advice).toBe("Shortened to a record's limits: completed.");
    expect(text).toContain(data.advice);
  });

  it.each([
    [{ title: 'Upload limits of the gateway' }, /is empty/],
    [{ title: 'Done', completed: 'All.' }, /fewer than 3 words\. Write the session's outcome, such as /],
  ])('refuses %j', async (given, problem) => {
    const server = await serve(setUp());
    expect(await server.call('save_summary', given)).toMatchObject({
      isError: true,
      text: expect.stringMatching(problem),
    });
  });
});
