import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastMessage } from './hooked-session.ts';
import type { TestRepository } from './repository.ts';

/** A session of Claude Code that no hook reports: only its log exists. */
export interface LoggedSession {
  id: string;
  path: string;
  /** Lines of a turn that deserves a record; `n` makes it one of a kind. */
  turn(n: number): string[];
  append(lines: string[]): void;
}

/** Opens a session whose agent works in `cwd`, ten milliseconds a line from `at` on. */
export function loggedSession(
  { root, folder }: TestRepository,
  { id = 'logged-session', at = new Date(), cwd = root }: { id?: string; at?: Date; cwd?: string } = {},
): LoggedSession {
  const path = join(folder, 'home/.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
  let clock = at.getTime();
  let lines = 0;
  const line = (type: string, content: unknown, more: object = {}) => {
    const common = { type, uuid: `${id}-${lines++}`, sessionId: id, cwd, gitBranch: 'main', isSidechain: false };
    clock += 10;
    const timestamp = new Date(clock).toISOString();
    return JSON.stringify({ ...common, timestamp, message: { role: type, content }, ...more });
  };
  const said = (text: string) => ({
    message: { role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn' },
  });
  return {
    id,
    path,
    turn(n) {
      const file_path = join(cwd, 'src/limit.ts');
      const edit = { file_path, old_string: 'LIMIT = 10', new_string: `LIMIT = ${n}` };
      const use = (call: string, name: string, input: object) =>
        line('assistant', [{ type: 'tool_use', id: `${id}-${n}-${call}`, name, input }]);
      const result = (call: string, content: string, is_error: boolean, toolUseResult: object) =>
        line('user', [{ type: 'tool_result', tool_use_id: `${id}-${n}-${call}`, content, is_error }], {
          toolUseResult,
        });
      return [
        line('user', `the importer drops row ${n}, please find out why and fix it`, { promptId: `${id}-turn-${n}` }),
        use('1', 'Bash', { command: 'npm test' }),
        result('1', `Exit code 1\nnot ok 1 - row ${n} is kept`, true, {}),
        use('2', 'Edit', edit),
        result('2', 'Edited.', false, { filePath: file_path }),
        use('3', 'Bash', { command: 'npm test' }),
        result('3', 'ok', false, { stdout: `ok 1 - row ${n} is kept`, stderr: '' }),
        line('assistant', [], said(lastMessage(n))),
      ];
    },
    append(texts) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, texts.map((text) => `${text}\n`).join(''));
    },
  };
}
