import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { whereBusy } from './client.ts';

/** A program in a terminal of its own. */
export interface Terminal {
  /** Waits until its output after what was waited for has this text, whatever the white space and the colours; throws with what it had. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
  /** All that it has put out, without white space and colours. */
  screen(): string;
  ended: Promise<number | null>;
}

/** How long a text may take to appear where a core is free. */
const PATIENCE_MS = 60_000;

const ESCAPES = /\u001b\[[0-9;?>=]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\u001b[()][A-Z0-9]|\u001b[=>78]/g;

/** Starts a command in a terminal, which util-linux' `script` makes. */
export function startTerminal(
  command: string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Terminal {
  const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
  const line = `stty cols 140 rows 45; exec ${quoted}`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd, env, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let from = 0;
  let look = () => {};
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    look();
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const plain = (text: string) => text.replace(ESCAPES, '').replace(/\s+/g, '');
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    screen: () => plain(screen),
    shows(text) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`Never shown: ${text}\n${plain(screen).slice(from)}`)),
          whereBusy(PATIENCE_MS),
        );
        look = () => {
          const at = plain(screen).indexOf(plain(text), from);
          if (at < 0) return;
          clearTimeout(timer);
          from = at + plain(text).length;
          look = () => {};
          resolve();
        };
        look();
      });
    },
  };
}
