import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';
import { addedRecord } from './added-record.ts';

describe('git mem add, of a text', () => {
  it('takes Markdown with front matter from standard input', async ({ repository }) => {
    const stdin = `---
type: bugfix
title: "JWT rejected"
concepts: [auth, jwt]
files_modified: [src/auth.ts]
team: platform
---

The clock ran ahead.

## Facts

- 30 s are allowed.
- iat lay in the future.
`;
    const ran = await gitMem(repository, ['add', '-'], { stdin, cwd: below(repository, 'src') });
    expect(addedRecord(repository, ran.stdout)).toMatchObject({
      type: 'bugfix',
      title: 'JWT rejected',
      narrative: 'The clock ran ahead.',
      facts: ['30 s are allowed.', 'iat lay in the future.'],
      concepts: ['auth', 'jwt'],
      // Paths in a record start at the top, wherever one stands.
      files_modified: ['src/auth.ts'],
      extra: { team: 'platform' },
    });
  });

  it('takes plain Markdown, whose first line is the title', async ({ repository }) => {
    for (const [stdin, title] of [
      ['# The limit is ten\n\nBecause of *support*.\n', 'The limit is ten'],
      ['The limit is twenty\r\n\r\nBecause of *support*.\r\n', 'The limit is twenty'],
      ['\ufeffTitle with "quotes" and a: colon\n\nBecause of *support*.', 'Title with "quotes" and a: colon'],
    ] as const) {
      const { stdout } = await gitMem(repository, ['add', '-'], { stdin });
      expect(addedRecord(repository, stdout)).toMatchObject({
        type: 'change',
        title,
        narrative: 'Because of *support*.',
      });
    }
  });

  it('takes a file relative to the current directory, with flags overriding it', async ({ repository }) => {
    repository.write('notes/limit.md', 'The limit is ten\n\n## Facts\n\n- Ten.\n');
    const cwd = below(repository, 'notes');
    const flags = ['--type', 'decision', '--fact', 'Eleven was too many.', '--file-read', 'limit.md'];
    const { stdout } = await gitMem(repository, ['add', 'limit.md', ...flags], { cwd });
    expect(addedRecord(repository, stdout)).toMatchObject({
      type: 'decision',
      title: 'The limit is ten',
      facts: ['Ten.', 'Eleven was too many.'],
      files_read: ['notes/limit.md'],
    });
  });

  it('opens the editor on an empty record, on a terminal', async ({ repository }) => {
    const editor = script(
      repository,
      'sed -i -e \'s/^title: .*/title: "Written in an editor"/\' -e \'s/^What was found.*/Because I can./\' "$1"',
    );
    for (const env of [{ EDITOR: editor }, { EDITOR: 'false', VISUAL: `${editor} --wait` }] as Record<
      string,
      string
    >[]) {
      const { code, stdout } = await gitMem(repository, ['add'], { tty: true, env });
      expect(code).toBe(0);
      expect(addedRecord(repository, stdout)).toMatchObject({
        type: 'decision',
        title: 'Written in an editor',
        narrative: 'Because I can.',
      });
    }
  });

  it('adds nothing when the editor leaves the text empty or unchanged or fails, and nothing without a terminal', async () => {
    const repository = createRepository();
    for (const options of [
      { tty: true, env: { EDITOR: 'true' } },
      { tty: true, env: { EDITOR: 'false' } },
      { tty: false, env: { EDITOR: script(repository, 'echo x > "$1"') } },
      { tty: true, env: { EDITOR: script(repository, ': > "$1"') } },
    ]) {
      const { code, stdout, stderr } = await gitMem(repository, ['add'], options);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/git-mem:.* (?:Nothing was written|The editor|There is nothing|The record has no title)/);
    }
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('reads standard input as a process, too', ({ repository }) => {
    const options = { cwd: repository.root, env: repository.env, encoding: 'utf8', input: '# Piped in\n' } as const;
    expect(addedRecord(repository, execFileSync(process.execPath, [PROGRAM, 'add', '-'], options)).title).toBe(
      'Piped in',
    );
  });
});

function below(repository: TestRepository, folder: string): string {
  repository.write(`${folder}/.keep`, '');
  return join(repository.root, folder);
}

/** An editor that does this to the file. */
function script({ folder }: TestRepository, commands: string): string {
  const path = join(folder, `editor-${commands.length}`);
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\nset -- "$last"\n${commands}\n`);
  chmodSync(path, 0o755);
  return path;
}
