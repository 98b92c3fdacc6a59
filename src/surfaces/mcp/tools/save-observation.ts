import { noticing, type Saved, save } from '../../../capture/by-hand/save.ts';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { clampPhrase, clampSentences, isShortened } from '../../../capture/extract/clamp.ts';
import { typesOf } from '../../../capture/extract/mode.ts';
import { GitMemError } from '../../../errors.ts';
import { LIMITS, oneLine } from '../../../memory/record.ts';
import { titleProblem } from '../../../memory/telling-title.ts';
import { recount } from '../../../recall/query/live-count.ts';
import { fullIds } from '../../../recall/query/records.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import { type Near, nearRecords } from '../../../recall/search/near.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Call } from '../call.ts';
import type { Repository } from '../repositories.ts';

type Given = Arguments<'save_observation'>;

/** Writes an observation, cut to the limits of a record, to the store for this repository's captured records. */
export async function saveObservation(
  { project: { workspace, config: load }, cache }: Repository,
  given: Given,
  { now, caller }: Call,
): Promise<Answer> {
  const { config } = load();
  refuseTitle(given.title);
  const types = typesOf(config);
  if (given.type !== undefined && !types.includes(given.type)) {
    throw new GitMemError('bad-input', `"${given.type}" is not a type of observation.`, {
      hint: `Use ${types.join(', ')}.`,
    });
  }
  const { by, ...agent } = agentBehindCall(workspace, caller);
  const { cleaner, hasRedacted } = noticing(createCleaner(config.privacy.redact));
  // Before anything is cut, because half a key is no longer recognized as one.
  const clean = await cleaned(given, (text) => cleaner.text(text));
  const made = { ...within(clean), supersedes: fullIds(workspace, given.supersedes ?? []) };
  const store = config.capture.destination;
  const saved = await save(
    workspace,
    { ...made, ...agent, extractor: 'agent' },
    { store, maker: { by }, now, cwd: workspace.checkout.root, cleaner },
  );
  if (made.supersedes.length > 0) await recount(workspace, now);
  const near = await nearRecords(workspace, cache, saved.record);
  const path = `${foldersOf(workspace)[store]}/${saved.path}`;
  const advice = adviceOn({ ...saved, redacted: hasRedacted() }, near, shortened(clean, made));
  return {
    text: [savedLine(saved, path), ...near.map(({ id, title }) => `near: ${id} ${title}`), ...advice].join('\n'),
    // Some hosts show their model this instead of the text.
    data: { id: saved.id, path, created: saved.created, near, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}

/** The line that says where a record was written, or already was. */
export function savedLine({ id, created }: Saved, path: string): string {
  return created ? `Saved ${id}: ${path}` : `${id} was there already: ${path}`;
}

/** Throws bad-input for a meaningless title. */
export function refuseTitle(title: string): void {
  const problem = titleProblem(title);
  if (problem === undefined) return;
  throw new GitMemError('bad-input', problem, {
    hint: 'Nothing was saved. If there is nothing more to save, save nothing.',
  });
}

/** The arguments with secrets removed from every text. */
async function cleaned(given: Given, clean: (text: string) => Promise<string>): Promise<Given> {
  const { title, subtitle, narrative, facts, concepts } = given;
  return {
    ...given,
    title: await clean(title),
    ...(subtitle !== undefined && { subtitle: await clean(subtitle) }),
    ...(narrative !== undefined && { narrative: await clean(narrative) }),
    ...(facts && { facts: await Promise.all(facts.map(clean)) }),
    ...(concepts && { concepts: await Promise.all(concepts.map(clean)) }),
  };
}

function within(given: Given) {
  const { type = 'change', facts = [], concepts = [], files_modified = [], files_read = [] } = given;
  return {
    type,
    title: clampPhrase(given.title, LIMITS.title),
    ...(given.subtitle && { subtitle: clampPhrase(given.subtitle, LIMITS.subtitle) }),
    narrative: clampSentences(given.narrative ?? '', LIMITS.narrative),
    facts: facts.map((fact) => clampSentences(oneLine(fact), LIMITS.fact)).slice(0, LIMITS.facts),
    concepts: concepts.slice(0, LIMITS.concepts),
    files_modified: files_modified.slice(0, LIMITS.files),
    files_read: files_read.slice(0, LIMITS.files),
  };
}

function adviceOn({ id, redacted }: Saved, near: Near[], cut: string[]): string[] {
  return [
    near.length > 0 &&
      `Where one of the near records is wrong now, call mark with type "supersede", ids [its id], by "${id}"; where it has the same content, retire one of the two.`,
    ...adviceOnText({ cut, redacted }),
  ].filter((line) => line !== false);
}

/** Notes on how a text changed between the call and the record. */
export function adviceOnText({ cut, redacted }: { cut: string[]; redacted: boolean }): string[] {
  return [
    cut.length > 0 && `Shortened to a record's limits: ${cut.join(', ')}.`,
    redacted && 'A secret was taken out before anything was written: never save tokens or passwords.',
  ].filter((line) => line !== false);
}

function shortened(given: Given, made: Omit<Given, 'supersedes'>): string[] {
  const texts = (['title', 'subtitle', 'narrative'] as const).filter((key) =>
    isShortened(given[key] ?? '', made[key] ?? ''),
  );
  const lists = (['facts', 'concepts', 'files_modified', 'files_read'] as const).filter(
    (key) => (made[key]?.join('').length ?? 0) < (given[key]?.join('').length ?? 0),
  );
  return [...texts, ...lists];
}
