import { userConfigPath } from '../../config.ts';
import { readEverything } from '../../recall/read.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';

/** How many paths a message names before it only counts. */
const NAMED = 5;

/** Settings that were ignored, one check each. */
export function checkSettings({ loaded, env }: Patient): Check[] {
  const { warnings, origins } = loaded;
  if (warnings.length === 0) return [ok('settings', origins.size === 0 ? 'All defaults.' : `${origins.size} set.`)];
  return warnings.map((warning) => warn('settings', warning, `Mend .memory/config.yaml or ${userConfigPath(env)}.`));
}

/** Whether every record can be read. */
export async function checkRecords({ workspace }: Patient): Promise<Check> {
  const { records, problems } = await readEverything(workspace);
  if (problems.length === 0) return ok('records', `${records.length} read.`);
  const named = problems
    .slice(0, NAMED)
    .map(({ message }) => message)
    .join(' ');
  const more = problems.length > NAMED ? ` And ${problems.length - NAMED} more.` : '';
  return warn(
    'records',
    `${problems.length} do not parse and are left out. ${named}${more}`,
    'Mend the files by hand, or delete them.',
  );
}
