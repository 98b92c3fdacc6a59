import { spawnSync } from 'node:child_process';
import { sessionStartReply } from '../../src/surfaces/hook/brief.ts';
import { hookReply } from '../../src/surfaces/hook/reply.ts';
import { startOf } from '../../src/surfaces/hook/start.ts';
import { takeEvent } from '../../src/surfaces/hook/take-event.ts';
import type { TestRepository } from './repository.ts';

/**
 * Reports one event of a host within this process, as `git-mem hook` does, and returns the text for the agent. Wakes no
 * drain. `e2e/hosts.test.ts` checks that a separate process does the same.
 */
export async function hookCall(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  host: string,
  event: string,
  payload: string | object,
): Promise<string> {
  const input = async () => Buffer.from(typeof payload === 'string' ? payload : `${JSON.stringify(payload)}\n`);
  const outcome = await takeEvent({ args: [host, event], input, cwd: root, env, now: new Date() });
  if (outcome === undefined) return '';
  const start = startOf(outcome, env);
  return start ? sessionStartReply(start, env) : hookReply(outcome, env);
}

/** The same as the host reports it, through the committed launcher; of a payload that is no text it says the rest. */
export function launched(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  host: string,
  event: string,
  payload: string | object,
): { status: number | null; stdout: string; stderr: string } {
  const whole = typeof payload === 'string' ? payload : { cwd: root, hook_event_name: event, ...payload };
  const input = typeof whole === 'string' ? whole : `${JSON.stringify(whole)}\n`;
  const { status, stdout, stderr } = spawnSync('sh', ['.memory/hook', host, event], {
    cwd: root,
    env,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
