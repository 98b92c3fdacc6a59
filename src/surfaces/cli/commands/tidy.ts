import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { readEverything } from '../../../records/read.ts';
import { type Proposal, proposalsIn } from '../../../search/repeats.ts';
import { askEach } from '../asking.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';
import { viewsOf } from '../record-table.ts';
import { markMaking } from '../written-record.ts';

export const register: Register = (program, context) =>
  define(
    program,
    'tidy',
    'propose what to retire: records that seem to say the same, and those that name something that is gone',
  )
    .jsonAndNotes(`
On a terminal each record is shown with the reason, and one key decides: r retires it (a repeat is superseded by the record
that it repeats), v says that it was checked and still holds, s leaves it, q ends. Otherwise the commands are printed, and
nothing is done; those that only a reader can decide are comments. Pinned and verified records are never proposed.

Of records that share most of their words the best would be kept: pinned, else the team's, by a person or the agent, newer,
longer. Records that name other numbers, deny what the other states or cite other files are not taken for repeats.

Examples:
  git mem tidy | cat   only print the commands
  git mem tidy | sh    retire the records whose files are all gone`)
    .action(async ({ json = false }: Flags<'json'>) => {
      const project = context.project();
      const { workspace } = project;
      const proposals = proposalsIn((await readEverything(workspace)).records);
      if (json) {
        const records = viewsOf(
          proposals.map(({ annotated }) => annotated),
          workspace,
        );
        const views = proposals.map(({ reason, words, by }, i) => {
          return { record: records[i], reason, words, by: by?.record.id ?? null };
        });
        return context.json({ total: proposals.length, proposals: views });
      }
      if (proposals.length === 0) return context.say('Nothing to tidy.');
      if (context.stdin.isTTY === true && context.stdout.isTTY === true) await ask(project, proposals, context);
      else context.stdout.write(proposals.map(commandsOf).join(''));
    });

/** The proposed command, below the title of its record; a comment where only a reader can tell. */
function commandsOf({ annotated: { record }, reason, words, by }: Proposal): string {
  const title = `# ${shown(record.title)}\n`;
  if (reason === 'check') return `${title}# ${words} git mem verify ${record.id}, or git mem retire ${record.id}\n`;
  if (by) return `${title}# ${words} Where it says the same: git mem supersede ${record.id} --by ${by.record.id}\n`;
  return `${title}git mem retire ${record.id} --reason "${words}"\n`;
}

async function ask(project: Project, proposals: Proposal[], context: Context): Promise<void> {
  const { stdout, style } = context;
  const done = await askEach(proposals, context, {
    question({ annotated: { record }, reason, words, by }) {
      const other = by?.record.kind === 'observation' ? [style('dim', shown(by.record.title))] : [];
      const said = [record.narrative, ...record.facts].filter(Boolean).map(shown);
      const lines = [...said, style('yellow', `${reason}: ${words}`), ...other];
      return { record, lines, keys: 'r retire, v verify, s skip, q quit' };
    },
    async act(key, { annotated: { record }, words, by }) {
      const type = key === 'v' ? 'verify' : by ? 'supersede' : 'retire';
      const reason = { verify: 'Checked when tidying.', supersede: 'It says the same.', retire: words }[type];
      const replacing = type === 'supersede' && by ? { by: by.record.id } : {};
      const making = await markMaking(project, context, await personAt(project.workspace, 'cli'));
      await writeMark(project.workspace, { type, targets: [record.id], ...replacing, reason }, making);
    },
  });
  stdout.write(`${counted(done, 'record')} marked.\n`);
}
