import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFrom, liveRecords } from '../../support/imports.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';

/** The lines of a short session as Claude Code writes them: one a content block, results as lines of the user. */
function linesOf(root: string, secret = ''): Record<string, unknown>[] {
  let minute = 0;
  const line = (type: string, content: unknown, more: Record<string, unknown> = {}) => ({
    type,
    uuid: `uuid-${minute}`,
    sessionId: SESSION,
    cwd: root,
    gitBranch: 'feature/auth',
    isSidechain: false,
    timestamp: new Date(Date.parse('2026-10-01T09:00:00Z') + 60_000 * minute++).toISOString(),
    message: { role: type, content },
    ...more,
  });
  const file = join(root, 'src/auth.ts');
  const edit = { file_path: file, old_string: 'iat <= now', new_string: 'iat <= now + 30' };
  return [
    { type: 'queue-operation', sessionId: SESSION },
    line('user', `Tokens are rejected right after login, find out why and mend it. ${secret}`),
    line('assistant', [{ type: 'text', text: 'I will look at the check.' }]),
    line('assistant', [{ type: 'tool_use', id: 't0', name: 'Bash', input: { command: 'npm test' } }]),
    line('user', [{ type: 'tool_result', tool_use_id: 't0', content: 'Exit code 1\n1 failed', is_error: true }], {
      toolUseResult: 'Error: Exit code 1\n1 failed',
    }),
    line('assistant', [{ type: 'tool_use', id: 't1', name: 'Edit', input: edit }]),
    line('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'Edited.' }], {
      toolUseResult: { filePath: file, oldString: edit.old_string, newString: edit.new_string },
    }),
    line('assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } }]),
    line('user', [{ type: 'tool_result', tool_use_id: 't2', content: '12 passed' }], {
      toolUseResult: { stdout: '12 passed', stderr: '', interrupted: false },
    }),
    line('user', 'A thought of a sub-agent.', { isSidechain: true }),
    line('assistant', [
      {
        type: 'text',
        text: `Fixed: fresh tokens were rejected because the issuer's clock runs ahead by up to 30 seconds. The check now allows 30 seconds of skew. All 12 tests pass. ${secret}`,
      },
    ]),
    line('user', '<command-name>/clear</command-name>'),
    line('user', 'Thanks.'),
    line('assistant', [{ type: 'text', text: 'You are welcome.' }]),
  ];
}

function writeTranscript({ folder, root }: TestRepository, lines: unknown[], name = `${SESSION}.jsonl`): string {
  const place = join(folder, 'home/.claude/projects', root.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(place, { recursive: true });
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(place, name), `${texts.join('\n')}\n`);
  return place;
}

describe('git mem import transcripts', () => {
  it('extracts records from a session, once', async () => {
    const repository = createRepository();
    writeTranscript(repository, linesOf(repository.root));
    expect(await importFrom(repository, 'transcripts')).toEqual({ imported: 1, skipped: 0, problems: [] });
    expect(await liveRecords(repository)).toMatchObject([
      {
        kind: 'observation',
        type: 'bugfix',
        files_modified: ['src/auth.ts'],
        session: SESSION,
        prompt_number: 1,
        narrative: expect.stringContaining('clock runs ahead'),
        branch: 'feature/auth',
        extractor: 'import/transcripts',
        generated: { by: 'claude-code', at: '2026-10-01T09:09:00Z' },
      },
    ]);
    expect(await importFrom(repository, 'transcripts')).toEqual({ imported: 0, skipped: 1, problems: [] });
  });

  it('leaves out a session that was captured as it happened', async () => {
    const repository = createRepository();
    writeTranscript(repository, linesOf(repository.root));
    put(repository, observationOf({ id: 'k3v9x2qd7m', session: SESSION }));
    expect(await importFrom(repository, 'transcripts')).toEqual({ imported: 0, skipped: 1, problems: [] });
  });

  it('removes secrets before anything is shortened', async () => {
    const repository = createRepository();
    const secret = `gh${'p_'}${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
    writeTranscript(repository, linesOf(repository.root, `The token is ${secret}.`));
    await importFrom(repository, 'transcripts');
    const text = JSON.stringify(await liveRecords(repository));
    expect(text).toContain('clock');
    expect(text).not.toContain(secret.slice(0, 12));
  });

  it('covers only this repository, and reports lines it could not read', async () => {
    const repository = createRepository();
    writeTranscript(repository, linesOf('/somewhere/else'), 'other.jsonl');
    writeTranscript(
      repository,
      ['no json', '{"type":"user"', '[]', '7', '{"type":"user","message":{"content":[null,7]}}'],
      'noise.jsonl',
    );
    const place = writeTranscript(repository, [], 'empty.jsonl');
    symlinkSync('/etc/passwd', join(place, 'link.jsonl'));
    expect(await importFrom(repository, 'transcripts')).toEqual({
      imported: 0,
      skipped: 0,
      problems: [
        { place: 'link.jsonl', id: null, code: 'bad-input', message: 'It is not a file.' },
        {
          place: 'noise.jsonl',
          id: null,
          code: 'bad-input',
          message: '2 of its lines are not JSON, or too long.',
        },
      ],
    });
  });
});
