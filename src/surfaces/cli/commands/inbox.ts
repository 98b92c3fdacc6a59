import { acceptEdited } from '../../../capture/by-hand/accept-edited.ts';
import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import { promote } from '../../../capture/by-hand/promote.ts';
import { GitMemError } from '../../../errors.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { isWaiting, type Waiting } from '../../../records/annotate.ts';
import { readEverything } from '../../../records/read.ts';
import { foldersOf, viewOf } from '../../../records/view.ts';
import type { Command, Context } from '../command.ts';
import { markMaking } from '../mark-making.ts';
import { oneKey } from '../one-key.ts';
import { printJson, shown } from '../print.ts';
import { printRecords } from '../record-table.ts';
import { editStored } from '../written-record.ts';

export function register(program: Command, context: Context): void {
  program
    .command('inbox')
    .description('what sessions wrote and nobody has accepted yet')
    .option('--json', 'print JSON')
    .notes(`
With \`capture.destination: inbox\` what agents and models write waits in the private store; so does, with any destination, a
rule, a personal record or one with commands that was saved after its turn read something from elsewhere. On a terminal each record is
shown, and one key decides: a brings it into .memory/, e edits it first, d drops it, s leaves it, q ends. Elsewhere they are
listed; \`git mem promote ID\` accepts one, \`git mem retire ID\` drops it.

Examples:
  git mem inbox
  git mem inbox --json
  git mem promote k3v9 p8w2`)
    .action(async ({ json = false }: { json?: boolean }) => {
      const project = context.project();
      const { workspace } = project;
      const waiting = (await readEverything(workspace)).records.filter(isWaiting);
      if (json) {
        const folders = foldersOf(workspace);
        return printJson(context.stdout, {
          total: waiting.length,
          records: waiting.map((one) => viewOf(one, folders)),
        });
      }
      if (waiting.length === 0) return void context.stderr.write('Nothing waits.\n');
      if (context.stdin.isTTY === true && context.stdout.isTTY === true) return ask(project, waiting, context);
      const rows = waiting.map((annotated) => ({ annotated }));
      printRecords(rows, workspace, context);
    });
}

async function accept({ workspace, cleaner }: Project, { record }: Waiting): Promise<void> {
  await promote(workspace, [record.id], { cleaner: await cleaner(MAX_SCANNED_TEXT) });
}

async function drop(project: Project, { record }: Waiting, context: Context): Promise<void> {
  const making = await markMaking(project, context, await personAt(project.workspace, 'cli'));
  const reason = 'Dropped.';
  await writeMark(project.workspace, { type: 'retire', targets: [record.id], reason, store: 'private' }, making);
}

/** Saves what the person made of a record, in its place. */
async function edit(project: Project, { record, entry }: Waiting, context: Context): Promise<void> {
  const { workspace } = project;
  if (record.kind !== 'observation') {
    throw new GitMemError('bad-input', 'A summary is accepted or dropped as it is.');
  }
  const made = editStored(context, workspace, entry);
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
      if (key === 'a') await accept(project, one);
      if (key === 'd') await drop(project, one, context);
      if (key === 'e') await edit(project, one, context);
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      stderr.write(`${shown([error.message, error.hint].filter(Boolean).join(' '))}\n`);
    }
  }
  const left = (await readEverything(project.workspace)).records.filter(isWaiting).length;
  stdout.write(left === 0 ? 'Nothing waits any more.\n' : `${counted(left, 'record')} left.\n`);
}
