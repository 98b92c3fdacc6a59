import { noticing, type Saved, save } from '../../../capture/by-hand/save.ts';
import { agentBehindCall, type SavingAgent } from '../../../capture/by-hand/saving-agent.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { isShortened, withinLimits } from '../../../capture/extract/clamp.ts';
import { typesOf } from '../../../capture/extract/mode.ts';
import { sessionStore } from '../../../config.ts';
import { GitMemError } from '../../../errors.ts';
import type { StoreName } from '../../../memory/record.ts';
import { PERSONAL, PERSONAL_TYPES } from '../../../memory/store/personal.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { ADVICE, titleProblem } from '../../../memory/telling-title.ts';
import { openPersonal } from '../../../project.ts';
import type { Cache } from '../../../recall/index/cache.ts';
import { recount } from '../../../recall/query/active-count.ts';
import { fullIds } from '../../../recall/query/records.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import { type Near, nearSaved } from '../../../recall/search/near.ts';
import type { Answer, Call } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

type Given = Arguments<'save_observation'>;

/**
 * Writes an observation, cut to the limits of a record, to the store for this repository's captured records, or to the
 * user's personal store.
 */
export async function saveObservation(repository: Repository, given: Given, { now, caller }: Call): Promise<Answer> {
  const { project, cache, others } = repository;
  const { workspace } = project;
  const { config } = project.config();
  const agent = agentBehindCall(workspace, caller);
  if (given.scope === PERSONAL) {
    const own = openPersonal(workspace.env);
    const target: Target = {
      workspace: own.workspace,
      cache: others.of(own.workspace),
      store: 'team',
      folder: own.workspace.layout.memory,
      label: `${PERSONAL}:`,
      types: PERSONAL_TYPES,
      patterns: [config, own.config().config].flatMap(({ privacy }) => privacy.redact),
      agent: { by: agent.by },
    };
    // It has nothing of the repository in which it was said: neither files nor a session.
    return saveIn(target, { type: PERSONAL_TYPES[0], ...given, files_modified: [], files_read: [] }, now);
  }
  // Of a person two words may say it all.
  refuseTitle(given.title, 'observation');
  const store = sessionStore(config);
  const folder = foldersOf(workspace)[store];
  const patterns = config.privacy.redact;
  return saveIn({ workspace, cache, store, folder, label: '', types: typesOf(config), patterns, agent }, given, now);
}

/** Where a record goes, and who saves it. */
interface Target {
  workspace: Workspace;
  cache: Cache;
  store: StoreName;
  /** The store's folder, as it is shown, and what stands before its ids. */
  folder: string;
  label: string;
  types: readonly string[];
  /** The patterns of `privacy.redact`. */
  patterns: string[];
  agent: SavingAgent;
}

async function saveIn(
  { workspace, cache, store, folder, label, types, patterns, agent: { by, ...session } }: Target,
  given: Given,
  now: Date,
): Promise<Answer> {
  if (given.type !== undefined && !types.includes(given.type)) {
    throw new GitMemError('bad-input', `"${given.type}" is not a type of observation.`, {
      hint: `Use ${types.join(', ')}.`,
    });
  }
  const { cleaner, hasRedacted } = noticing(createCleaner(patterns));
  // Before anything is cut, because half a key is no longer recognized as one.
  const clean = await cleaned(given, (text) => cleaner.text(text));
  const replaced = given.supersedes?.map((id) => (id.startsWith(label) ? id.slice(label.length) : id)) ?? [];
  const made = { ...within(clean), supersedes: fullIds(workspace, replaced) };
  const { record, ...written } = await save(
    workspace,
    { ...made, ...session, extractor: 'agent' },
    { store, maker: { by }, now, cwd: workspace.checkout.root, cleaner },
  );
  if (made.supersedes.length > 0) await recount(workspace, now);
  const saved = { ...written, id: `${label}${written.id}` };
  const near = (await nearSaved(workspace, cache, record)).map((one) => ({ ...one, id: `${label}${one.id}` }));
  const path = `${folder}/${saved.path}`;
  const advice = adviceOn({ ...saved, redacted: hasRedacted() }, near, shortened(clean, made));
  return {
    text: [savedLine(saved, path), ...near.map(nearLine), ...advice].join('\n'),
    // Some hosts show their model this instead of the text.
    data: { id: saved.id, path, created: saved.created, near, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}

function nearLine({ id, title, reverses }: Near): string {
  // What contradicts is often the title, which the line has already.
  const says = reverses && reverses.earlier !== title ? `, which says: “${reverses.earlier}”` : '';
  const said = reverses && ` (this seems to reverse it${says}; if so, mark it: supersede ${id})`;
  return `near: ${id} ${title}${said ?? ''}`;
}

/** The line that says where a record was written, or already was. */
export function savedLine({ id, created }: Saved, path: string): string {
  return created ? `Saved ${id}: ${path}` : `${id} was there already: ${path}`;
}

/** Throws bad-input for a meaningless title. */
export function refuseTitle(title: string, kind: keyof typeof ADVICE): void {
  const problem = titleProblem(title, ADVICE[kind]);
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

function within({ type = 'change', narrative = '', facts = [], concepts = [], ...given }: Given) {
  const { title, subtitle, files_modified = [], files_read = [] } = given;
  const content = { type, title, narrative, facts, concepts, files_modified, files_read };
  return withinLimits({ ...content, ...(subtitle && { subtitle }) });
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
