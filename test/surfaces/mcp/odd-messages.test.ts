import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';

describe('a message that is very long, or none', () => {
  it('gets an answer, and the server keeps running', async () => {
    const repository = createRepository();
    repository.write('.memory/config.yaml', '');
    const { root, env } = repository;
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: root, env, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse((await lines.next()).value ?? '');
    };
    const clientInfo = { name: 'test', version: '1' };
    await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    // Twelve megabytes are more than the transport takes unless it is told to.
    const call = { name: 'save_observation', arguments: { type: 'bugfix', title: 'x'.repeat(12_000_000) } };
    expect(await ask(2, 'tools/call', call)).toMatchObject({ id: 2, result: { isError: true } });
    expect((await ask(3, 'tools/list', {})).result.tools.length).toBeGreaterThan(3);
    const over = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end();
    expect(await over).toBe(0);
  });

  it('is skipped with one line on standard error where it is JSON but not JSON-RPC', () => {
    const { root, env } = createRepository();
    const input = '[]\nnull\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'mcp'], {
      cwd: root,
      env,
      input,
      encoding: 'utf8',
    });
    const line = 'git-mem mcp: Skipped a line from the client that is not a JSON-RPC message.';
    expect(stderr.trimEnd().split('\n')).toEqual([line, line]);
    expect(status).toBe(0);
  });
});
