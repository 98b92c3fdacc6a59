import type { Turn, TurnCall } from '../../../src/capture/extract/turn.ts';
import { callOf, turnOf } from '../../support/turns.ts';

let made = 0;

/** The turns of one session, in order, each with a key and number of its own. */
export function session(...turns: Partial<Turn>[]): Turn[] {
  return turns.map((turn, index) => turnOf({ key: `turn-${index + 1}`, promptNumber: index + 1, ...turn }));
}

export const edit = (path: string, removed: string, added: string): TurnCall =>
  named({ tool: 'Edit', action: 'edit', paths: [path], change: { removed, added } });
export const write = (path: string, added: string): TurnCall =>
  named({ tool: 'Write', action: 'write', paths: [path], change: { removed: '', added } });
export const read = (path: string): TurnCall => named({ tool: 'Read', action: 'read', paths: [path] });
export const run = (command: string, output: string, ok: boolean | undefined = true): TurnCall =>
  named({ tool: 'Bash', action: 'command', command, output, ok });
export const failing = (command = 'npm test'): TurnCall => run(command, 'Tests: 1 failed, 40 passed', false);
export const passing = (command = 'npm test'): TurnCall => run(command, 'Tests: 41 passed');
export const commit = (message: string): TurnCall =>
  run(`git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`, `[main 1a2b3c4] ${message.split('\n')[0]}`);

/** Calls of a fix that its check proves. */
export const proven = (path = 'src/cache.ts'): TurnCall[] => [
  failing(),
  edit(path, 'const key = url;', 'const key = `${url} ${locale}`; // cache key with locale'),
  passing(),
];

function named(call: Partial<TurnCall>): TurnCall {
  made += 1;
  return callOf({ id: `call-${made}`, ...call });
}
