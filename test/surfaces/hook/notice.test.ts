import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

/** A memory of one record whose name stands in its file, and one whose name is gone. */
async function remembered(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes', '--host', 'claude-code');
  for (const file of ['a', 'b']) {
    repository.write(`src/${file}.ts`, 'export const rowLimit = 1;\n');
    await repository.call(
      'add',
      '--title',
      `The rowLimit of ${file} is mirrored by hand`,
      '--file-read',
      `src/${file}.ts`,
    );
  }
  repository.write('src/b.ts', 'export const b = 1;\n');
  return repository;
}

function start(repository: TestRepository, host: string, source: string): Promise<string> {
  return hookCall(repository, host, 'SessionStart', { session_id: `${host} ${source}`, cwd: repository.root, source });
}

describe('the line for the person at a session start', () => {
  it('says how many records were injected, and how many of them are stale or not committed', async () => {
    const { systemMessage } = JSON.parse(await start(await remembered(), 'claude-code', 'startup'));
    expect(systemMessage).toBe('git-mem: 2 records injected, 1 stale, 2 not committed.');
  });

  it('says how many records wait for a person', async () => {
    const repository = await remembered();
    repository.env.GIT_MEM_CAPTURE_DESTINATION = 'inbox';
    put(
      repository,
      observationOf({ id: idOf('w'), title: 'Found', extractor: 'anthropic/claude-haiku-4-5' }),
      'private',
    );
    const { systemMessage } = JSON.parse(await start(repository, 'claude-code', 'startup'));
    expect(systemMessage).toMatch(/^git-mem: \d records injected, 1 stale, 1 waits, 2 not committed\.$/);
  });

  it('is left out after a compaction, and without a record', async () => {
    const repository = await remembered();
    expect(await start(repository, 'claude-code', 'compact')).not.toContain('systemMessage');
    expect(await start(repository, 'claude-code', 'clear')).toContain('systemMessage');
    const empty = createRepository();
    await empty.call('init', '--yes', '--host', 'claude-code');
    const asked = await start(empty, 'claude-code', 'startup');
    expect(asked).toContain('additionalContext');
    expect(asked).not.toContain('systemMessage');
  });

  it.each(['codex', 'gemini-cli'])('is sent to %s', async (host) => {
    const { systemMessage } = JSON.parse(await start(await remembered(), host, 'startup'));
    expect(systemMessage).toBe('git-mem: 2 records injected, 1 stale, 2 not committed.');
  });

  it.each(['factory-droid', 'qwen-code'])('is not sent to %s, which would not show it', async (host) => {
    expect(Object.keys(JSON.parse(await start(await remembered(), host, 'startup')))).toEqual(['hookSpecificOutput']);
  });
});
