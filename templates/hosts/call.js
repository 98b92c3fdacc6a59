import { spawn } from 'node:child_process';
import { join } from 'node:path';

// Calls about which something may be known: what was read, or what a guard is about.
export const ANSWERED = new Set(['read', 'bash', 'edit', 'write']);

// Never rejects: a memory that fails must not stop the work. The answer is {"context", "notice"?} or nothing.
export const call = ({ root, cwd, host, event, payload, notify }) =>
  new Promise((done) => {
    try {
      const child = spawn('sh', [join(root, '.memory', 'hook'), host, event], {
        cwd,
        stdio: ['pipe', 'pipe', 'ignore'],
        // What hangs is a child of the shell: the whole group is ended.
        detached: process.platform !== 'win32',
      });
      const timer = setTimeout(() => {
        done('');
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          child.kill();
        }
      }, 5000);
      let text = '';
      child.stdout.on('data', (chunk) => (text += chunk));
      child.stdin.on('error', () => {});
      child.on('error', () => done(''));
      child.on('close', () => {
        clearTimeout(timer);
        try {
          const { context = '', notice } = JSON.parse(text);
          if (notice) notify(notice);
          done(context);
        } catch {
          done('');
        }
      });
      child.stdin.end(JSON.stringify(payload()));
    } catch {
      done('');
    }
  });
