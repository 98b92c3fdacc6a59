import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundedLines, tooLong } from '../../../src/surfaces/mcp/server.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';

describe('a message that is too long, or none', () => {
  it('gets an error as its answer, and the server keeps running', async () => {
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
    for (const [id, size] of [
      [2, 10 * 1024 * 1024],
      [3, 25_000_000],
    ] as const) {
      const call = { name: 'search', arguments: { query: 'x'.repeat(size) } };
      expect(await ask(id, 'tools/call', call)).toMatchObject({
        id,
        error: { message: 'The message is longer than 4 MB.' },
      });
    }
    expect((await ask(4, 'tools/list', {})).result.tools.length).toBeGreaterThan(3);
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

  it('leaves shorter lines alone, however they are chunked', () => {
    const seen: string[] = [];
    const long: string[] = [];
    const lines = boundedLines((start, end) => void long.push(`${start.length} ${end.length}`), 10);
    lines.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
    for (const chunk of ['ab', 'c\nde', 'f\n', 'x'.repeat(9), 'x'.repeat(9), '\n\n', '123456789\nlast']) {
      lines.write(Buffer.from(chunk));
    }
    expect(seen).toEqual(['abc\n', 'def\n', '\n', '123456789\n']);
    expect(long).toHaveLength(1);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"m","params":{"id":8,', '}}', 7],
    ['{"method":"m","params":{"id":8,', 'x"},"jsonrpc":"2.0","id":"a"}\n', 'a'],
    ['{"method":"m","params":{"id":8,', 'x"},"id":9,"jsonrpc":"2.0"}\n', 9],
    ['{"method":"m","params":{"id":8,', '"}}\n', null],
  ])('is identified by its id: %s', (start, end, id) => {
    expect(JSON.parse(tooLong(start, end)).id).toBe(id);
  });
});
