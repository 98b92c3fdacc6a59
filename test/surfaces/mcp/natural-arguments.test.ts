import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { decode } from '../../../src/memory/codec.ts';
import { understand } from '../../../src/surfaces/mcp/natural-arguments.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import type { TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';

/** A server of an empty memory. */
function serve(repository: TestRepository, cwd = repository.root) {
  repository.write('.memory/README.md', 'Memory.\n');
  return connectMcpHere({ cwd, env: repository.env });
}

describe('arguments as models send them', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a string for a list', { facts: 'One.', supersedes: 'k3v9' }, { facts: ['One.'], supersedes: ['k3v9'] }],
    ['JSON text for a list', { facts: '["One.", "Two, or so."]' }, { facts: ['One.', 'Two, or so.'] }],
    ['bullets for a list', { facts: '- One, two.\n- Three.' }, { facts: ['One, two.', 'Three.'] }],
    ['paths in one text', { file: 'a.ts,b.ts' }, { files: ['a.ts', 'b.ts'] }],
    ['paths under several names', { files: ['a.ts'], paths: ['b.ts', 'a.ts'] }, { files: ['a.ts', 'b.ts'] }],
    ['topics as tags', { tags: ['auth', 'jwt'] }, { concepts: ['auth', 'jwt'] }],
    ['content and a reason', { content: 'What.', why: 'Because.' }, { narrative: 'What.\n\nBecause.' }],
    ['camel case', { filesRead: ['a.ts'] }, { files_read: ['a.ts'] }],
    ['null for what is left out', { narrative: null }, {}],
  ])('%s', (_, sent, given) => {
    expect(understand('save_observation', { title: 'T', ...sent }).given).toEqual({ title: 'T', ...given });
  });

  it.each<[Parameters<typeof understand>[0], Record<string, unknown>, Record<string, unknown>]>([
    ['search', { q: 'clock', limit: '5' }, { query: 'clock', limit: 5 }],
    ['get_observations', { id: 'k3v9' }, { ids: ['k3v9'] }],
    ['get_observations', { ids: 'k3v9, m4x1' }, { ids: ['k3v9', 'm4x1'] }],
    ['mark', { action: 'retire', id: 'k3v9', why: 'Gone.' }, { type: 'retire', ids: ['k3v9'], reason: 'Gone.' }],
    [
      'save_summary',
      { title: 'T', done: ['One.', 'Two.'], todo: 'Three.' },
      { title: 'T', completed: 'One.\nTwo.', next_steps: 'Three.' },
    ],
  ])('of %s: %j', (tool, sent, given) => {
    expect(understand(tool, sent).given).toEqual(given);
  });

  it('are saved with the first call, and the answer says how they were taken', async ({ repository }) => {
    const server = await serve(repository);
    repository.write('src/store.ts', 'export const lock = 0;\n');
    const { text, data, isError } = await server.call('save_observation', {
      title: 'Never lock files in the store folder',
      type: 'Convention',
      description: 'It lies on NFS.',
      tags: 'nfs, locks',
      file: 'src/store.ts:12,src/old.ts,/etc/passwd',
      priority: 'high',
    });
    expect(isError).toBe(false);
    expect(text).toMatch(/^Saved /);
    expect(text).toMatch(/Saved as type rule\./);
    expect(text).toMatch(/not in this repository: \/etc\/passwd/);
    expect(text).toMatch(/No such file now: src\/old\.ts/);
    expect(text).toMatch(
      /Taken: `description` as `narrative`, `tags` as `concepts`, `file` as `files`\. Ignored: `priority`\./,
    );
    expect(decode(readFileSync(join(repository.root, data.path), 'utf8'), data.path)).toMatchObject({
      type: 'rule',
      narrative: 'It lies on NFS.',
      concepts: ['nfs', 'locks'],
      files_modified: [],
      files_read: ['src/store.ts', 'src/old.ts'],
    });
  });

  it('that cannot be taken are refused all at once, and nothing is saved', async ({ repository }) => {
    const server = await serve(repository);
    const sent = { title: 'All done', scope: 'team', facts: { a: 1 }, supersede: 'k3v9, m4x1' };
    const { text, isError } = await server.call('save_observation', sent);
    expect(isError).toBe(true);
    for (const part of [/scope:/, /facts:/, /fewer than 3 words/, /"k3v9"/, /"m4x1"/, /It takes title, type/])
      expect(text).toMatch(part);
    expect(text).toContain('\nNothing was saved. If there is');
    const summary = await server.call('save_summary', { title: 'All done' });
    expect(summary.text).toMatch(/fewer than 3 words.*The summary is empty.*\nNothing was saved/);
  });

  it('are paths of the folder where the agent works, as for the command, or of the top', async ({ repository }) => {
    repository.write('sub/b.ts', '');
    repository.write('src/a.ts', '');
    const cwd = join(repository.root, 'sub');
    const server = await serve(repository, cwd);
    const title = 'Both modules are generated every night';
    const files = ['b.ts', 'src/a.ts', 'sub/gone.ts'];
    const { data } = await server.call('save_observation', { title, files });
    const added = await repository.call('-C', cwd, 'add', '--title', `${title}, again`, '--files', files.join());
    for (const path of [data.path, added.trim().split(/ +/)[1] ?? ''])
      expect(decode(readFileSync(join(repository.root, path), 'utf8'), path)).toMatchObject({
        files_modified: ['sub/b.ts', 'src/a.ts', 'sub/gone.ts'],
      });
  });

  it('of an unknown type are a change', async ({ repository }) => {
    const server = await serve(repository);
    const { text } = await server.call('save_observation', { title: 'Gateway cuts large uploads', type: 'bugfx' });
    expect(text).toMatch(/Saved as type change\./);
  });
});
