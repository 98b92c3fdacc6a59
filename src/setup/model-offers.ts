import { hostPrograms, keyedProviders, type ProviderName } from '../capture/extract/chosen-provider.ts';
import type { Environment } from '../user-folders.ts';
import { findProgram } from './program.ts';

/** One choice of the model that reads sessions, or of none. */
export interface ModelOffer {
  provider: ProviderName;
  title: string;
  cost: string;
}

const NONE: ModelOffer = {
  provider: 'rules',
  title: 'No model',
  cost: 'Free: your agent saves what matters itself, and rules record what commits and checks prove.',
};

const SUBSCRIPTION =
  'No bill: about one question a session counts against the limits of the subscription you are logged in with.';

/**
 * The available choices for reading sessions: programs and keys found on this machine, and always "none", which comes
 * last. Runs nothing.
 */
export function modelOffers(env: Environment): ModelOffer[] {
  const offers: ModelOffer[] = keyedProviders(env).map(({ name, label, variable }) => ({
    provider: name,
    title: `${label}, with the key in ${variable}`,
    cost: 'Billed to that key by the token, about one question a session, within extract.daily_tokens.',
  }));
  if (findProgram('ollama', env) !== undefined) {
    const cost = 'Free, and nothing leaves this machine; it works on each session for a while.';
    offers.unshift({ provider: 'ollama', title: 'Ollama', cost });
  }
  // The hosts' own command line programs.
  const programs = hostPrograms().filter(({ program }) => findProgram(program, env) !== undefined);
  return [
    ...programs.map(({ name, label }) => ({ provider: name, title: label, cost: SUBSCRIPTION })),
    ...offers,
    NONE,
  ];
}
