import { citedPath, missingFiles, noticing, type Saved, save } from '../../../capture/by-hand/save.ts';
import { agentBehindCall, type SavingAgent } from '../../../capture/by-hand/saving-agent.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { inputsOfSession } from '../../../capture/drain/inputs.ts';
import { typeMeant, typesOf } from '../../../capture/extract/mode.ts';
import { sessionStore } from '../../../config.ts';
import type { Cache } from '../../../index/cache.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import { isShortened, withinLimits } from '../../../memory/clamp.ts';
import type { StoreName } from '../../../memory/record.ts';
import { PERSONAL, PERSONAL_TYPES } from '../../../memory/store/personal.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { ADVICE, titleProblem } from '../../../memory/telling-title.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, idProblems } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Near, nearRecords } from '../../../search/near.ts';
import { joinsCommit } from '../../../setup/git-hooks.ts';
import type { Answer, Call } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

type Given = Arguments<'save_observation'>;

/** Writes an observation, cut to a record's limits, to the store of captured records or the user's personal one. */
export async function saveObservation(repository: Repository, given: Given, { now, caller }: Call): Promise<Answer> {
  const { project, folder: cwd, cache, others } = repository;
  const { workspace } = project;
  const { config } = project.config();
  const agent = agentBehindCall(workspace, caller);
  const inputs = await inputsOfSession(workspace, agent);
  if (given.scope === PERSONAL && inputs.length === 0) {
    const own = openPersonal(workspace.env);
    const target: Target = {
      workspace: own.workspace,
      cwd: own.workspace.checkout.root,
      cache: others.of(own.workspace),
      store: 'team',
      folders: { ...foldersOf(own.workspace), team: own.workspace.layout.memory },
      label: `${PERSONAL}:`,
      types: PERSONAL_TYPES,
      usual: PERSONAL_TYPES[0],
      patterns: [config, own.config().config].flatMap(({ privacy }) => privacy.redact),
      agent: { by: agent.by },
    };
    // It has nothing of the repository in which it was said: neither files nor a session.
    return saveIn(target, { ...given, files: [], files_modified: [], files_read: [] }, now);
  }
  const isPersonal = given.scope === PERSONAL;
  const types = isPersonal ? PERSONAL_TYPES : typesOf(config);
  const usual = isPersonal ? PERSONAL_TYPES[0] : 'change';
  const place = { workspace, cwd, cache, store: sessionStore(config), folders: foldersOf(workspace), label: '' };
  const how = { types, usual, patterns: config.privacy.redact, joins: await joinsCommit(workspace, config) };
  return saveIn({ ...place, ...how, agent, inputs, isPersonal }, given, now);
}

/** Where a record goes, and who saves it. */
interface Target {
  workspace: Workspace;
  /** Where its paths start. */
  cwd: string;
  cache: Cache;
  store: StoreName;
  /** The stores' folders, as they are shown, and what stands before its ids. */
  folders: Record<StoreName, string>;
  label: string;
  types: readonly string[];
  /** The type of a record that is sent without one, or with a word that means none of them. */
  usual: string;
  /** The patterns of `privacy.redact`. */
  patterns: string[];
  agent: SavingAgent;
  /** Whether it joins the next commit by itself; left out where it is never committed. */
  joins?: boolean | undefined;
  /** What the session took in before. */
  inputs?: string[];
  /** It is for the personal store, and waits here to be brought there. */
  isPersonal?: boolean;
}

async function saveIn(target: Target, given: Given, now: Date): Promise<Answer> {
  const { workspace, label, types, joins, inputs, isPersonal } = target;
  const { by, ...session } = target.agent;
  const { cleaner, hasRedacted } = noticing(createCleaner(target.patterns));
  const type = typeMeant(given.type, types, target.usual);
  const { files_modified, files_read, notes } = citedIn([workspace.checkout.root, target.cwd], given, type);
  // Before anything is cut, because half a key is no longer recognized as one.
  const clean = await cleaned({ ...given, files_modified, files_read, type }, (text) => cleaner.text(text));
  const replaced = given.supersedes?.map((id) => (id.startsWith(label) ? id.slice(label.length) : id)) ?? [];
  const made = { ...within(clean), supersedes: await fullIds(workspace, replaced) };
  const { record, ...written } = await save(
    workspace,
    { ...made, ...session, extractor: 'agent', ...(inputs && { inputs }) },
    { store: target.store, holds: isPersonal, maker: { by }, now, cwd: workspace.checkout.root, cleaner },
  );
  noteWhole(workspace.layout.state, session.session, [written.id]);
  const saved = { ...written, id: `${label}${written.id}` };
  const found = written.waits ? [] : await nearRecords(workspace, target.cache, record);
  const near = found.map((one) => ({ ...one, id: `${label}${one.id}` }));
  const path = `${target.folders[written.store]}/${saved.path}`;
  const advice = [
    ...(written.waits ? [written.waits] : []),
    ...(!written.waits && made.supersedes.length > 0 ? [`It replaces ${made.supersedes.join(', ')}.`] : []),
    ...(given.type !== undefined && given.type !== type ? [`Saved as type ${type}.`] : []),
    ...notes,
    ...missingFiles(workspace.checkout.root, record),
    ...adviceOn({ ...saved, redacted: hasRedacted() }, near, shortened(clean, made)),
  ];
  return {
    text: [savedLine(saved, path, written.waits ? undefined : joins), ...near.map(nearLine), ...advice].join('\n'),
    // Some hosts show their model this instead of the text.
    data: { id: saved.id, path, created: saved.created, near, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}

/** The files that a record cites; a rule modifies none. Left out are those outside the repository, which no one has. */
function citedIn(
  [root, cwd]: readonly [string, string],
  { files = [], files_modified = [], files_read = [] }: Given,
  type: string,
) {
  const outside: string[] = [];
  const cited = (paths: string[]) =>
    paths.flatMap((path) => {
      const found = citedPath(root, cwd, withoutLine(path));
      if (found === undefined) outside.push(path);
      return found ?? [];
    });
  const about = cited([...files_modified, ...files]);
  const read = cited(files_read);
  return {
    files_modified: type === 'rule' ? [] : about,
    files_read: type === 'rule' ? [...about, ...read] : read,
    notes: outside.length > 0 ? [`Left out, because it is not in this repository: ${outside.join(', ')}.`] : [],
  };
}

/** A path without the line numbers that may follow it: `src/a.ts:12-14`. */
function withoutLine(path: string): string {
  const colon = path.indexOf(':');
  return colon > 0 && /^[\d:,-]+$/.test(path.slice(colon + 1)) ? path.slice(0, colon) : path;
}

function nearLine({ id, title, text }: Near): string {
  return `near: ${id} ${title}${text && `\n  ${text}`}`;
}

/** The line that says where a record was written, and what becomes of the file, or where it already was. */
export function savedLine({ id, created }: Pick<Saved, 'id' | 'created'>, path: string, joins?: boolean): string {
  const fate = joins === undefined ? '' : `, which ${joins ? 'joins your next commit' : 'you commit with your work'}`;
  return created ? `Saved ${id}: ${path}${fate}. Edit that file to correct it.` : `${id} was there already: ${path}`;
}

/** What of a call cannot be saved, besides what the schema refuses: an agent is to hear all of it at once. */
export function problemsIn({ project: { workspace } }: Repository, given: Record<string, unknown>): string[] {
  const { title, supersedes, scope } = given;
  // Of a person two words may say it all.
  if (scope === PERSONAL) return [];
  const found = typeof title === 'string' ? titleProblem(title, ADVICE.observation) : undefined;
  return [...(found ? [found] : []), ...idProblems(workspace, Array.isArray(supersedes) ? supersedes : [])];
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

function within({ type = '', narrative = '', facts = [], concepts = [], ...given }: Given) {
  const { title, subtitle, files_modified = [], files_read = [] } = given;
  const content = { type, title, narrative, facts, concepts, files_modified, files_read };
  return withinLimits({ ...content, ...(subtitle && { subtitle }) });
}

function adviceOn({ id, redacted }: Saved, near: Near[], cut: string[]): string[] {
  return [
    near.length > 0 &&
      `Where a near record is wrong now, call mark with type "supersede", ids [its id], by "${id}"; where it says the same, retire "${id}"; where only a part of it is outdated, save the whole of it, corrected, with supersedes. Else leave it.`,
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
