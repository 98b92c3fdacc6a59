import { beforeEach, describe, expect, it } from 'vitest';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const LIMIT = `${'// more\n'.repeat(20)}export const LIMIT = 10;\n${'// more\n'.repeat(20)}export function cutBatch() {}\n`;

let repository: TestRepository;
beforeEach(async () => {
  repository = createRepository();
  repository.write('src/limit.ts', LIMIT);
  repository.write('src/import.ts', 'export function importRows() {}\n');
  await repository.call('init', '--yes', '--host', 'claude-code');
});

async function remember(title: string, narrative: string, files: string[], type = 'discovery'): Promise<void> {
  const about = files.flatMap((file) => ['--file', file]);
  await repository.call('add', '--type', type, '--title', title, '--narrative', narrative, ...about);
}

let sessions = 0;

/** What a new session of a host is told before a call. */
async function toldBefore(tool_name: string, tool_input: object, host = 'claude-code'): Promise<string> {
  const payload = { session_id: `s${sessions++}`, cwd: repository.root, tool_name, tool_input };
  const reply = await hookCall(repository, host, 'PreToolUse', payload);
  return reply === '' ? '' : JSON.parse(reply).hookSpecificOutput.additionalContext;
}

const FILE = { file_path: 'src/limit.ts' };
const bash = (command: string) => toldBefore('Bash', { command });

describe('a record is told before a read', () => {
  it('where a name that it says stands in the lines that are read', async () => {
    await remember('Batches end early on slow disks', 'It is `cutBatch` that ends them, on purpose.', [
      'src/import.ts',
      'src/limit.ts',
    ]);
    expect(await toldBefore('Read', FILE)).toContain('slow disks');
    expect(await toldBefore('Read', { ...FILE, offset: 35, limit: 20 })).toContain('slow disks');
    expect(await toldBefore('Read', { ...FILE, offset: 1, limit: 30 })).toBe('');
    expect(await bash("sed -n '30,60p' src/limit.ts")).toContain('slow disks');
    expect(await bash("sed -n '1,30p' src/limit.ts")).toBe('');
    expect(await bash('head -n 30 src/limit.ts')).toBe('');
    expect(await toldBefore('Bash', { command: "sed -n '1,30p' src/limit.ts" }, 'codex')).toBe('');
    expect(await toldBefore('Bash', { command: 'cat src/limit.ts' }, 'codex')).toContain('slow disks');
    // The other file that it cites says nothing of it.
    expect(await toldBefore('Read', { file_path: 'src/import.ts' })).toBe('');
  });

  it('where a line that it cites is read', async () => {
    await remember('Rows are dropped without a warning', 'See limit.ts:21, which nobody logs.', ['src/limit.ts']);
    expect(await toldBefore('Read', { ...FILE, offset: 10, limit: 15 })).toContain('Rows are dropped');
    expect(await toldBefore('Read', { ...FILE, offset: 30, limit: 10 })).toBe('');
  });

  it('where the file is its main subject: cited first, and named in the title', async () => {
    await remember('The limit is what the slowest disk takes', 'A vendor measured it.', [
      'src/limit.ts',
      'src/import.ts',
    ]);
    await remember('Ten rows a batch came from a vendor', 'They measured the slowest disk.', ['src/limit.ts']);
    const text = await toldBefore('Read', FILE);
    expect(text).toContain('The limit is what');
    expect(text).not.toContain('Ten rows');
    expect(await toldBefore('Read', { file_path: 'src/import.ts' })).toBe('');
  });

  it('not as a rule about the file in general, which is told before an edit', async () => {
    await remember('Numbers are never raised without the vendor', 'They broke disks once.', ['src/limit.ts'], 'rule');
    expect(await toldBefore('Read', FILE)).toBe('');
    expect(await toldBefore('Edit', { ...FILE, old_string: '10', new_string: '20' })).toContain(
      'Numbers are never raised',
    );
  });

  it('although others that cite the file came first', async () => {
    await remember('The `LIMIT` is in rows, not in bytes', 'A batch has at most so many.', [
      'src/limit.ts',
      'src/import.ts',
    ]);
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday'])
      await remember(`Disks were replaced on a ${day}`, 'They had worn out.', ['src/limit.ts']);
    const text = await toldBefore('Read', FILE);
    expect(text).toContain('in rows, not in bytes');
    expect(text).not.toContain('Disks were replaced');
  });
});

describe('below its title stands', () => {
  it.each([
    ['Rule of the developer. Vendors void the warranty otherwise.', 'Vendors void the warranty otherwise.'],
    ['The limit is ten rows. All 12 tests pass. A vendor measured it on `LIMIT`.', 'A vendor measured it on `LIMIT`.'],
    ['Rule of the developer.', ''],
    ['npm test passes now.', ''],
  ])('what tells more than the title does, of: %s', async (narrative, sentence) => {
    await remember('The `LIMIT` is ten rows', narrative, ['src/limit.ts']);
    const lines = (await toldBefore('Read', FILE)).split('\n');
    const at = lines.findIndex((line) => line.includes('is ten rows'));
    expect(at).toBeGreaterThan(0);
    expect(lines[at + 1]?.startsWith('  ') ? lines[at + 1]?.trim() : '').toBe(sentence);
  });

  it('nothing at a start that only says whose rule it is', async () => {
    await remember('Write commit subjects in lower case', 'Rule of the developer.', [], 'rule');
    const payload = { session_id: 's', cwd: repository.root, source: 'startup' };
    const text = await hookCall(repository, 'claude-code', 'SessionStart', payload);
    expect(text).toContain('lower case');
    expect(text).not.toContain('Rule of the developer');
  });
});
