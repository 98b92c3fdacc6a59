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
import { askEach } from '../asking.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';
import { printRecords, viewsOf } from '../record-table.ts';
import { editStored, markMaking } from '../written-record.ts';

export const register: Register = (program, context) =>
  define(program, 'inbox', 'what sessions wrote and nobody has accepted yet')
    .jsonAndNotes(`
With \`capture.destination: inbox\` what agents and models write waits in the private store; so does, with any destination, a
rule, a personal record or one with commands that was saved after its turn read something from elsewhere. On a terminal each record is
shown, and one key decides: a brings it into .memory/, e edits it first, d drops it, s leaves it, q ends. Elsewhere they are
listed; \`git mem promote ID\` accepts one, \`git mem retire ID\` drops it.

Examples:
  git mem inbox
  git mem promote k3v9 p8w2`)
    .action(async ({ json = false }: Flags<'json'>) => {
      const project = context.project();
      const { workspace } = project;
      const waiting = (await readEverything(workspace)).records.filter(isWaiting);
      if (json) return context.json({ total: waiting.length, records: viewsOf(waiting, workspace) });
      if (waiting.length === 0) return context.say('The inbox is empty.');
      if (context.stdin.isTTY === true && context.stdout.isTTY === true) return ask(project, waiting, context);
      const rows = waiting.map((annotated) => ({ annotated }));
      printRecords(rows, workspace, context);
    });

async function ask(project: Project, waiting: Waiting[], context: Context): Promise<void> {
  const { stdout, style } = context;
  await askEach(waiting, context, {
    question({ record }) {
      // A summary is accepted or dropped as it is.
      const isEditable = record.kind === 'observation';
      const text = isEditable ? [record.narrative, ...record.facts] : [record.completed, record.learned];
      const said = text.flatMap((part) => part.split('\n')).filter((line) => line !== '' && line !== 'None.');
      const files = isEditable ? record.files_modified : record.files_edited;
      const lines = [...said.map(shown), ...(files.length > 0 ? [style('dim', files.map(shown).join(', '))] : [])];
      return { record, lines, keys: `a accept, ${isEditable ? 'e edit, ' : ''}d drop, s skip, q quit` };
    },
    act: (key, one) =>
      decide(key, one, project, context).catch((error) => {
        if (!(error instanceof GitMemError)) throw error;
        context.say([error.message, error.hint].filter(Boolean).join(' '));
      }),
  });
  const left = (await readEverything(project.workspace)).records.filter(isWaiting).length;
  stdout.write(left === 0 ? 'The inbox is empty now.\n' : `${counted(left, 'record')} left.\n`);
}

/** Accepts a record, drops it, or saves the person's edited version in its place. */
async function decide(key: string, { record, entry }: Waiting, project: Project, context: Context): Promise<void> {
  const { workspace } = project;
  const ids = [record.id];
  if (key === 'a') return void (await promote(workspace, ids, { cleaner: await project.cleaner(MAX_SCANNED_TEXT) }));
  const isEdited = key === 'e' && record.kind === 'observation';
  const made = isEdited ? editStored(context, workspace, entry) : undefined;
  const { maker, ...how } = await markMaking(project, context, await personAt(workspace, 'cli'));
  if (isEdited && made) await acceptEdited(workspace, { record, made }, { person: maker, ...how });
  else {
    const mark = { type: 'retire', targets: ids, reason: 'Dropped.', store: 'private' } as const;
    await writeMark(workspace, mark, { maker, ...how });
  }
}
