import { isCancel, select } from '@clack/prompts';
import { chosenProviders } from '../../capture/extract/chosen-provider.ts';
import { userConfigPath } from '../../config.ts';
import type { Project } from '../../project.ts';
import { type ModelOffer, modelOffers } from '../../setup/model-offers.ts';
import { changeUserSetting } from '../../setup/user-settings.ts';
import type { Environment } from '../../user-folders.ts';
import { showNote, type Terminal } from './wizard.ts';

type Answer = ModelOffer['provider'];

/**
 * Asks once which model reads the sessions in which the agent saved nothing, if there is a choice and the user has not
 * chosen yet. Returns the answer, undefined if nothing was asked, or that it was cancelled.
 */
export async function chooseModel(
  project: Project,
  env: Environment,
  terminal: Terminal,
): Promise<Answer | 'cancelled' | undefined> {
  const { config, origins } = project.config();
  const offers = modelOffers(env);
  if (origins.has('extract.provider') || offers.length < 2) return undefined;
  const [current] = chosenProviders(config.extract, env);
  // A hint is only visible on the highlighted option, so the costs are printed above all of them.
  showNote(
    'Who reads what your agent did not save?',
    offers.flatMap(({ title, cost }) => [title, `  ${cost}`]),
    terminal,
  );
  const answer = await select<Answer>({
    ...terminal,
    message: 'Should a model read those sessions?',
    options: offers.map(({ provider, title }) => ({ value: provider, label: title })),
    // What is billed is not what Enter alone chooses, unless its key is already in use.
    initialValue: offers.find(({ isIncluded }) => isIncluded)?.provider ?? current?.name ?? 'none',
  });
  return isCancel(answer) ? 'cancelled' : answer;
}

/** Saves the answer in the user's own settings; returns a line that says where. */
export function keepModel(provider: Answer, project: Project, env: Environment): string {
  changeUserSetting('extract.provider', provider, { config: project.config().config, env });
  return `${'set'.padEnd(9)}  extract.provider: ${provider}  (${userConfigPath(env)}, for all your repositories)`;
}
