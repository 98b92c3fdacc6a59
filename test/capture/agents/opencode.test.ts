import { describe, expect, it } from 'vitest';
import { opencode } from '../../../src/capture/agents/opencode.ts';
import { payloadOf } from '../../support/payloads.ts';

const SESSION = 'ses_e05560021ffefStWSx9VQekFyr';

/** What the plugin sends: what OpenCode gave its hook, and where. */
const sent = (file: string, more = {}) => ({ ...payloadOf(`opencode-1.18.33/${file}`), directory: '/repo', ...more });

describe('the payloads of OpenCode, as its plugin passes them on', () => {
  it('give the start of a session, a prompt without its quotation marks, and an answer', () => {
    expect(opencode.toEvents('session.created', sent('event-session.created'))).toEqual([
      { kind: 'session-start', session: SESSION, cwd: '/repo', source: 'startup' },
    ]);
    expect(opencode.toEvents('chat.message', sent('chat.message'))).toEqual([
      {
        kind: 'prompt',
        session: SESSION,
        cwd: '/repo',
        key: 'prompt msg_1faaa0039001UBsD1KQyTxCZIl',
        text: 'Update auth PROMPT-MARK',
        from: 'user',
      },
    ]);
    expect(opencode.toEvents('session.idle', sent('event-session.idle', { text: 'Done.' }))).toMatchObject([
      { kind: 'turn-end', session: SESSION, text: 'Done.' },
    ]);
  });

  it('give calls of tools', () => {
    const callOf = (file: string) => {
      const [event] = opencode.toEvents('tool.execute.after', sent(file));
      return event?.kind === 'tool' ? event.call : undefined;
    };
    expect(callOf('tool.execute.after-bash')).toMatchObject({
      id: 'call_4',
      action: 'command',
      command: 'echo hi',
      description: 'd',
      ok: true,
      exitCode: 0,
      output: 'hi\n',
    });
    expect(callOf('tool.execute.after-edit')).toMatchObject({
      action: 'edit',
      paths: ['/repo/src/auth.ts'],
      ok: true,
      change: { removed: 'a = 1', added: 'a = 2' },
    });
    expect(callOf('tool.execute.after-read')).toMatchObject({ action: 'read', paths: ['/repo/src/auth.ts'] });
  });

  it('give questions at the start, at a prompt, and after a read', () => {
    expect(opencode.toQuestion('session.created', sent('event-session.created'))).toMatchObject({ kind: 'start' });
    expect(opencode.toQuestion('chat.message', sent('chat.message'))).toMatchObject({
      kind: 'prompt',
      text: 'Update auth PROMPT-MARK',
    });
    expect(opencode.toQuestion('tool.execute.after', sent('tool.execute.after-read'))).toMatchObject({
      kind: 'read',
      paths: ['/repo/src/auth.ts'],
    });
    expect(opencode.toQuestion('tool.execute.after', sent('tool.execute.after-edit'))).toBeUndefined();
  });
});
