import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, note, select } from '@clack/prompts';
import type { HostSetup } from '../../setup/hosts.ts';
import type { Destination } from '../../setup/memory-files.ts';
import type { ModelOffer } from '../../setup/model-offers.ts';

/** The terminal for questions: standard error, because standard output is for data. */
export interface Terminal {
  input: Readable;
  output: Writable;
}

/** Asks the questions before a repository is set up; settled ones are skipped. Undefined if cancelled. */
export async function askSetup(
  { hosts, chosen, destination }: { hosts: readonly HostSetup[]; chosen: HostSetup[]; destination?: Destination },
  terminal: Terminal,
): Promise<{ hosts: HostSetup[]; destination: Destination } | undefined> {
  let wanted = chosen;
  if (hosts.length > 1) {
    const names = await multiselect({
      ...terminal,
      message: 'Which agents should remember here?',
      options: hosts.map(({ name, title }) => ({ value: name, label: title })),
      initialValues: chosen.map(({ name }) => name),
      required: true,
    });
    if (isCancel(names)) return undefined;
    wanted = hosts.filter(({ name }) => names.includes(name));
  }
  if (destination !== undefined) return { hosts: wanted, destination };
  const answer = await select<Destination>({
    ...terminal,
    message: 'Where should the records of sessions go?',
    options: [
      { value: 'team', label: 'To the team', hint: '.memory/, committed and reviewed with the code' },
      { value: 'private', label: 'To each clone alone', hint: 'in its git folder, never committed' },
    ],
    initialValue: 'team',
  });
  return isCancel(answer) ? undefined : { hosts: wanted, destination: answer };
}

/** Asks whether a branch contains reviewed records; a cancelled question counts as no. */
export async function askReviewed(branch: string, terminal: Terminal): Promise<boolean> {
  const message = `Does "${branch}" hold what was reviewed? Its records are injected into sessions.`;
  return (await confirm({ ...terminal, message })) === true;
}

/**
 * Asks which model reads the sessions in which the agent saved nothing; `now` is the current one. Undefined if
 * cancelled.
 */
export async function askModel(
  { offers, now }: { offers: readonly ModelOffer[]; now: ModelOffer['provider'] },
  terminal: Terminal,
): Promise<ModelOffer['provider'] | undefined> {
  // A hint is only visible on the highlighted option, so the costs are printed above all of them.
  const costs = offers.flatMap(({ title, cost }) => [title, `  ${cost}`]);
  note(costs.join('\n'), 'Who reads what your agent did not save?', { ...terminal, format: (line) => line });
  const answer = await select<ModelOffer['provider']>({
    ...terminal,
    message: 'Should a model read those sessions?',
    options: offers.map(({ provider, title }) => ({ value: provider, label: title })),
    initialValue: now,
  });
  return isCancel(answer) ? undefined : answer;
}

/** Shows a plan and asks whether to execute it; a cancelled question counts as no. */
export async function askConsent(
  { title, lines, question }: { title: string; lines: string[]; question: string },
  terminal: Terminal,
): Promise<boolean> {
  note(lines.join('\n'), title, { ...terminal, format: (line) => line });
  return (await confirm({ ...terminal, message: question })) === true;
}
