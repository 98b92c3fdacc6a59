// Hands what happens in OpenCode or Kilo to git-mem. Written by `git mem init`; without git-mem it does nothing.
import { ANSWERED, call } from './call.js';

const host = import.meta.url.includes('/.kilo/') ? 'kilo' : 'opencode';

export const GitMem = async ({ worktree, directory, client }) => {
  const root = worktree && worktree !== '/' ? worktree : directory;
  const sessions = new Map();
  const of = (id) => sessions.get(id) ?? sessions.set(id, { users: new Set(), parts: new Map() }).get(id);

  /** The session that started this one as a sub-agent. */
  const parentOf = ({ input }) => sessions.get(input.sessionID ?? input.properties?.sessionID)?.parent;

  const notify = (message) => client?.tui?.showToast({ body: { message, variant: 'info' } }).catch(() => {});
  const hook = (event, given) => {
    const payload = () => ({ ...given, parent: parentOf(given), directory });
    return call({ root, cwd: directory, host, event, payload, notify });
  };

  const note = ({ type, properties: p = {} }) => {
    if (type === 'message.updated' && p.info?.role === 'user') of(p.sessionID).users.add(p.info.id);
    // Without what the host itself puts into a message, such as Kilo's progress.
    if (type === 'message.part.updated' && p.part?.type === 'text' && !p.part.synthetic && !p.part.ignored)
      of(p.sessionID).parts.set(p.part.id, { message: p.part.messageID, text: p.part.text ?? '' });
    if (type === 'message.part.removed') of(p.sessionID).parts.delete(p.partID);
    if (type === 'message.part.delta' && p.field === 'text') {
      const part = of(p.sessionID).parts.get(p.partID) ?? { message: p.messageID, text: '' };
      of(p.sessionID).parts.set(p.partID, { ...part, text: part.text + p.delta });
    }
  };

  /** The agent's last words. */
  const reply = ({ users, parts }) => {
    const said = [...parts.values()].filter(({ message }) => !users.has(message));
    const last = said.at(-1)?.message;
    return said.flatMap(({ message, text }) => (message === last ? [text] : [])).join('\n');
  };

  // What was injected is gone when OpenCode ends: a session that goes on in another process begins again.
  const begin = (id, event) => {
    of(id).start ??= hook('session.created', { input: event });
    return of(id).start;
  };

  return {
    event: async ({ event }) => {
      note(event);
      const id = event.properties?.sessionID;
      if (event.type === 'session.created') {
        of(id).parent = event.properties.info?.parentID;
        begin(id, event);
      }
      if (event.type === 'session.idle' && id) {
        await hook(event.type, { input: event, text: reply(of(id)) });
        of(id).parts.clear();
      }
    },
    'chat.message': async (input, output) => {
      await begin(input.sessionID, { type: 'session.created', properties: { sessionID: input.sessionID } });
      const text = await hook('chat.message', { input, output });
      const last = output.parts.at(-1);
      // Part of the message: what went before stays in the provider's cache.
      if (text && last) output.parts.push({ ...last, id: `${last.id}m`, type: 'text', text, synthetic: true });
    },
    'tool.execute.after': async (input, output) => {
      const context = hook('tool.execute.after', { input, output });
      if (!ANSWERED.has(input.tool)) return;
      const text = await context;
      if (text) output.output += `\n\n${text}`;
    },
    // Asked at each request, always the same.
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      const text = await sessions.get(sessionID)?.start;
      if (text) output.system.push(text);
    },
  };
};
