import { userConfigPath } from '../../config.ts';
import { unsyncedCount } from '../../exchange/sync/private.ts';
import { shallowCommits } from '../../git/shallow.ts';
import { isNewer } from '../../memory/format.ts';
import { SETTINGS_HINT, settingsNotice } from '../../provenance/settings.ts';
import {
  uncommittedSentence,
  untrackedRecords,
  vanishedRecords,
  vanishedSentence,
} from '../../provenance/untracked.ts';
import { type Everything, readEverything } from '../../records/read.ts';
import { countElsewhere } from '../../review/commit-policy.ts';
import { type Check, FIRST_MEMORY, ok, type Patient, warn } from '../check.ts';
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
  const { records, problems } = await readEverything(workspace);
  const unread = problems.filter(({ isNewer }) => !isNewer).map(({ message }) => message);
  return [checkReadable(records.length, unread), ...checkFormat(records, problems.length - unread.length)];
}

function checkReadable(read: number, unread: string[]): Check {
  if (unread.length === 0) return ok('records', read === 0 ? `None yet. ${FIRST_MEMORY}` : `${read} read.`);
  const named = unread.slice(0, NAMED).join(' ');
  const more = unread.length > NAMED ? ` And ${unread.length - NAMED} more.` : '';
  const left = unread.length === 1 ? 'does not parse and is' : 'do not parse and are';
  const hint = 'Update git-mem if a newer version wrote them; otherwise correct the files by hand, or delete them.';
  return warn('records', `${unread.length} ${left} left out. ${named}${more}`, hint);
}

function checkFormat(records: Everything['records'], unread: number): Check[] {
  const partly = records.filter(({ record }) => isNewer(record)).length;
  if (partly + unread === 0) return [];
  const what = [partly && `of ${partly} it uses what it knows`, unread && `${unread} it cannot read and leaves alone`];
  const message = `Records have a newer format than this git-mem knows: ${what.filter(Boolean).join(', ')}.`;
  return [warn('format', message, 'Update git-mem.')];
}

/** Warns about a shallow clone: the commits of records and the changes of files are looked up in the history. */
export function checkHistory({ workspace }: Patient): Check[] {
  if (shallowCommits(workspace.checkout.commonDir).size === 0) return [];
  const message = 'This is a shallow clone, so the commits of older records are unknown.';
  return [warn('history', message, 'Run `git fetch --unshallow`.')];
}

/** Checks whether records join commits automatically, where they should, and how many wait for one. */
export async function checkCommits({ workspace, loaded, env }: Patient): Promise<Check[]> {
  const files = await untrackedRecords(workspace);
  const uncommitted = { records: files.length, other_branch: await countElsewhere(workspace, files) };
  const vanished = await vanishedRecords(workspace);
  const waiting: Check[] = [];
  if (files.length > 0) waiting.push(ok('uncommitted', uncommittedSentence(uncommitted)));
  if (vanished.length > 0)
    waiting.push(warn('vanished', vanishedSentence(vanished), '`git mem salvage --dry-run` shows them.'));
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
