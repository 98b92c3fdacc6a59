import { type ChosenProvider, chosenProvider } from '../../extract/chosen-provider.ts';
import { printable } from '../../extract/providers/connection.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { findProgram } from '../program.ts';

/** Who turns turns into records, why, and whether what it needs is there. Nothing is sent, and no command is run. */
export function checkExtractor({ loaded: { config, origins }, env }: Patient): Check {
  const { provider } = config.extract;
  const chosen = chosenProvider(config.extract, env);
  if (chosen === undefined) {
    return ok('extractor', `Rules, offline${provider === 'auto' ? ' (no key is set)' : ''}.`);
  }
  if (chosen.missing !== '') {
    const hint =
      chosen.key.from === 'variable' && chosen.key.value === ''
        ? `Set ${chosen.key.name}, or extract.provider to auto or rules.`
        : 'Mend extract.model, extract.base_url and extract.api_key_env in your own settings.';
    return warn('extractor', `extract.provider is ${provider}, but ${chosen.missing}`, hint);
  }
  if (chosen.name === 'claude-cli' && findProgram('claude', env) === undefined) {
    return warn(
      'extractor',
      'extract.provider is claude-cli, but claude is not on PATH.',
      'Install Claude Code and log in, or set extract.provider to auto or rules.',
    );
  }
  const why = provider === 'auto' ? 'a key is set' : `extract.provider, ${origins.get('extract.provider')}`;
  const place = chosen.base === '' ? '' : ` at ${printable(chosen.base, '')}`;
  return ok('extractor', `${chosen.label} with ${chosen.model}${place} (${why}); ${accountOf(chosen)}.`);
}

function accountOf({ name, key }: ChosenProvider): string {
  if (name === 'claude-cli') return 'on the subscription of the user who is logged in';
  if (key.from === 'nowhere') return 'without a key';
  return key.from === 'command' ? 'key by extract.api_key_command' : `key in ${key.name}`;
}
