import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { processesAt } from '../support/processes-at.ts';
import { PROGRAM } from '../support/program.ts';
import { repositoryTemplate } from '../support/repository-template.ts';
import { scratchFolder } from '../support/scratch.ts';

describe('git mem demo', () => {
  it('shows a session that saves, its commit, a colleague’s start, a stale record and the review, and leaves nothing behind', async () => {
    const folder = scratchFolder();
    const asked = await listen();
    const key = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
    // The folder is no repository, and is all that the demo may write to.
    const { code, stdout, stderr } = await run(['demo'], folder, {
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: asked.url,
      GIT_MEM_EXTRACT_PROVIDER: 'anthropic',
      GIT_MEM: '0',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, setUp = '', session = '', commit = '', clone = '', renamed = '', comment = ''] = stdout.split('\n■ ');
    expect(setUp).toContain('$ git mem init --yes');
    expect(session).toMatch(/^ {2}save_observation rule: Expiry .*\n {4}Saved \w{10}: /m);
    expect(session).toMatch(/^\d\d+ hooks ran, 0 failed\.$/m);
    expect(commit).toMatch(/^ .*is-always-strict.*\.md +\|/m);
    expect(commit).toMatch(/^ {2}type: rule$/m);
    expect(clone).toMatch(/^<git-mem-memory>\n.*^## Rules\n.*always strict.*^<\/git-mem-memory>$/ms);
    expect(clone).toMatch(/^\w{4} .* rule +Expiry .* is always strict/m);
    expect(renamed).toContain('src/session.js: touched, without `issue`');
    expect(comment).toContain('`` `issue` is no longer in src/session.js ``');
    expect(stdout).not.toContain(key);
    expect(asked.requests()).toBe(0);
    // A drain that a hook started may end late; it must not bring the folder back.
    await vi.waitFor(() => expect(processesAt(folder)).toEqual([]), { timeout: 60_000 });
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(readdirSync(join(folder, 'home'))).toEqual([]);
  });
});

async function listen(): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

function run(
  args: string[],
  cwd: string,
  more: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [home, tmp] = [join(cwd, 'home'), join(cwd, 'tmp')];
  for (const dir of [home, tmp]) mkdirSync(dir);
  // What V8 made of the program is kept by any command, and is no trace of this one.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: tmp,
    NODE_COMPILE_CACHE: join(repositoryTemplate(), 'compiled'),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
