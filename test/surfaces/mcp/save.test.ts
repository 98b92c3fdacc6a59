import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Observation } from '../../../src/memory/record.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { bring, createMemory, ERAS, it, serve, setUp } from './served-memory.ts';

const SECRET_GONE = 'A secret was taken out before anything was written: never save tokens or passwords.';

describe('save_observation', () => {
  it('writes a record that the next search finds, with secrets removed', async ({ world: { repository, records } }) => {
    const server = await serve(repository);
    const token = `gh${'p_'}${'a1B2'.repeat(9)}`;
    repository.write('src/limits.ts', 'export const MAX = 20;\n');
    const { data, text } = await server.call('save_observation', {
      title: 'Uploads may have twenty megabytes',
      type: 'decision',
      narrative: `Customers asked. The gateway key is ${token}.`,
      facts: ['The gateway allows 25 MB.'],
      concepts: ['uploads'],
      files_modified: [join(repository.root, 'src/limits.ts')],
      supersedes: [records[3]?.id.slice(0, 6)],
    });
    const replaced = `It replaces ${records[3]?.id}.`;
    expect(text).toBe(
      `Saved ${data.id}: ${data.path}, which you commit with your work. Edit that file to correct it.\n${replaced}\n${SECRET_GONE}`,
    );
    expect(data.advice).toBe(`${replaced} ${SECRET_GONE}`);
    const file = readFileSync(join(repository.root, data.path), 'utf8');
    expect(file).toContain('by: "mcp"');
    expect(file).toContain(`supersedes: ["${records[3]?.id}"]`);
    expect(file).toContain('files_modified: ["src/limits.ts"]');
    expect(file).not.toContain(token);
    const { hits } = (await server.call('search', { query: 'uploads megabytes' })).data;
    expect(hits[0]).toMatchObject({ id: data.id, trust: 'own', freshness: 'fresh' });
    expect(hits.map(({ id }: { id: string }) => id)).not.toContain(records[3]?.id);
  });

  it('refuses an uninformative title, and says how to improve it', async () => {
    const repository = setUp();
    const server = await serve(repository);
    for (const title of ['Done', 'All tests pass now', 'Should we use Redis?', 'src/auth.ts']) {
      const { isError, text } = await server.call('save_observation', { title });
      expect({ isError, text }).toEqual({
        isError: true,
        text: expect.stringMatching(/Write what is true now.*\nNothing was saved/s),
      });
    }
    expect((await server.call('search')).data.total).toBe(0);
  });

  it('names the nearest records with their text, and what to do with one that is wrong, the same, or partly outdated', async () => {
    const { repository, records } = createMemory();
    const [, , , uploads] = records as Observation[];
    const server = await serve(repository);
    const given = { title: 'Uploads are limited to twenty megabytes' };
    const { data, text } = await server.call('save_observation', given);
    const said = [uploads?.narrative, ...(uploads?.facts ?? [])].join(' ').trim();
    expect(data.near).toEqual([{ id: uploads?.id, title: uploads?.title, text: said }]);
    expect(data.advice).toMatch(new RegExp(`call mark with type "supersede".* by "${data.id}"`));
    expect(data.advice).toContain(`where it says the same, retire "${data.id}"`);
    expect(data.advice).toMatch(/only a part of it is outdated, save the whole of it, corrected, with supersedes/);
    expect(text).toContain(`near: ${uploads?.id} ${uploads?.title}\n${said && `  ${said}\n`}${data.advice}`);
    const again = await server.call('save_observation', { ...given, narrative: 'x', supersedes: [uploads?.id] });
    expect(again.data.near).toEqual([{ id: data.id, title: given.title, text: '' }]);
  });

  it('calls a record that says the opposite near, and no more', async ({ world: { repository } }) => {
    const server = await serve(repository);
    const first = { title: 'The drain retries failed uploads', files_modified: ['src/drain.ts'] };
    const { id } = (await server.call('save_observation', first)).data;
    const next = { title: 'The drain does not retry failed uploads', files_modified: ['src/drain.ts'] };
    const { data, text } = await server.call('save_observation', next);
    expect(data.near[0]).toEqual({ id, title: first.title, text: '' });
    expect(text).not.toMatch(/revers|contradict|disput/i);
  });

  it('names no untrusted record as similar', async ({ world: { repository } }) => {
    bring(repository, 50, { title: 'The gateway drops idle sockets quickly' });
    const server = await serve(repository);
    const { data } = await server.call('save_observation', { title: 'The gateway drops idle sockets slowly' });
    expect(data.near).toEqual([]);
  });

  it('adds host, session, prompt, branch and anchors, as for captured records', async ({ world: { repository } }) => {
    repository.write('src/limits.ts', 'export const MAX = 20;\n');
    const id = 'a3b1c2d4-0000-4000-8000-000000000001';
    const hooked = hookedSession(repository.root, { id, at: new Date() });
    hooked.chat('p1');
    hooked.prompt('p2', 'raise the limit');
    const saveIn = async (env: Record<string, string>) => {
      const server = await serve({ ...repository, env: { ...repository.env, ...env } });
      const title = `Uploads may have ${Object.keys(env).length + 20} megabytes`;
      const { data } = await server.call('save_observation', { title, files_modified: ['src/limits.ts'] });
      return (await server.call('get_observations', { ids: [data.id] })).data.records[0];
    };
    const claude = { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-329' };
    const record = await saveIn({ ...claude, CLAUDE_CODE_SESSION_ID: id });
    expect(record).toMatchObject({ session: id, prompt_number: 2, extractor: 'agent', branch: 'main' });
    expect(record.commit).toBe(repository.git('rev-parse', 'HEAD').trim());
    const file = readFileSync(join(repository.root, record.path), 'utf8');
    expect(file).toContain('by: "claude-code/2.1.329"');
    expect(file).toMatch(/anchors: \{"src\/limits\.ts": "[0-9a-f]{40}"\}/);
    // The only turn that runs is the caller's; a session without one is that of an older start of the server.
    expect(await saveIn(claude)).toMatchObject({ session: id, prompt_number: 2 });
    const stale = { ...claude, CLAUDE_CODE_SESSION_ID: 'gone', OTHER: '1' };
    expect(await saveIn(stale)).toMatchObject({ session: id, prompt_number: 2 });
    hookedSession(repository.root, { id: 'another-session', at: new Date() }).prompt('q1', 'something else');
    expect((await saveIn({ ...claude, OTHER: '1', MORE: '1', STILL: '1' })).session).toBeNull();
    expect((await saveIn({ ...stale, STILL: '1' })).session).toBeNull();
  });

  it.each([
    [{ name: 'copilot-cli', version: '1.0.102' }, 'copilot/1.0.102'],
    [{ name: 'qwen-cli-mcp-client-git-mem', version: '0.0.1' }, 'qwen-code'],
    [{ name: 'factory-cli', version: '0.225.2' }, 'factory-droid/0.225.2'],
    [{ name: 'elsewhere', version: '1.0.0' }, 'mcp'],
    // No version of the client.
    [{ name: 'kimi-code', version: '0.0.0' }, 'kimi-code'],
  ])('names the host of the client %j in either era', async (clientInfo, by) => {
    const repository = setUp();
    for (const era of ERAS) {
      const server = await serve(repository, { era, clientInfo });
      const title = `Uploads may have ${era} megabytes`;
      const _meta = { assemblySessionId: 's1' };
      const { data } = await server.call('save_observation', { title }, _meta);
      expect((await server.call('get_observations', { ids: [data.id] })).data.records[0]).toMatchObject({
        generated_by: by,
        session: by === 'mcp' ? null : 's1',
      });
    }
  });

  it('saves where the session works, once it has entered another worktree', async ({ world: { repository } }) => {
    const side = join(repository.folder, 'side');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', side);
    writeFileSync(join(side, 'limits.ts'), 'export const MAX = 20;\n');
    const id = 'a3b1c2d4-0000-4000-8000-000000000002';
    const hooked = hookedSession(repository.root, { id, at: new Date() });
    hooked.prompt('p1', 'raise the limit in a worktree');
    const { call } = await serve({ ...repository, env: { ...repository.env, CLAUDECODE: '1' } });
    const saved = (title: string) => call('save_observation', { title, files: ['limits.ts'] });
    await saved('Uploads may have twenty megabytes');
    hooked.report('PostToolUse', {
      cwd: side,
      prompt_id: 'p1',
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: 'ls' },
    });
    const { data } = await saved('Downloads may have twenty megabytes');
    const file = readFileSync(
      execFileSync('find', [join(side, '.memory'), '-name', `*${data.id}.md`], { encoding: 'utf8' }).trim(),
      'utf8',
    );
    expect(file).toContain(`session: "${id}"`);
    expect(file).toContain('branch: "side"');
    expect(file).toMatch(/anchors: \{"limits\.ts": "[0-9a-f]{40}"\}/);
  });

  it('refuses redacted text', async ({ world: { repository, records } }) => {
    const [redacted] = records;
    if (redacted === undefined) throw new Error('The memory is empty.');
    await repository.call('redact', redacted.id);
    const server = await serve(repository);
    const { isError, text } = await server.call('save_observation', {
      title: 'Gateway cuts large uploads',
      narrative: redacted.narrative,
    });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('redacted by the mark') });
  });

  it('applies the limits of a record and says so', async () => {
    const repository = setUp();
    const server = await serve(repository);
    const long = 'A sentence of some words. '.repeat(60);
    const { data, text } = await server.call('save_observation', { title: long, narrative: long });
    expect(text).toContain("Shortened to a record's limits: title, narrative.");
    const { records } = (await server.call('get_observations', { ids: [data.id] })).data;
    expect(records[0].title.length).toBeLessThanOrEqual(120);
    expect(records[0].narrative.length).toBeLessThanOrEqual(700);
    expect(
      (await server.call('save_observation', { title: 'Short titles fit in', narrative: 'Enough.' })).text,
    ).not.toContain('Shortened');
  });

  it('writes where captured records go', async ({ repository }) => {
    repository.write('.memory/config.yaml', 'capture:\n  destination: private\n');
    const server = await serve(repository);
    const { data } = await server.call('save_observation', { title: 'Salaries are not for everybody' });
    expect(data.path).toMatch(/^\/.*\/\.git\/git-mem\/private\/observations\//);
    expect((await server.call('search', { query: 'everybody' })).text).toContain('[private]');
  });
});

describe('a key that crosses the length limit of a narrative', () => {
  it('is removed before the text is cut, and the removal is reported', async () => {
    const server = await serve(setUp());
    const line = 'MIIEpAIBAAKCAQEA1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL';
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${line}\n`.repeat(12)}-----END RSA PRIVATE KEY-----`;
    const narrative = `${'The gateway signs with it. '.repeat(22)}${key}`;
    const { text, data } = await server.call('save_observation', {
      title: 'The signing key of the gateway is read at every request',
      narrative,
    });
    expect(text).toContain('A secret was taken out');
    const { records } = (await server.call('get_observations', { ids: [data.id] })).data;
    expect(JSON.stringify(records)).not.toContain('MIIEp');
  });
});
