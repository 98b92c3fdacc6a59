// Hands what happens in Pi to git-mem. Written by `git mem init`; without git-mem it does nothing.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

// Calls about which there may be something to know: what was read, or what a guard is about.
const ANSWERED = new Set(['read', 'bash', 'edit', 'write']);
const OURS = 'git-mem';

export default function gitMem(pi) {
  const root = join(import.meta.dirname, '..', '..');
  let start;
  let said = '';

  // Never rejects: a memory that fails must not stop the work. The answer is {"context": "...", "notice"?: "..."} or nothing.
  const hook = (name, event, ctx) =>
    new Promise((done) => {
      try {
        const child = spawn('sh', [join(root, '.memory', 'hook'), 'pi', name], {
          cwd: ctx.cwd,
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
            if (notice) ctx.ui.notify(notice, 'info');
            done(context);
          } catch {
            done('');
          }
        });
        child.stdin.end(JSON.stringify({ session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, ...event }));
      } catch {
        done('');
      }
    });

  pi.on('session_start', ({ reason }, ctx) => {
    // What was told at a start is a message of the session, which goes on with it.
    const isTold = ctx.sessionManager.getBranch().some(({ customType }) => customType === OURS);
    start = hook('session_start', { reason: reason === 'fork' || !isTold ? reason : 'resume' }, ctx);
  });
  pi.on('before_agent_start', async ({ messageType, prompt }, ctx) => {
    const begun = await start;
    start = undefined;
    const recalled = messageType === 'custom' ? '' : await hook('before_agent_start', { prompt }, ctx);
    const content = [begun, recalled].filter(Boolean).join('\n');
    if (content) return { message: { customType: OURS, content, display: false } };
  });
  pi.on('tool_result', async ({ toolName, toolCallId, input, content, details, isError }, ctx) => {
    const context = hook('tool_result', { toolName, toolCallId, input, content, details, isError }, ctx);
    if (!ANSWERED.has(toolName)) return;
    const text = await context;
    if (text) return { content: [...content, { type: 'text', text }] };
  });
  pi.on('agent_end', ({ messages }) => {
    const last = messages.findLast(({ role }) => role === 'assistant');
    said = (last?.content ?? []).flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n');
  });
  pi.on('agent_settled', (_event, ctx) => hook('agent_settled', { text: said }, ctx));
  pi.on('session_compact', ({ compactionEntry }, ctx) =>
    hook('session_compact', { summary: compactionEntry?.summary }, ctx),
  );
  pi.on('session_shutdown', ({ reason }, ctx) => hook('session_shutdown', { reason }, ctx));
}
