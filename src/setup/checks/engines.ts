import {
  type ChosenProvider,
  chosenProviders,
  conditionsOf,
  isProgram,
} from '../../capture/extract/chosen-provider.ts';
import { printable } from '../../capture/extract/providers/connection.ts';
import { OWN_MODEL, PROGRAMS } from '../../capture/extract/providers/programs.ts';
import type { LoadedConfig } from '../../config.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { conditionOf, withCache } from '../../index/cache.ts';
import { embedderOf } from '../../index/embed/embedder.ts';
import { countMissing } from '../../index/neural.ts';
import type { Engine } from '../../index/open.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { findProgram } from '../program.ts';

/** A drain has the environment of the agent that started it. */
const ELSEWHERE = 'drains that an agent starts may see one';

/** Checks which models read sessions, why, and whether each has what it needs. Sends nothing, and runs no command. */
export function checkExtractor({ workspace, loaded, env, now }: Patient): Check[] {
  const { extract } = loaded.config;
  const providers = chosenProviders(extract, env);
  if (providers.length === 0) {
    const origin = loaded.origins.get('extract.provider');
    const why = extract.provider === 'auto' ? `no key in this shell; ${ELSEWHERE}` : `extract.provider, ${origin}`;
    return [ok('extractor', `No model reads sessions (${why}).`)];
  }
  const conditions = conditionsOf(extract, { state: workspace.layout.state, env, now });
  return providers.map((chosen, index) => {
    const { today, daily_budget } = conditions[index] ?? { today: 0, daily_budget: null };
    const used = `${today}${daily_budget === null ? '' : ` of ${daily_budget}`} tokens today`;
    return checkOne(chosen, used, loaded, env);
  });
}

function checkOne(chosen: ChosenProvider, used: string, loaded: LoadedConfig, env: Patient['env']): Check {
  const { name, place } = chosen;
  const { provider } = loaded.config.extract;
  const isFirst = place === 'extract';
  const key = isFirst ? 'extract.provider' : place;
  const setting = `${key} is ${isFirst ? provider : name}`;
  const otherwise = isFirst ? 'or set extract.provider to auto or none' : 'or leave extract.fallback empty';
  if (chosen.missing !== '') {
    const other = isFirst
      ? 'Correct extract.model, extract.base_url and extract.api_key_env in your own settings.'
      : 'Choose another extract.fallback: it has only its usual settings.';
    const { key: source } = chosen;
    const isUnset = source.from === 'variable' && source.value === '';
    const hint = isUnset ? `Set ${source.name}, ${otherwise}; ${ELSEWHERE}.` : other;
    return warn('extractor', `${setting}, but ${chosen.missing}`, hint);
  }
  const host = isProgram(name) ? PROGRAMS[name] : undefined;
  if (host && findProgram(host.program, env) === undefined) {
    const hint = `Install ${host.product} and log in, ${otherwise}.`;
    return warn('extractor', `${setting}, but ${host.program} is not on PATH.`, hint);
  }
  const why = isFirst && provider === 'auto' ? 'a key is set' : `${key}, ${loaded.origins.get(key)}`;
  const where = chosen.base === '' ? '' : ` at ${printable(chosen.base, '')}`;
  const what = `${chosen.label} with ${chosen.model === OWN_MODEL ? 'its own model' : chosen.model}${where} (${why}); ${accountOf(chosen)}`;
  return ok('extractor', `${isFirst ? '' : 'Where that fails: '}${what}; ${used}.`);
}

function accountOf({ name, key }: ChosenProvider): string {
  if (isProgram(name)) return 'on the subscription of the user who is logged in';
  if (key.from === 'nowhere') return 'without a key';
  return key.from === 'command' ? 'key by extract.api_key_command' : `key in ${key.name}`;
}

/** Longest wait for the model's answer, in milliseconds: a person waits for all checks. */
const PATIENCE_MS = 3000;

/** Checks whether the embedding model answers. Sends no memory. */
export async function checkEmbedder({ workspace, loaded: { config }, env }: Patient): Promise<Check> {
  const embedder = embedderOf(config.embed, env);
  if (embedder === undefined) return ok('embedder', 'Local vectors, offline.');
  const model = `${embedder.name}${embedder.place ? ` at ${embedder.place}` : ''}`;
  try {
    await embedder.probe(AbortSignal.timeout(PATIENCE_MS));
  } catch (error) {
    const hint = error instanceof GitMemError ? error.hint : undefined;
    return warn('embedder', `${model} does not work, so search uses local vectors. ${messageOf(error)}`, hint);
  }
  return withCache(workspace, async (cache) => {
    const { missing, records } = await cache.query((index) => countMissing(index, embedder.name));
    if (missing === 0) return ok('embedder', `${model} answers; every record has its vector.`);
    const message = `${model} answers; ${missing} of ${records} records have no vector yet and are ranked by local ones.`;
    return warn('embedder', message, 'Each drain makes some of them; `git mem sync` makes all.');
  });
}

/** What each search index costs compared with the usual one; docs/troubleshooting.md has the figures. */
const COSTS: Record<Engine, string> = {
  'better-sqlite3': '',
  minisearch: 'Search works, but takes many times the processor time and starts from the files each time.',
};

/** Which search index answers here, why if it is not the usual one, and what that costs. */
export function indexWords({ engine, reason }: { engine: Engine; reason?: string | null | undefined }): string {
  const why = reason ? `${reason.replace(/\.?$/, '.')} ${COSTS[engine]}` : '';
  return `${engine}. ${why}`.trim();
}

export async function checkIndex({ workspace }: Patient): Promise<Check> {
  return withCache(workspace, async (cache) => {
    const { kind, engine, persistent, documents, reason } = await conditionOf(workspace, cache);
    if (kind === 'sqlite' && persistent) {
      return ok('index', `SQLite by ${engine}, ${documents} searchable.`);
    }
    const message = reason ?? `${kind}, in memory only.`;
    const hint =
      kind === 'minisearch'
        ? `${COSTS[engine]} Install git-mem again with install scripts allowed.`
        : 'Search still works, only slower: make the state folder writable.';
    return warn('index', message, workspace.env.GIT_MEM_CACHE ? 'Unset GIT_MEM_CACHE for the usual one.' : hint);
  });
}
