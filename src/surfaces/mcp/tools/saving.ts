import { writeMark } from '../../../capture/by-hand/mark.ts';
import { citedPath, missingFiles, noticing, type Saved, save } from '../../../capture/by-hand/save.ts';
import { saveSummary } from '../../../capture/by-hand/save-summary.ts';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { askingSession } from '../../../capture/by-hand/tainted-session.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { inputsOfSession } from '../../../capture/drain/inputs.ts';
import { typeMeant, typesOf } from '../../../capture/extract/mode.ts';
import { sessionStore } from '../../../config.ts';
import { GitMemError } from '../../../errors.ts';
import { withCache } from '../../../index/cache.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import { isShortened, withinLimits } from '../../../memory/clamp.ts';
import { PERSONAL, PERSONAL_TYPES, personalIds } from '../../../memory/store/personal.ts';
import { ADVICE, titleProblem } from '../../../memory/telling-title.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, idProblems, readRecords } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { nearRecords } from '../../../search/near.ts';
import { joinsCommit } from '../../../setup/git-hooks.ts';
import { type Answer, type Call, titleOf } from '../answer.ts';
import { type Arguments, NOTHING_SAVED } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

type Given = Arguments<'save_observation'>;

/** Writes an observation, cut to a record's limits, to the store of captured records or the user's personal one. */
export async function saveObservation(repository: Repository, given: Given, { now, caller }: Call): Promise<Answer> {
  const here = repository.project;
  const { config } = here.config();
  const agent = agentBehindCall(here.workspace, caller);
  const inputs = await inputsOfSession(here.workspace, agent);
  const isPersonal = given.scope === PERSONAL;
  // A personal record waits in this repository if its session took something in.
  const personal = isPersonal && inputs.length === 0 ? openPersonal(here.workspace.env) : undefined;
  const { workspace } = personal ?? here;
  const { root } = workspace.checkout;
  // It carries nothing of the repository in which it was said: neither files nor a session.
  const { by, ...session } = personal ? { by: agent.by } : agent;
  const settings = [config, ...(personal ? [personal.config().config] : [])];
  const { cleaner, hasRedacted } = noticing(createCleaner(settings.flatMap(({ privacy }) => privacy.redact)));
  const types = isPersonal ? PERSONAL_TYPES : typesOf(config);
  const type = typeMeant(given.type, types, isPersonal ? PERSONAL_TYPES[0] : 'change');
  const { notes, ...cited } = citedIn([root, repository.folder], personal ? {} : given, type);
  // Before anything is cut, because half a key is no longer recognized as one.
  const clean = await cleaned({ ...given, ...cited, type }, (text) => cleaner.text(text));
  const label = personal ? `${PERSONAL}:` : '';
  const replaced = given.supersedes?.map((id) => (id.startsWith(label) ? id.slice(label.length) : id)) ?? [];
  const made = { ...within(clean), supersedes: fullIds(workspace, replaced) };
  const content = { ...made, ...session, extractor: 'agent', ...(!personal && { inputs }) };
  const store = personal ? 'team' : sessionStore(config);
  const making = { store, holds: isPersonal && !personal, maker: { by }, now, cwd: root, cleaner } as const;
  const { record, waits, ...written } = await save(workspace, content, making);
  noteWhole(workspace.layout.state, session.session, [written.id]);
  const saved = { id: `${label}${written.id}`, created: written.created };
  const cache = personal ? repository.others.of(workspace) : repository.cache;
  const found = waits ? [] : await nearRecords(workspace, cache, record);
  const near = found.map((one) => ({ ...one, id: `${label}${one.id}` }));
  const path = `${foldersOf(workspace, personal !== undefined)[written.store]}/${written.path}`;
  const joins = waits || personal ? undefined : await joinsCommit(workspace, config);
  const advice = [
    waits,
    !waits && made.supersedes.length > 0 && `It replaces ${made.supersedes.join(', ')}.`,
    given.type !== undefined && given.type !== type && `Saved as type ${type}.`,
    ...notes,
    ...missingFiles(root, record),
    near.length > 0 &&
      `Where a near record is wrong now, call mark with type "supersede", ids [its id], by "${saved.id}"; where it says the same, retire "${saved.id}"; where only a part of it is outdated, save the whole of it, corrected, with supersedes. Else leave it.`,
    ...adviceOnText({ cut: shortened(clean, made), redacted: hasRedacted() }),
  ].filter((line) => typeof line === 'string');
  const nearLines = near.map(({ id, title, text }) => `near: ${id} ${title}${text && `\n  ${text}`}`);
  return {
    text: [savedLine(saved, path, joins), ...nearLines, ...advice].join('\n'),
    // Some hosts show their model this instead of the text.
    data: { ...saved, path, near, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}

/** The files that a record cites; a rule modifies none. Files outside the repository are left out: nobody else has them. */
function citedIn(
  [root, cwd]: readonly [string, string],
  { files = [], files_modified = [], files_read = [] }: Partial<Given>,
  type: string,
) {
  const outside: string[] = [];
  const cited = (paths: string[]) =>
    paths.flatMap((path) => {
      const found = citedPath(root, cwd, path);
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

/** The line that says where a record was written, and what becomes of the file, or where it already was. */
function savedLine({ id, created }: Pick<Saved, 'id' | 'created'>, path: string, joins?: boolean): string {
  const fate = joins === undefined ? '' : `, which ${joins ? 'joins your next commit' : 'you commit with your work'}`;
  return created ? `Saved ${id}: ${path}${fate}. Edit that file to correct it.` : `${id} already existed: ${path}`;
}

/** Why a call cannot be saved, besides what the schema refuses: an agent should hear all of it at once. */
export function problemsIn({ project: { workspace } }: Repository, given: Record<string, unknown>): string[] {
  const { title, supersedes, scope } = given;
  // About a person, two words may say it all.
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

/** Notes on how a text changed between the call and the record. */
function adviceOnText({ cut, redacted }: { cut: string[]; redacted: boolean }): string[] {
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

/** Writes the agent's summary for the next session: it replaces the one that would be derived. */
export async function saveSessionSummary(
  { project: { workspace, config: load }, folder }: Repository,
  given: Arguments<'save_summary'>,
  { now, caller }: Call,
): Promise<Answer> {
  const { config } = load();
  const { title, completed = '', next_steps = '', learned = '', files_edited: files = [] } = given;
  const isEmpty = `${completed}${next_steps}${learned}`.trim() === '';
  const problems = [
    titleProblem(title, ADVICE.summary) ?? [],
    isEmpty ? 'The summary is empty: give completed, next_steps or learned.' : [],
  ].flat();
  if (problems.length > 0) throw new GitMemError('bad-input', problems.join(' '), { hint: NOTHING_SAVED });
  const store = sessionStore(config);
  const { files_modified: files_edited, notes } = citedIn([workspace.checkout.root, folder], { files }, 'change');
  const saved = await saveSummary(
    workspace,
    { title, completed, next_steps, learned, files_edited },
    { agent: agentBehindCall(workspace, caller), store, now, cleaner: createCleaner(config.privacy.redact) },
  );
  const path = `${foldersOf(workspace)[saved.store]}/${saved.path}`;
  const advice = [saved.waits ?? '', ...notes, ...adviceOnText(saved)].filter(Boolean);
  const joins = saved.waits ? undefined : await joinsCommit(workspace, config);
  return {
    text: [savedLine(saved, path, joins), ...advice].join('\n'),
    data: { id: saved.id, path, created: saved.created, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}

const DONE = { supersede: 'superseded', retire: 'retired', pin: 'pinned', verify: 'verified', undo: 'undone' } as const;

/** Marks records: one mark for all that are named. */
export async function markRecords({ project: here }: Repository, given: Arguments<'mark'>, { now, caller }: Call) {
  const { type, ids, by, reason = '' } = given;
  const named = [...ids, ...(by === undefined ? [] : [by])];
  const personal = personalIds(named);
  const { workspace, config } = personal ? openPersonal(here.workspace.env) : here;
  const full = fullIds(workspace, personal ?? named);
  const [targets, replacing] = [full.slice(0, ids.length), full[ids.length]];
  const marking = { type, targets, reason, ...(replacing !== undefined && { by: replacing }) };
  const cleaner = createCleaner(config().config.privacy.redact);
  const agent = agentBehindCall(here.workspace, caller);
  const making = { maker: { by: agent.by }, now, cleaner, asking: await askingSession(here.workspace, agent) };
  const { id, store, ...written } = await writeMark(workspace, marking, making);
  const path = `${foldersOf(workspace, personal !== undefined)[store]}/${written.path}`;
  const { found } = await withCache(workspace, (cache) => readRecords(workspace, cache, targets));
  const titles = found.map((one) => `${one.record.id} "${titleOf(one)}"`).join(', ');
  const already = written.created ? '' : ' (it already existed)';
  return {
    text: `${DONE[type]}: ${titles}${replacing ? ` by ${replacing}` : ''}. Mark ${id}${already}: ${path}`,
    data: { id, path, created: written.created },
  };
}
