import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const PROXY = observationOf({ id: 'k3v9x2qd7m', title: 'The proxy drops connections that idle for a minute' });

/** A small client: asks one line, and waits for its answer. */
function client({ root, env }: TestRepository, ...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'rpc', ...args], { cwd: root, env });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = async (line: string) => {
    child.stdin.write(`${line}\n`);
    return JSON.parse((await lines.next()).value ?? 'null');
  };
  return {
    say,
    ask: (method: string, params?: unknown, id: unknown = 1) => say(JSON.stringify({ id, method, params })),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

describe('git mem rpc', () => {
  it('searches, reads, saves and marks, and ends with its input', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--json']);
    put(repository, PROXY);
    const { ask, end } = client(repository, '--as', 'my-tool/1.2');
    const found = await ask('search', { query: 'proxy' }, 'a');
    expect([found.id, found.result.hits.map(({ id }: { id: string }) => id)]).toEqual(['a', [PROXY.id]]);
    const read = await ask('get', { ids: ['k3v9', 'zzzz'] });
    expect([read.result.records[0].title, read.result.missing]).toEqual([PROXY.title, ['zzzz']]);
    const title = 'The importer needs a header\u2028row in each file';
    const saved = await ask('save', { title, supersedes: [PROXY.id] });
    expect(saved.result.created).toBe(true);
    expect((await ask('mark', { type: 'pin', ids: [saved.result.id] })).result.created).toBe(true);
    expect((await ask('search', { query: 'importer' })).result.hits[0].id).toBe(saved.result.id);
    expect(await end()).toBe(0);
    const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
    expect(records).toMatchObject([
      { id: saved.result.id, generated_by: 'my-tool/1.2', author: 'agent', pinned: true },
    ]);
  });

  it('shows a dispute that a saved record begins, and one that it ends, at once', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--json']);
    const { ask, end } = client(repository);
    const save = async (title: string, narrative = ''): Promise<string> =>
      (await ask('save', { title, narrative, files_modified: ['src/upload.ts'] })).result.id;
    const disputed = async () => {
      const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
      return records.filter((one: { disputed: boolean }) => one.disputed).map(({ id }: { id: string }) => id);
    };
    const pair = [
      await save('Uploads must be retried by the drain'),
      await save('Uploads must not be retried by the drain'),
    ];
    expect((await disputed()).sort()).toEqual(pair.toSorted());
    await save('Who retries uploads depends on the plan', pair.map((id) => `See ${id.slice(0, 4)}.`).join(' '));
    expect(await disputed()).toEqual([]);
    await end();
  });

  it('answers what it cannot do with an error, and goes on', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--json']);
    const { say, ask, end } = client(repository);
    expect(await say('not json')).toEqual({ id: null, error: expect.objectContaining({ code: 'bad-input' }) });
    expect((await say('{"method": "search"}')).error.hint).toContain('"method": "search"');
    expect(await ask('constructor', {}, 7)).toMatchObject({
      id: 7,
      error: { hint: expect.stringContaining('save_summary') },
    });
    expect((await ask('search', { words: 'x' }, 8)).error.message).toContain('words');
    expect((await ask('get', { ids: [] }, 9)).id).toBe(9);
    expect((await ask('search', { query: 'x'.repeat(5_000_000) }, 10)).error.code).toBe('too-large');
    expect((await ask('search', { query: 'anything' }, 11)).result.hits).toEqual([]);
    expect(await end()).toBe(0);
  });

  it('needs a memory, and a name that is one', async () => {
    const { ask } = client(createRepository());
    expect((await ask('search', { query: 'x' })).error.code).toBe('not-initialised');
    const { code, stderr } = await gitMem(createRepository(), ['rpc', '--as', 'a b']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('not the name of a program')]);
  });
});
