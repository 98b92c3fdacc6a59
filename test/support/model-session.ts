import { renderTurn } from '../../src/capture/extract/material.ts';
import type { Turn } from '../../src/capture/extract/turn.ts';
import { accept } from '../../src/capture/spool/spool.ts';
import { openProject } from '../../src/project.ts';
import { type Answer, startMessagesApi, toolCall } from './messages-api.ts';
import { createRepository } from './repository.ts';

/** The cost of asking a model about a session. */
export interface ModelCost {
  calls: number;
  /** Characters of the turns' own material. */
  fresh: number;
  /** Characters that a model reads: system, question, and the tool with its schema. */
  sent: number;
  observations: number;
}

/** A model that answers sensibly: one observation of the last turn that it is shown, and what the session came to. */
const sensible: Answer = (response, request) => {
  const turns = request.body.messages[0]?.content.match(/^## Turn \d+/gm)?.length ?? 1;
  const observation = {
    turn: String(turns),
    type: 'bugfix',
    title: `The clocks of the nodes differ, part ${turns}`,
    narrative: 'The check compared with the local clock. It allows thirty seconds in both directions now.',
    facts: ['npm test passes.'],
  };
  const summary = { request: 'Mend the checks.', completed: ['The checks allow thirty seconds.'], next_steps: [] };
  toolCall({ summary, observations: [observation] })(response, request);
};

/** Drains a session turn by turn, as they are minutes apart, with a model on a local server. */
export async function costOf(turns: Turn[]): Promise<ModelCost> {
  // Removed here, because a benchmark is no test whose end could be waited for.
  const removals: (() => void)[] = [];
  const later = (remove: () => void) => void removals.push(remove);
  const api = await startMessagesApi(
    turns.map(() => sensible),
    later,
  );
  const repository = createRepository('repository', later);
  const key = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
  const env = { ...repository.env, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: api.url };
  const project = openProject(repository.root, { ...env, GIT_MEM_EXTRACT_PROVIDER: 'anthropic' });
  const drained = (all: boolean) => project.drain({ all, now: true, signal: new AbortController().signal });
  try {
    const written: string[] = [];
    for (const turn of turns) {
      report(repository.root, turn);
      written.push(...((await drained(false))?.written ?? []));
    }
    written.push(...((await drained(true))?.written ?? []));
    const sent = api.calls.reduce(
      (sum, { body }) =>
        sum + body.system.length + (body.messages[0]?.content.length ?? 0) + JSON.stringify(body.tools).length,
      0,
    );
    const fresh = turns.reduce((sum, turn) => sum + renderTurn(turn).length, 0);
    return { calls: api.calls.length, fresh, sent, observations: written.length - 1 };
  } finally {
    for (const remove of removals) remove();
  }
}

/** Puts a turn into the spool as a log told of it. */
function report(root: string, { session, key: turn, prompt, calls, reply }: Turn): void {
  const put = (event: string, more: object, key: string) => {
    const payload = { session, turn, cwd: root, key: `${turn} ${key}`, ...more };
    const head = { host: 'transcript', event, root, at: new Date().toISOString() };
    accept(`${root}/.git/git-mem`, head, Buffer.from(JSON.stringify(payload)));
  };
  put('prompt', { text: prompt, from: 'user' }, 'prompt');
  for (const [n, call] of calls.entries()) put('tool', { call: { ...call, id: `${turn} ${n}` } }, `tool ${n}`);
  put('turn-end', { text: reply }, 'end');
}
