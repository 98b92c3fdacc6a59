import { userConfigPath } from '../../config.ts';
import { providerOf } from '../../extract/select.ts';
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

/** Who turns turns into records. */
export function checkExtractor({ loaded: { config }, env }: Patient): Check {
  const { provider, api_key_env, api_key_command } = config.extract;
  if (providerOf(config.extract, env) === 'rules') {
    const why = provider === 'auto' ? ' (no key is set)' : '';
    return ok('extractor', `Rules, offline${why}.`);
  }
  const key = api_key_env || 'ANTHROPIC_API_KEY';
  if (api_key_command === '' && !env[key]) {
    return warn(
      'extractor',
      `extract.provider is ${provider}, but ${key} is not set.`,
      `Set ${key}, or extract.provider to auto or rules.`,
    );
  }
  return ok('extractor', `Anthropic, with ${api_key_command === '' ? key : 'the key of extract.api_key_command'}.`);
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
