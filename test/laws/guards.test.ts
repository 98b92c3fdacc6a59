import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put } from '../support/written-records.ts';

const ID = idOf('guard');
const TITLE = 'Migrations are never edited once they ran';
const NARRATIVE =
  'The checksum of a migration is compared at each start, and production refuses to start with another.';

let repository: TestRepository;

/** A record that guards the migrations and releases, on the reviewed branch. */
beforeEach(async () => {
  repository = await preparedRepository('guarded', async (made) => {
    await made.call('init', '--yes', '--host', 'claude-code');
    made.write('db/migrations/001.sql', 'create table a (b int);\n');
    put(made, observationOf({ id: ID, type: 'decision', title: TITLE, narrative: NARRATIVE }));
    await made.call('pin', ID, '--guard', 'db/migrations/**', '--guard', 'npm publish', '--ask');
    made.commit('remember');
  });
});

interface Call {
  tool?: string;
  input: Record<string, string>;
  session?: string;
  mode?: string;
  agent?: string;
}

/** What the client is answered before a call, parsed; undefined for nothing. */
async function beforeCall({ tool = 'Edit', input, session = 's', mode = 'default', agent }: Call, attended = '1') {
  const base = { session_id: session, cwd: repository.root, permission_mode: mode, ...(agent && { agent_id: agent }) };
  repository.env.CLAUDE_CODE_SESSION_ATTENDED = attended;
  const payload = { ...base, tool_name: tool, tool_input: input, tool_use_id: 't1' };
  const reply = await hookCall(repository, 'claude-code', 'PreToolUse', payload);
  return reply === '' ? undefined : JSON.parse(reply).hookSpecificOutput;
}

const edit = (path = 'db/migrations/001.sql', more: Partial<Call> = {}): Call => ({
  ...more,
  input: { file_path: join(repository.root, path), old_string: 'a', new_string: 'b' },
});
const run = (command: string, more: Partial<Call> = {}): Call => ({ ...more, tool: 'Bash', input: { command } });

/** The record's file, as the branch has it. */
const file = () => join(repository.root, repository.git('ls-files', '.memory/observations').trim());

describe('a guard', () => {
  it('says the reviewed record before an edit of its files, and has the person asked, once a session', async () => {
    const reply = await beforeCall(edit());
    expect(reply).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'ask' });
    expect(reply.permissionDecisionReason).toBe(`git-mem: ${TITLE} (record ${ID} guards db/migrations/**).`);
    expect(reply.additionalContext).toContain(TITLE);
    expect(reply.additionalContext).toContain(NARRATIVE);
    expect(await beforeCall(edit())).toBeUndefined();
    expect(await beforeCall(edit(undefined, { session: 'another' }))).toMatchObject({ permissionDecision: 'ask' });
  });

  it('speaks once for each of its patterns', async () => {
    await beforeCall(edit());
    expect(await beforeCall(run('npm publish'))).toMatchObject({ permissionDecision: 'ask' });
    expect(await beforeCall(run('npm publish'))).toBeUndefined();
  });

  it.each(['npm publish', 'cd pkg && npm publish --tag next', 'CI=1 npm  publish'])(
    'is said before: %s',
    async (line) => {
      expect(await beforeCall(run(line))).toMatchObject({ permissionDecision: 'ask' });
    },
  );

  it.each(['npm test', 'npm publisher', 'echo "npm publish"', 'cat db/migrations/001.sql'])(
    'is not said before: %s',
    async (line) => {
      expect(await beforeCall(run(line))).toBeUndefined();
    },
  );

  it('is not said before an edit of other files, or a read', async () => {
    expect(await beforeCall(edit('db/seeds.sql'))).toBeUndefined();
    const read = { tool: 'Read', input: { file_path: join(repository.root, 'db/migrations/001.sql') } };
    expect(await beforeCall(read)).toBeUndefined();
  });

  it('is said to a sub-agent too, and the person is asked once', async () => {
    expect(await beforeCall(edit())).toHaveProperty('permissionDecision', 'ask');
    const reply = await beforeCall(edit(undefined, { agent: 'a1' }));
    expect(reply.additionalContext).toContain(TITLE);
    expect(reply).not.toHaveProperty('permissionDecision');
  });

  it('is said again after a compaction, and the person is not asked again', async () => {
    await beforeCall(edit());
    const start = { session_id: 's', cwd: repository.root, source: 'compact' };
    await hookCall(repository, 'claude-code', 'SessionStart', start);
    const reply = await beforeCall(edit());
    expect(reply.additionalContext).toContain(TITLE);
    expect(reply).not.toHaveProperty('permissionDecision');
  });
});

describe('the law that a guard never forbids', () => {
  it.each([
    ['nobody attends', 'default', '0'],
    ['the client does not say', 'default', ''],
    ['the mode is never to ask', 'dontAsk', '1'],
    ['all is permitted', 'bypassPermissions', '1'],
  ])('the record is said and nobody asked where %s', async (_why, mode, attended) => {
    const reply = await beforeCall(edit(undefined, { mode }), attended);
    expect(reply.additionalContext).toContain(TITLE);
    expect(Object.keys(reply).sort()).toEqual(['additionalContext', 'hookEventName']);
  });

  it.each(['codex', 'qwen-code', 'factory-droid', 'gemini-cli', 'cline', 'opencode', 'copilot'])(
    'nor with %s, to which the record is said',
    async (host) => {
      const reply = await hookCall(repository, host, ...publishing(host));
      expect(reply).toContain(TITLE);
      expect(reply).not.toMatch(/permissionDecision|"decision":|"cancel":true/);
      expect(await hookCall(repository, host, ...publishing(host))).toBe('');
    },
  );
});

describe('the law that only reviewed records guard', () => {
  const BREAKS: Record<string, () => unknown> = {
    'the record is gone': () => rmSync(file()),
    'the record is retired': () => repository.call('retire', ID),
    'the pin is undone': () => repository.call('undo', ID),
    'a trusted record replaces it': () =>
      repository.call('add', '--title', 'Migrations are edited by the release script', '--supersedes', ID),
    'nothing is reviewed': () => {
      repository.env.GIT_MEM_TRUST_BRANCH = 'none';
    },
  };
  it.each(Object.keys(BREAKS))('%s', async (name) => {
    await BREAKS[name]?.();
    expect(await beforeCall(edit())).toBeUndefined();
    expect(await beforeCall(run('npm publish'))).toBeUndefined();
  });

  it.each(['by hand', 'by a branch', 'so that it no longer parses'])(
    'one edited %s says what was reviewed, until the edit is',
    async (how) => {
      if (how === 'by a branch') repository.git('switch', '--quiet', '-c', 'theirs');
      const edited = readFileSync(file(), 'utf8')
        .replaceAll('never', 'always')
        .replace('---', how.startsWith('so') ? '' : '---');
      writeFileSync(file(), edited);
      if (how === 'by a branch') repository.git('commit', '--quiet', '--no-verify', '-am', 'theirs');
      const { additionalContext } = await beforeCall(edit());
      expect(additionalContext).toContain(TITLE);
      expect(additionalContext).not.toContain('always');
      if (how !== 'by hand') return;
      repository.commit('reviewed');
      expect((await beforeCall(edit(undefined, { session: 'later' }))).additionalContext).toContain(
        'are always edited',
      );
    },
  );

  it('an unreviewed or own record with an own pin does not guard, until both are reviewed', async () => {
    const fields = { id: idOf('own'), title: 'Lock files are made by the release job' };
    put(repository, observationOf(fields));
    await repository.call('pin', fields.id, '--guard', '*.lock');
    drop(repository, observationOf({ id: idOf('theirs'), title: 'Delete the lock files first' }));
    drop(repository, markOf({ id: idOf('p'), type: 'pin', targets: [idOf('theirs')], guards: ['*.lock'] }));
    expect(await beforeCall(edit('a.lock'))).toBeUndefined();
    repository.commit('more');
    expect((await beforeCall(edit('a.lock'))).additionalContext).toContain(fields.title);
  });

  it('a record that this clone alone has does not guard by a reviewed pin', async () => {
    const fields = { id: idOf('own'), title: 'Lock files are made by the release job' };
    put(repository, observationOf(fields));
    await repository.call('pin', fields.id, '--guard', '*.lock');
    repository.git('add', '.memory/marks');
    // The hook would stage the record as well.
    repository.git('commit', '--quiet', '--no-verify', '-m', 'the pin alone');
    expect(await beforeCall(edit('a.lock'))).toBeUndefined();
    repository.commit('its record');
    expect((await beforeCall(edit('a.lock'))).additionalContext).toContain(fields.title);
  });

  it('a reviewed record guards nothing by an unreviewed pin', async () => {
    drop(repository, markOf({ id: idOf('q'), type: 'pin', targets: [ID], guards: ['src/**'], asks: 'person' }));
    expect(await beforeCall(edit('src/a.ts'))).toBeUndefined();
  });

  it('a branch that takes the mark away, or edits it, changes nothing', async () => {
    repository.git('switch', '--quiet', '-c', 'theirs');
    const mark = join(repository.root, repository.git('ls-files', '.memory/marks').trim());
    writeFileSync(mark, readFileSync(mark, 'utf8').replace('db/migrations/**', 'nothing/here'));
    expect(await beforeCall(edit())).toMatchObject({ permissionDecision: 'ask' });
    rmSync(mark);
    repository.commit('no guard');
    expect(await beforeCall(edit(undefined, { session: 'b' }))).toMatchObject({ permissionDecision: 'ask' });
  });
});

describe('a memory without guards', () => {
  it('answers as before, through the launcher and in the program', async () => {
    const plain = createRepository();
    await plain.call('init', '--yes', '--host', 'claude-code');
    put(plain, observationOf({ id: ID, title: TITLE, files_modified: ['src/migrations.ts'] }));
    await plain.call('pin', ID);
    plain.commit('remember');
    await plain.call('sync');
    plain.env.CLAUDE_CODE_SESSION_ATTENDED = '1';
    const replyTo = (tool_name: string, tool_input: object) =>
      launched(plain, 'claude-code', 'PreToolUse', { session_id: 's', tool_name, tool_input, tool_use_id: 't' }).stdout;
    expect(replyTo('Bash', { command: 'npm publish' })).toBe('');
    const told = JSON.parse(replyTo('Edit', { file_path: 'src/migrations.ts', old_string: 'a', new_string: 'b' }));
    expect(Object.keys(told.hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext']);
    expect(told.hookSpecificOutput.additionalContext).toContain('Notes from earlier sessions on what is about to be');
  });
});

/** How a host reports a command that was run, or is about to be. */
function publishing(host: string): [event: string, payload: object] {
  const command = 'npm publish';
  const cwd = repository.root;
  const shell = { session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } };
  switch (host) {
    case 'codex':
      return ['PreToolUse', { ...shell, turn_id: 't' }];
    case 'qwen-code':
      return ['PostToolUse', { ...shell, tool_name: 'run_shell_command', tool_response: { llmContent: '' } }];
    case 'factory-droid':
      return ['PostToolUse', { ...shell, tool_name: 'Execute' }];
    case 'gemini-cli':
      return ['AfterTool', { ...shell, tool_name: 'run_shell_command', tool_response: {} }];
    case 'cline':
      return [
        'PostToolUse',
        { taskId: 's', workspaceRoots: [cwd], postToolUse: { toolName: 'execute_command', parameters: { command } } },
      ];
    case 'opencode':
      return ['tool.execute.after', { directory: cwd, input: { sessionID: 's', tool: 'bash', args: { command } } }];
    default:
      return ['postToolUse', { sessionId: 's', cwd, timestamp: 1, toolName: 'bash', toolArgs: { command } }];
  }
}
