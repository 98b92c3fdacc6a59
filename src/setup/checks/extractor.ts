import { conditionsOf } from '../../capture/extract/chain-condition.ts';
import { type ChosenProvider, chainOf, HOST_PROGRAMS, isHostProgram } from '../../capture/extract/chosen-provider.ts';
import { printable } from '../../capture/extract/providers/connection.ts';
import { OWN_MODEL } from '../../capture/extract/providers/host-program.ts';
import type { LoadedConfig } from '../../config.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { findProgram } from '../program.ts';

/**
 * Checks which extractors turn turns into records, why, and whether each has what it needs. Sends nothing, and runs no
 * command.
 */
export function checkExtractor({ workspace, loaded, env, now }: Patient): Check[] {
  const { extract } = loaded.config;
  const { providers, endsInRules } = chainOf(extract, env);
  if (providers.length === 0) {
    const why =
      extract.provider === 'auto' ? 'no key is set' : `extract.provider, ${loaded.origins.get('extract.provider')}`;
    return [ok('extractor', `Rules, offline (${why}): no model reads sessions.`)];
  }
  const conditions = conditionsOf(extract, { state: workspace.layout.state, env, now });
  const checks = providers.map((chosen, index) => {
    const { today, daily_budget } = conditions[index] ?? { today: 0, daily_budget: null };
    const used = `${today}${daily_budget === null ? '' : ` of ${daily_budget}`} tokens today`;
    return checkOne(chosen, used, loaded, env);
  });
  return endsInRules ? [...checks, ok('extractor', 'Then the rules, at once (extract.fallback).')] : checks;
}

function checkOne(chosen: ChosenProvider, used: string, loaded: LoadedConfig, env: Patient['env']): Check {
  const { name, place } = chosen;
  const { provider } = loaded.config.extract;
  const isFirst = place === 'extract';
  const setting = isFirst ? `extract.provider is ${provider}` : `${place} is ${name}`;
  const otherwise = isFirst ? 'or set extract.provider to auto or rules' : `or take ${name} out of extract.fallback`;
  if (chosen.missing !== '') {
    const hint =
      chosen.key.from === 'variable' && chosen.key.value === ''
        ? `Set ${chosen.key.name}, ${otherwise}.`
        : `Correct ${place}.model, ${place}.base_url and ${place}.api_key_env in your own settings.`;
    return warn('extractor', `${setting}, but ${chosen.missing}`, hint);
  }
  const host = isHostProgram(name) ? HOST_PROGRAMS[name] : undefined;
  if (host && findProgram(host.program, env) === undefined) {
    const hint = `Install ${host.product} and log in, ${otherwise}.`;
    return warn('extractor', `${setting}, but ${host.program} is not on PATH.`, hint);
  }
  const origin = loaded.origins.get(isFirst ? 'extract.provider' : 'extract.fallback');
  const why = isFirst && provider === 'auto' ? 'a key is set' : `${isFirst ? 'extract.provider' : place}, ${origin}`;
  const where = chosen.base === '' ? '' : ` at ${printable(chosen.base, '')}`;
  const what = `${chosen.label} with ${chosen.model === OWN_MODEL ? 'its own model' : chosen.model}${where} (${why}); ${accountOf(chosen)}`;
  return ok('extractor', `${isFirst ? '' : 'Then '}${what}; ${used}.`);
}

function accountOf({ name, key, place }: ChosenProvider): string {
  if (isHostProgram(name)) return 'on the subscription of the user who is logged in';
  if (key.from === 'nowhere') return 'without a key';
  return key.from === 'command' ? `key by ${place}.api_key_command` : `key in ${key.name}`;
}
