// Hands what happens in Pi to git-mem. Written by `git mem init`; without git-mem it does nothing.
import { existsSync } from 'node:fs';
import { ANSWERED, call, launch } from './call.js';
import { TOOLS } from './tools.js';

const OURS = 'git-mem';

export default function gitMem(pi) {
  const root = `${import.meta.dirname}/../..`;
  let start;
  let said = '';

  const hook = (name, event, ctx) => {
    const payload = () => ({ session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, ...event });
    const notify = (notice) => ctx.ui.notify(notice, 'info');
    return call({ root, cwd: ctx.cwd, host: 'pi', event: name, payload, notify });
  };

  // One call of the MCP server, which understands the arguments and says what is wrong with them.
  const ask = async (name, given, signal, ctx) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'pi', version: '0.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
      sessionId: ctx.sessionManager.getSessionId(),
    };
    const input = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta } };
    const where = { root, cwd: ctx.cwd, host: 'pi', event: 'mcp', isServer: true };
    const text = await launch({ ...where, input, limit: 30_000, signal });
    try {
      const { content, isError } = JSON.parse(text).result;
      return { content, isError, details: undefined };
    } catch {
      throw new Error('git-mem did not answer. Go on without it; `git mem doctor` may say why.');
    }
  };
  if (process.env.GIT_MEM !== '0' && existsSync(`${root}/.memory`)) {
    for (const { name, description, annotations, inputSchema: parameters } of TOOLS) {
      const execute = (_id, given, signal, _onUpdate, ctx) => ask(name, given, signal, ctx);
      pi.registerTool({ name: `git_mem_${name}`, label: `git-mem ${name}`, description, annotations, parameters, execute });
    }
  }

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
