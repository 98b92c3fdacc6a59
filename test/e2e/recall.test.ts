import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { useSettings } from '../support/team-settings.ts';

const it = test.extend('repository', () => remembering());

const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';

type Report = (event: string, payload?: object, env?: Record<string, string>) => Promise<string>;

/** A repository that remembers two things about src/auth.js, and one about something else. */
async function remembering(): Promise<TestRepository & { hook: Report; launch: Report }> {
  const repository = await preparedRepository('remembering', remember);
  const { root } = repository;
  const common = { session_id: 's1', prompt_id: 'p1', cwd: root };
  return {
    ...repository,
    hook: (event, payload = {}, more = {}) =>
      hookCall({ root, env: { ...repository.env, ...more } }, 'claude-code', event, { ...common, ...payload }),
    async launch(event, payload = {}, more = {}) {
      const place = { root, env: { ...repository.env, ...more } };
      const { status, stdout } = launched(place, 'claude-code', event, { ...common, ...payload });
      expect(status).toBe(0);
      return stdout;
    },
  };
}

async function remember({ write, call }: TestRepository): Promise<void> {
  write('src/auth.js', 'export const leeway = 30;\nexport function checkDate() {}\n');
  write('src/site.js', 'export {};\n');
  await call('init', '--yes');
  const add = (title: string, narrative: string, file: string) =>
    call('add', '--type', 'bugfix', '--title', title, '--narrative', narrative, '--file-modified', file);
  await add(
    'Tolerate clock skew between nodes',
    'A token of a node whose clock runs ahead gave a 401 right after login. The `leeway` of `checkDate` is in seconds.',
    'src/auth.js',
  );
  await add(
    'Colliding slugs get the post id on the site',
    'A counter changed addresses when a post was deleted.',
    'src/site.js',
  );
  await add('Invoices are rendered to PDF with Chromium', 'wkhtmltopdf broke on flexbox.', 'src/pdf.js');
}

function contextOf(event: string, stdout: string): string {
  const { systemMessage, ...reply } = JSON.parse(stdout);
  expect(systemMessage !== undefined).toBe(event === 'SessionStart');
  expect(Object.keys(reply)).toEqual(['hookSpecificOutput']);
  expect(Object.keys(reply.hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext']);
  expect(reply.hookSpecificOutput.hookEventName).toBe(event);
  return reply.hookSpecificOutput.additionalContext;
}

const spooled = (root: string) => {
  const folder = join(root, '.git/git-mem/spool/new');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('on a prompt', () => {
  it('starts no Node for a file that no record cites, once a drain has written the list of cited files', async () => {
    const { root, call, launch } = await remembering();
    await call('drain', '--wait');
    // The first read after something was written finds out that nothing came since.
    await expect.poll(() => launch('PreToolUse', read(join(root, 'src/site.js'))).then(isDated)).toBe(true);
    const bin = join(root, '..', 'no-program');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\necho git-mem reply 1\necho started\n`, { mode: 0o755 });
    const PATH = `${bin}:${process.env.PATH}`;
    for (const silent of [read(join(root, 'src/other.js')), bash('node --test'), bash('cat README.md')]) {
      expect(await launch('PreToolUse', silent, { PATH })).toBe('');
    }
    expect(await launch('PreToolUse', read(join(root, 'src/auth.js')), { PATH })).toBe('started\n');
    expect(await launch('PreToolUse', read(join(root, 'src/auth.js')))).toContain('clock skew');

    function isDated(): boolean {
      const [list, folder] = [join(root, '.git/git-mem/names/.git'), join(root, '.memory/observations')];
      return [folder, ...readdirSync(folder).map((month) => join(folder, month))]
        .filter(existsSync)
        .every((path) => statSync(path).mtimeMs <= statSync(list).mtimeMs);
    }
  });

  it('injects the relevant records, once a session', async ({ repository: { hook, launch, root } }) => {
    const text = contextOf('UserPromptSubmit', await launch('UserPromptSubmit', { prompt: PROMPT }));
    expect(text).toContain('Tolerate clock skew between nodes');
    expect(text).not.toContain('slugs');
    expect(text).toMatch(/^<git-mem-memory>\n[\s\S]*\n<\/git-mem-memory>$/);
    expect(await hook('UserPromptSubmit', { prompt: PROMPT })).toBe('');
    expect(await hook('UserPromptSubmit', { prompt: PROMPT, session_id: 's2' })).not.toBe('');
    expect(spooled(root)).toHaveLength(3);
  });

  it('injects nothing where nothing is relevant, and still keeps the prompt', async () => {
    const { hook, root } = await remembering();
    for (const prompt of ['continue', 'ok commit', 'weiter', 'set up terraform for a gcp bucket with versioning', '']) {
      expect(await hook('UserPromptSubmit', { prompt })).toBe('');
    }
    expect(spooled(root)).toHaveLength(5);
  });

  it('does not answer prompts that a machine wrote', async ({ repository: { hook } }) => {
    expect(await hook('UserPromptSubmit', { prompt: `<task-notification>${PROMPT}</task-notification>` })).toBe('');
  });

  it('leaves out unreviewed and retired records', async ({ repository: { hook, call, root, git, env } }) => {
    const [record] = JSON.parse(await call('list', '--json')).records.filter(({ title }: { title: string }) =>
      title.includes('skew'),
    );
    rmSync(join(root, '.git/git-mem/own'));
    expect(await hook('UserPromptSubmit', { prompt: PROMPT })).toBe('');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Reviewed');
    expect(await hook('UserPromptSubmit', { prompt: PROMPT, session_id: 's2' })).toContain(record.id);
    openWorkspace(root, env).stores.team.put({
      kind: 'mark',
      id: idOf('retire', record.id),
      type: 'retire',
      targets: [record.id],
      reason: 'The nodes share a clock now.',
      generated: { by: 'test', at: '2026-11-21T00:00:00Z' },
    });
    expect(await hook('UserPromptSubmit', { prompt: PROMPT, session_id: 's3' })).toBe('');
  });

  it('can be switched off, by file and by environment', async ({ repository }) => {
    const { hook, launch, root } = repository;
    expect(await launch('UserPromptSubmit', { prompt: PROMPT }, { GIT_MEM_RECALL_PROMPT: '0' })).toBe('');
    useSettings(repository, 'recall: {prompt: false, read: false}\n');
    expect(await hook('UserPromptSubmit', { prompt: PROMPT })).toBe('');
    expect(await hook('PreToolUse', read(join(root, 'src/auth.js')))).toBe('');
    expect(spooled(root)).toHaveLength(2);
  });

  it('answers from a damaged cache or stays silent, and never fails', async ({ repository: { hook, root } }) => {
    await hook('UserPromptSubmit', { prompt: PROMPT });
    writeFileSync(join(root, '.git/git-mem/cache.sqlite'), 'not a database'.repeat(1000));
    const stdout = await hook('UserPromptSubmit', { prompt: PROMPT, session_id: 's2' });
    if (stdout !== '') contextOf('UserPromptSubmit', stdout);
  });
});

const read = (path: string) => ({ tool_name: 'Read', tool_input: { file_path: path }, tool_use_id: 't1' });
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't2' });

describe('before a read', () => {
  it('injects the records that cite the file, once, without keeping the event', async () => {
    const { hook, launch, root } = await remembering();
    const text = contextOf('PreToolUse', await launch('PreToolUse', read(join(root, 'src/auth.js'))));
    expect(text).toContain('Tolerate clock skew between nodes [src/auth.js]');
    expect(await hook('PreToolUse', read(join(root, 'src/auth.js')))).toBe('');
    expect(await launch('PreToolUse', bash('cat src/auth.js'))).toBe('');
    expect(spooled(root)).toEqual([]);
  });

  it('does so before a command that reads it', async ({ repository: { hook, root } }) => {
    expect(
      contextOf('PreToolUse', await hook('PreToolUse', bash(`cd ${root} && sed -n '1,9p' src/site.js`))),
    ).toContain('slugs');
    expect(await hook('PreToolUse', bash('npm test'))).toBe('');
  });

  it.each(['Edit', 'Write'])('does so before %s changes it', async (tool_name) => {
    const { hook, root } = await remembering();
    const payload = { tool_name, tool_input: { file_path: join(root, 'src/site.js') }, tool_use_id: 't3' };
    const text = contextOf('PreToolUse', await hook('PreToolUse', payload));
    expect(text).toContain('on what is about to be changed');
    expect(text).toContain('Colliding slugs get the post id on the site [src/site.js]');
    expect(await hook('PreToolUse', payload)).toBe('');
  });

  it('says which name of the record the file has no longer, and nothing where the file only changed', async () => {
    const { hook, root, write } = await remembering();
    const told = async (session_id: string) =>
      contextOf('PreToolUse', await hook('PreToolUse', { ...read(join(root, 'src/auth.js')), session_id }));
    write('src/auth.js', 'export const leeway = 60;\nexport function checkDate() {}\n');
    expect(await told('s1')).toContain('Tolerate clock skew between nodes [src/auth.js]');
    write('src/auth.js', 'export const tolerance = 60;\nexport function checkDate() {}\n');
    expect(await told('s2')).toContain('[src/auth.js, `leeway` is no longer in src/auth.js]');
  });

  it('injects nothing for other files, for paths outside the repository, or for the memory itself', async () => {
    const { hook, root, folder } = await remembering();
    for (const path of [
      join(root, 'src/other.js'),
      join(folder, 'src/auth.js'),
      '/etc/passwd',
      join(root, '.memory/config.yaml'),
    ]) {
      expect(await hook('PreToolUse', read(path))).toBe('');
    }
  });
});

describe('when a sub-agent starts', () => {
  const start = { agent_id: 'a1', agent_type: 'Explore' };

  it('injects its parent’s briefing in at most 300 tokens', async ({ repository: { hook, root, call } }) => {
    for (let i = 0; i < 30; i++) await call('add', '--title', `Lesson ${i} of a long day at work on the importer`);
    await call('personal', 'init');
    await call('add', '--personal', '--title', 'Short answers');
    const text = contextOf('SubagentStart', await hook('SubagentStart', start));
    expect(text).toContain('Lesson');
    // The user talks to its parent.
    expect(text).not.toContain('Short answers');
    expect(text.length).toBeLessThanOrEqual(1200);
    expect(spooled(root)).toEqual([]);
  });

  it('is silent for the host’s own compaction', async ({ repository: { hook } }) => {
    expect(await hook('SubagentStart', { ...start, agent_type: '' })).toBe('');
  });
});

it('keeps its notes in the state folder and nowhere in the tree', async ({ repository: { hook, git, root } }) => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  await hook('UserPromptSubmit', { prompt: PROMPT });
  expect(git('status', '--porcelain')).toBe('');
  expect(readdirSync(join(root, '.git/git-mem/injected'))).toHaveLength(1);
});

it('is silent for any other payload', async ({ repository: { hook } }) => {
  const hostile: object[] = [
    { session_id: 7, prompt: PROMPT },
    { session_id: '', prompt: PROMPT },
    { prompt: { text: PROMPT } },
    { tool_name: 'Read', tool_input: null },
    { tool_name: 'Read', tool_input: { file_path: ['src/auth.js'] } },
    { tool_name: 'Read', tool_input: { file_path: '\u0000' }, cwd: 7 },
    { tool_name: 'Read', tool_input: { file_path: `${'../'.repeat(1000)}etc/passwd` } },
    { tool_name: 'Bash', tool_input: { command: 'cat '.repeat(50_000) } },
    { tool_name: '__proto__', tool_input: { command: 'cat src/auth.js' } },
    { tool_name: 'Write', tool_input: { file_path: 7 } },
  ];
  for (const payload of hostile) {
    for (const event of ['PreToolUse', 'UserPromptSubmit'])
      expect([payload, await hook(event, payload)]).toEqual([payload, '']);
  }
});
