import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, note, select } from '@clack/prompts';
import type { HostSetup } from '../../setup/hosts.ts';
import type { Destination } from '../../setup/memory-files.ts';

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

/** Asks whether records should join commits by themselves; a cancelled question counts as no. */
export async function askCommits(terminal: Terminal): Promise<boolean> {
  const message = "May a new record join your next commit on its branch? (git's pre-commit hook)";
  return (await confirm({ ...terminal, message, initialValue: true })) === true;
}

/** Shows a plan and asks whether to execute it; a cancelled question counts as no. */
export async function askConsent(
  { title, lines, question }: { title: string; lines: string[]; question: string },
  terminal: Terminal,
): Promise<boolean> {
  showNote(title, lines, terminal);
  return (await confirm({ ...terminal, message: question })) === true;
}

/** Shows some lines in a frame. */
export function showNote(title: string, lines: string[], terminal: Terminal): void {
  note(lines.join('\n'), title, { ...terminal, format: (line) => line });
}
