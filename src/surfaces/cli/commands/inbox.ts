import { acceptEdited } from '../../../capture/by-hand/accept-edited.ts';
import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import { promote } from '../../../capture/by-hand/promote.ts';
import { GitMemError } from '../../../errors.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { fullIds } from '../../../recall/query/records.ts';
import { foldersOf, viewOf } from '../../../recall/query/view.ts';
import { isWaiting, type Waiting } from '../../../recall/query/waiting.ts';
import type { Command, Context } from '../command.ts';
import { markMaking } from '../mark-making.ts';
import { oneKey } from '../one-key.ts';
import { wholeNumber } from '../option-values.ts';
import { printJson, printMore, shown } from '../print.ts';
import { printRecords } from '../record-table.ts';
import { editRecord } from '../written-record.ts';

export function register(program: Command, context: Context): void {
  const inbox = program
    .command('inbox')
    .description('what sessions wrote and nobody has accepted yet')
    .option('--list', 'list them, even on a terminal')
    .option('-n, --limit <n>', 'at most this many', wholeNumber)
    .option('--json', 'print JSON')
    .notes(`
With \`capture.approve: true\` what agents and models write waits in the private store. On a terminal each record is
shown, and one key decides: a brings it into .memory/, e edits it first, d drops it, s leaves it, q ends.

Examples:
  git mem inbox
  git mem inbox --list
  git mem inbox accept k3v9 p8w2
  git mem inbox drop 7h2c --reason "Not worth it."`)
    .action(async ({ list = false, limit, json = false }: { list?: boolean; limit?: number; json?: boolean }) => {
      const project = context.project();
      const { workspace } = project;
      const all = await waitingIn(workspace);
      const waiting = all.slice(0, limit);
      if (json) {
        const folders = foldersOf(workspace);
        return printJson(context.stdout, { total: all.length, records: waiting.map((one) => viewOf(one, folders)) });
      }
      if (all.length === 0) return void context.stderr.write('Nothing waits.\n');
      const isAsked = !list && context.stdin.isTTY === true && context.stdout.isTTY === true;
      if (isAsked) return ask(project, waiting, context);
      const rows = waiting.map((annotated) => ({ annotated }));
      printRecords(rows, workspace, context);
      printMore(context, waiting.length, all.length);
    });
  const verb = (name: 'accept' | 'drop', about: string) =>
    inbox
      .command(name)
      .description(about)
      .argument('<id...>', 'ids, or their first four characters or more')
      .option('--json', 'print JSON');
  verb('accept', 'bring records into .memory/, to be committed')
    .notes('\nExample:\n  git mem inbox accept k3v9')
    .action(async (given: string[], { json = false }: { json?: boolean }) => {
      const project = context.project();
      report('accepted', await accept(project, await waitingNamed(project, given)), context, json);
    });
  verb('drop', 'leave records out for good; they stay in the private store, retired')
    .option('--reason <text>', 'why')
    .notes('\nExample:\n  git mem inbox drop 7h2c --reason "Not worth it."')
    .action(async (given: string[], { json = false, reason = '' }: { json?: boolean; reason?: string }) => {
      const project = context.project();
      const ids = (await waitingNamed(project, given)).map(({ record }) => record.id);
      await drop(project, ids, reason, context);
      report('dropped', ids, context, json);
    });
}

/** What waits, newest first; of a record that was accepted the team's copy is the one that counts. */
async function waitingIn(workspace: Workspace): Promise<Waiting[]> {
  return (await readEverything(workspace)).records.filter(isWaiting);
}

function report(done: 'accepted' | 'dropped', ids: string[], { stdout }: Context, json: boolean): void {
  if (json) printJson(stdout, { [done]: ids });
  else stdout.write(ids.map((id) => `${id}  ${done}\n`).join(''));
}

/** The waiting records with these ids; throws no-such-record for one that is not in the inbox. */
async function waitingNamed({ workspace }: Project, given: string[]): Promise<Waiting[]> {
  const waiting = new Map((await waitingIn(workspace)).map((one) => [one.record.id, one]));
  return fullIds(workspace, given).map((id) => {
    const found = waiting.get(id);
    if (found !== undefined) return found;
    throw new GitMemError('no-such-record', `${id} is not in the inbox.`, {
      hint: '`git mem inbox --list` shows what is.',
    });
  });
}

async function accept({ workspace, cleaner }: Project, records: Waiting[]): Promise<string[]> {
  const ids = records.map(({ record }) => record.id);
  const accepted = await promote(workspace, ids, { cleaner: await cleaner(MAX_SCANNED_TEXT) });
  return accepted.map(({ id }) => id);
}

async function drop(project: Project, ids: string[], reason: string, context: Context): Promise<void> {
  const marking = { type: 'retire', targets: ids, reason: reason || 'Dropped.', store: 'private' } as const;
  const person = await personAt(project.workspace, 'cli');
  await writeMark(project.workspace, marking, await markMaking(project, context, person));
}

/** Saves what the person made of a record, in its place. */
async function edit(project: Project, { record, entry }: Waiting, context: Context): Promise<void> {
  const { workspace } = project;
  if (record.kind !== 'observation') {
    throw new GitMemError('bad-input', 'A summary is accepted or dropped as it is.');
  }
  const text = workspace.stores[entry.store].files
    .bytes(entry.path)
    .toString('utf8')
    .replace(/^id: .*\n/m, '');
  const made = editRecord(context, workspace.checkout.root, text);
  const { maker: person, ...making } = await markMaking(project, context, await personAt(workspace, 'cli'));
  await acceptEdited(workspace, { record, made }, { person, ...making });
}

/** Shows one record after the other, and does what the person says. */
async function ask(project: Project, waiting: Waiting[], context: Context): Promise<void> {
  const { stdout, stderr, style } = context;
  for (const [i, one] of waiting.entries()) {
    const { record } = one;
    const text =
      record.kind === 'observation' ? [record.narrative, ...record.facts] : [record.completed, record.learned];
    stdout.write(
      `\n${style('dim', `${i + 1} of ${waiting.length}`)} ${style('cyan', shown(record.type))} ${style('bold', shown(record.title))}\n`,
    );
    const said = text.flatMap((part) => part.split('\n')).filter((line) => line !== '' && line !== 'None.');
    for (const line of said) stdout.write(`  ${shown(line)}\n`);
    const files = record.kind === 'observation' ? record.files_modified : record.files_edited;
    if (files.length > 0) stdout.write(`  ${style('dim', files.map(shown).join(', '))}\n`);
    // A summary is accepted or dropped as it is.
    const isEditable = record.kind === 'observation';
    stdout.write(`a accept, ${isEditable ? 'e edit, ' : ''}d drop, s skip, q quit: `);
    const key = await oneKey(context, isEditable ? 'aedsq' : 'adsq');
    stdout.write(`${key ?? 'q'}\n`);
    if (key === undefined || key === 'q') break;
    try {
      if (key === 'a') await accept(project, [one]);
      if (key === 'd') await drop(project, [record.id], '', context);
      if (key === 'e') await edit(project, one, context);
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      stderr.write(`${shown([error.message, error.hint].filter(Boolean).join(' '))}\n`);
    }
  }
  const left = (await waitingIn(project.workspace)).length;
  stdout.write(left === 0 ? 'Nothing waits any more.\n' : `${counted(left, 'record')} left.\n`);
}
