import { userConfigPath } from '../../config.ts';
import { unsyncedCount } from '../../exchange/sync/private.ts';
import { shallowCommits } from '../../git/shallow.ts';
import { isNewer } from '../../memory/format.ts';
import { SETTINGS_HINT, settingsNotice } from '../../provenance/settings.ts';
import { uncommittedSentence, untrackedRecords } from '../../provenance/untracked.ts';
import { vanishedRecords, vanishedSentence } from '../../provenance/vanished.ts';
import { type Everything, readEverything } from '../../records/read.ts';
import { countElsewhere } from '../../review/commit-policy.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { FIRST_MEMORY } from '../first-memory.ts';
import { lackOfHook } from '../git-hooks.ts';

/** Most paths that a message names; further ones are only counted. */
const NAMED = 5;

/** Settings that were ignored, one check each. */
export function checkSettings({ loaded, env }: Patient): Check[] {
  const { warnings, origins } = loaded;
  const notice = settingsNotice(loaded);
  const unreviewed = notice === undefined ? [] : [warn('settings', notice, SETTINGS_HINT)];
  const fine = ok('settings', origins.size === 0 ? 'All defaults.' : `${origins.size} set.`);
  const hint = `Correct .memory/config.yaml or ${userConfigPath(env)}.`;
  return [...unreviewed, ...(warnings.length === 0 ? [fine] : warnings.map((one) => warn('settings', one, hint)))];
}

/** Checks whether every record can be read and has a format that this version knows. */
export async function checkRecords({ workspace }: Patient): Promise<Check[]> {
  const everything = await readEverything(workspace);
  return [checkReadable(everything), ...checkFormat(everything)];
}

function checkReadable({ records, problems: all }: Everything): Check {
  const problems = all.filter(({ isNewer }) => !isNewer);
  if (problems.length === 0 && records.length === 0) {
    return ok('records', `None yet. ${FIRST_MEMORY}`);
  }
  if (problems.length === 0) return ok('records', `${records.length} read.`);
  const named = problems
    .slice(0, NAMED)
    .map(({ message }) => message)
    .join(' ');
  const more = problems.length > NAMED ? ` And ${problems.length - NAMED} more.` : '';
  return warn(
    'records',
    `${problems.length} ${problems.length === 1 ? 'does not parse and is' : 'do not parse and are'} left out. ${named}${more}`,
    'Update git-mem if a newer version wrote them; otherwise correct the files by hand, or delete them.',
  );
}

function checkFormat({ records, problems }: Everything): Check[] {
  const partly = records.filter(({ record }) => isNewer(record)).length;
  const unread = problems.filter(({ isNewer }) => isNewer).length;
  if (partly + unread === 0) return [];
  const what = [
    partly > 0 && `of ${partly} it uses what it knows`,
    unread > 0 && `${unread} it cannot read and leaves alone`,
  ];
  const message = `Records have a newer format than this git-mem knows: ${what.filter(Boolean).join(', ')}.`;
  return [warn('format', message, 'Update git-mem.')];
}

/** Warns if git has only the end of the history, in which the commits of records and the changes of files are looked up. */
export function checkHistory({ workspace }: Patient): Check[] {
  if (shallowCommits(workspace.checkout.commonDir).size === 0) return [];
  return [
    warn(
      'history',
      'The history ends early here (a shallow clone): in which commit older records were recorded is not known.',
      'Run `git fetch --unshallow`.',
    ),
  ];
}

/** Checks whether records join commits by themselves, where they should, and how many wait for one. */
export async function checkCommits({ workspace, loaded, env }: Patient): Promise<Check[]> {
  const files = await untrackedRecords(workspace);
  const uncommitted = { records: files.length, other_branch: await countElsewhere(workspace, files) };
  const vanished = await vanishedRecords(workspace);
  const waiting = [
    ...(files.length === 0 ? [] : [ok('uncommitted', uncommittedSentence(uncommitted))]),
    ...(vanished.length === 0
      ? []
      : [warn('vanished', vanishedSentence(vanished), '`git mem salvage --dry-run` shows them.')]),
  ];
  if (loaded.config.commit === 'manual') return [ok('commits', 'Records wait for your own `git add`.'), ...waiting];
  const lack = await lackOfHook(workspace.checkout, workspace.layout.state, env);
  if (lack === undefined) return [ok('commits', "Git's pre-commit hook adds new records to commits."), ...waiting];
  return [warn('commits', 'No pre-commit hook of git adds new records to commits.', lack), ...waiting];
}

/** Tells how many private records would be lost with this clone. */
export async function checkPrivate({ workspace }: Patient): Promise<Check | Check[]> {
  const count = await unsyncedCount(workspace);
  if (count === 0) return [];
  const records = count === 1 ? '1 private record exists' : `${count} private records exist`;
  const them = count === 1 ? 'it' : 'them';
  return ok('private', `${records} only in this clone; \`git mem private sync\` brings ${them} to a remote.`);
}
