import { spawn } from 'node:child_process';
import { join } from 'node:path';

// Calls about which something may be known: what was read, or what a guard is about.
export const ANSWERED = new Set(['read', 'bash', 'edit', 'write']);

// What the launcher prints; nothing where it fails or takes too long. Never rejects.
export const launch = ({ root, cwd, host, event, input, limit, signal, isServer = false }) =>
  new Promise((done) => {
    try {
      const child = spawn('sh', [join(root, '.memory', 'hook'), host, event], {
        cwd,
        stdio: ['pipe', 'pipe', 'ignore'],
        // What hangs is a child of the shell: the whole group is ended.
        detached: process.platform !== 'win32',
      });
      const stop = () => {
        done('');
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          child.kill();
        }
      };
      const timer = setTimeout(stop, limit);
      signal?.addEventListener('abort', stop);
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        // A server answers while its input is open.
        if (isServer && text.endsWith('\n')) child.stdin.end();
      });
      child.stdin.on('error', () => {});
      child.on('error', () => done(''));
      child.on('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        done(text);
      });
      child.stdin.write(`${JSON.stringify(input)}\n`);
      if (!isServer) child.stdin.end();
    } catch {
      done('');
    }
  });

// Never rejects: a memory that fails must not stop the work. The answer is {"context", "notice"?} or nothing.
export const call = async ({ payload, notify, ...where }) => {
  try {
    const { context = '', notice } = JSON.parse(await launch({ ...where, input: payload(), limit: 5000 }));
    if (notice) notify(notice);
    return context;
  } catch {
    return '';
  }
};
