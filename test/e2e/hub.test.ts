import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROXY } from '../support/hub-server.ts';
import { makeRemote } from '../support/hub-world.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** A repository of somebody's, a remote with one record, and the configuration of a hub on it. */
function setUp() {
  const repository = createRepository();
  const remote = makeRemote(repository.folder, 'platform', [PROXY]);
  const config = join(repository.folder, 'hub.yaml');
  writeFileSync(
    config,
    `folder: hub\nrepositories: [{id: acme/platform, path: "${remote.root}"}]\naccess: [{subject: "service:me", all: true}]\nserver: {port: 0}\n`,
  );
  return { repository, config };
}

/** Starts the server; its address is the first line that it prints. */
function serve(
  { root, env }: TestRepository,
  config: string,
): Promise<{ url: string; child: ChildProcess; log(): string }> {
  const child = spawn(process.execPath, [PROGRAM, 'hub', 'serve', '--config', config], { cwd: root, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve({ url: String(chunk).trim(), child, log: () => log }));
    child.once('close', (code) => reject(new Error(`The hub ended with ${code}: ${log}`)));
  });
}

describe('the built program as a hub', () => {
  it('syncs, answers, refuses a second process on its folder, and ends when it is asked to', async () => {
    const { repository, config } = setUp();
    const token = repository.gitMem('hub', 'token', 'create', 'me', '--config', config).trim();
    const { url, child, log } = await serve(repository, config);
    const search = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/v1/search?q=proxy`, { headers });
      const { hits } = (await answer.json()) as { hits: { id: string }[] };
      return hits.map(({ id }) => id);
    };
    await expect.poll(search).toEqual([PROXY.id]);
    expect(() => repository.gitMem('hub', 'token', 'list', '--config', config)).toThrow(
      /git-mem: Another process has the hub in .* open\./,
    );
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(log()).toMatch(/"event":"ended"\}\n$/);
    expect(repository.gitMem('hub', 'sync', '--config', config)).toMatch(
      /^1 repositories checked, 0 changed, 0 failed/,
    );
    expect(repository.gitMem('hub', 'status', '--config', config)).toMatch(/^acme\/platform {2}1 records {2}synced 20/);
    expect(repository.gitMem('hub', 'token', 'list', '--config', config)).toMatch(
      / {2}me {2}read {2}until .* {2}used 20/,
    );
  });
});
