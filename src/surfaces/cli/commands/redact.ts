import { relative } from 'node:path';
import { type Redaction, redact } from '../../../capture/by-hand/redact.ts';
import type { Repetition } from '../../../capture/by-hand/repetitions.ts';
import { PERSONAL, personalCheckout, personalIds } from '../../../memory/store/personal.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { shown } from '../print.ts';
import { markMaking } from '../written-record.ts';

type Options = Flags<'only' | 'dryRun' | 'json'> & Texts<'reason'>;

export const register: Register = (program, context) =>
  define(program, 'redact', 'hide records, and keep their text from being captured again')
    .argument('<id...>', 'ids, or their first four characters or more')
    .option('--only', 'leave other records with the same sentences alone')
    .option('--dry-run', 'show what would be hidden, and write nothing')
    .option('--reason <text>', 'why, for the reviewer')
    .option('--json', 'print JSON')
    .notes(`
Every record of both stores and of your personal one that repeats one of its sentences is hidden with it: the summary of the session, siblings,
prompts. They are listed, and \`--dry-run\` lists them before; to choose, name the ids together with --only. Files that
are not records but contain its words (drafts, an export, a site in the working tree) are listed.

The mark holds salted hashes of the text, sentence by sentence, and none of the text itself. It hides the records on
every branch that has it, and \`git mem check\` refuses a record that repeats them. The files, and git's history,
still hold the text: \`git mem scrub\` shows how to remove it. A secret that was written down has to be changed
whatever else is done.

Examples:
  git mem redact k3v9 --dry-run
  git mem redact k3v9 --reason "Names a customer."
  git mem redact k3v9 p8w2 --only      these two and no other
  git mem scrub                        how to take them out of history`)
    .action(async (given: string[], { only = false, dryRun = false, reason = '', json }: Options) => {
      const own = personalIds(given);
      const project = own ? openPersonal(context.env) : context.project();
      const { workspace } = project;
      const personal = !own && personalCheckout(context.env) ? openPersonal(context.env).workspace : undefined;
      const making = await markMaking(project, context);
      const ids = await fullIds(workspace, own ?? given, context.say);
      const done = await redact(workspace, { ids, reason, only, dryRun, personal }, making);
      const folders = foldersOf(workspace);
      const marks = done.marks.map(({ id, path, store }) => ({ id, path: `${folders[store]}/${path}` }));
      const names = namesOf(done, workspace.checkout.root);
      if (json) context.json({ ...marks[0], marks, ...names });
      else for (const { id, path } of marks) context.stdout.write(`${id}  ${path}\n`);
      if (marks.length > 0 && done.marks.every(({ created }) => !created)) {
        context.say('It was there already.');
      }
      talk(names, dryRun, context);
    });

/** Records by the parts of them that may still be shown. */
function namesOf({ also, personal, left, copies }: Redaction, root: string) {
  const named = ({ record: { id, kind }, entry: { store } }: Repetition) => ({ id, kind, store });
  const abroad = personal.map((one) => ({ ...named(one), store: PERSONAL }));
  return {
    also: [...also.map(named), ...abroad],
    left: left.map(named),
    copies: copies.map((path) => relative(root, path)),
  };
}

function talk({ also, left, copies }: ReturnType<typeof namesOf>, dryRun: boolean, { stderr }: Context): void {
  const lines = (names: typeof also) => names.map(({ id, kind, store }) => `  ${id}  ${kind}, ${store} store`);
  const parts = [
    ...(also.length > 0 ? [`These repeat it, and ${dryRun ? 'would be' : 'are'} hidden with it:`, ...lines(also)] : []),
    ...(left.length > 0 ? ['These still say it:', ...lines(left)] : []),
    ...(copies.length > 0 ? ['These files contain its text:', ...copies.map((path) => `  ${shown(path)}`)] : []),
    dryRun
      ? 'Nothing was written.'
      : "Its text is still in the files and in git's history: `git mem scrub` shows how to remove it.",
  ];
  stderr.write(`${parts.join('\n')}\n`);
}
