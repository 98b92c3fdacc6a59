import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, note, select } from '@clack/prompts';
import { chosenProviders } from '../../capture/extract/chosen-provider.ts';
import { userConfigPath } from '../../config.ts';
import { bootstrap } from '../../exchange/bootstrap/bootstrap.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import type { Project } from '../../project.ts';
import { counted } from '../../quantities.ts';
import type { HostSetup } from '../../setup/hosts.ts';
import type { Destination } from '../../setup/memory-files.ts';
import { type ModelOffer, modelOffers } from '../../setup/model-offers.ts';
import { changeUserSetting } from '../../setup/user-settings.ts';
import type { Environment } from '../../user-folders.ts';
import { shown } from './print.ts';

/** The terminal for questions: standard error, because standard output is for data. */
interface Terminal {
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

/** Asks whether records should join commits automatically; a cancelled question counts as no. */
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

function showNote(title: string, lines: string[], terminal: Terminal): void {
  note(lines.join('\n'), title, { ...terminal, format: (line) => line });
}

type Answer = ModelOffer['provider'];

/** Asks once which model reads sessions in which nothing was saved; undefined if there is no choice, or it was made. */
export async function chooseModel(project: Project, env: Environment, terminal: Terminal) {
  const { config, origins } = project.config();
  const offers = modelOffers(env);
  if (origins.has('extract.provider') || offers.length < 2) return undefined;
  const [current] = chosenProviders(config.extract, env);
  // A hint is only visible on the highlighted option, so the costs are printed above all of them.
  const costs = offers.flatMap(({ title, cost }) => [title, `  ${cost}`]);
  showNote('Who reads what your agent did not save?', costs, terminal);
  const answer = await select<Answer>({
    ...terminal,
    message: 'Should a model read those sessions?',
    options: offers.map(({ provider, title }) => ({ value: provider, label: title })),
    // Enter alone never chooses what is billed, unless its key is already in use.
    initialValue: offers.find(({ isIncluded }) => isIncluded)?.provider ?? current?.name ?? 'none',
  });
  return isCancel(answer) ? 'cancelled' : answer;
}

/** Saves the answer in the user's own settings; returns a line that says where. */
export function keepModel(provider: Answer, project: Project, env: Environment): string {
  changeUserSetting('extract.provider', provider, { config: project.config().config, env });
  return `${'set'.padEnd(9)}  extract.provider: ${provider}  (${userConfigPath(env)}, for all your repositories)`;
}

/** Offers a first memory, shown before it is written. Returns how many records were written. */
export async function offerFirstMemory(
  { workspace, cleaner }: Project,
  destination: Destination,
  terminal: Terminal,
): Promise<number> {
  const { team, private: own } = workspace.stores;
  if (team.ids().length + own.ids().length > 0 || reviewedBranch(workspace).ref === undefined) return 0;
  const about =
    'How to build and test, what is asked of a change, what was decided:\nquoted from the reviewed branch, offline.';
  const offer = { title: 'A first memory', lines: [about], question: 'Show what it would quote?' };
  if (!(await askConsent(offer, terminal))) return 0;
  const options = { store: destination, limit: 20, cleaner: await cleaner() };
  const { records } = await bootstrap(workspace, { ...options, dryRun: true });
  if (records.length === 0) {
    showNote('A first memory', ['There is nothing to quote: your agent can write one, as below.'], terminal);
    return 0;
  }
  const lines = records.map(({ record }) => shown(record.title));
  const where = destination === 'team' ? '.memory/' : 'the private store';
  const question = `Write ${counted(records.length, 'record')} to ${where}?`;
  if (!(await askConsent({ title: 'It would remember', lines, question }, terminal))) return 0;
  return (await bootstrap(workspace, options)).records.length;
}
