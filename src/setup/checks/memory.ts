import { userConfigPath } from '../../config.ts';
import { isNewer } from '../../memory/format.ts';
import { SETTINGS_HINT, settingsNotice } from '../../provenance/settings.ts';
import { type Everything, readEverything } from '../../recall/query/read.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { FIRST_MEMORY } from '../first-memory.ts';

/** Most paths that a message names; further ones are only counted. */
const NAMED = 5;

/** Settings that were ignored, one check each. */
export function checkSettings({ loaded, env }: Patient): Check[] {
  const { warnings, origins } = loaded;
  const notice = settingsNotice(loaded);
  const unreviewed = notice === undefined ? [] : [warn('settings', notice, SETTINGS_HINT)];
  return [...unreviewed, ...checkValues(warnings, origins.size, env)];
}

function checkValues(warnings: string[], set: number, env: Patient['env']): Check[] {
  if (warnings.length === 0) return [ok('settings', set === 0 ? 'All defaults.' : `${set} set.`)];
  return warnings.map((warning) => warn('settings', warning, `Correct .memory/config.yaml or ${userConfigPath(env)}.`));
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
