import { GitMemError } from '../../errors.ts';
import { readHead } from '../../git/locate.ts';
import { parseMarkSlug } from '../../memory/file-name.ts';
import { requirePattern } from '../../memory/guard-pattern.ts';
import { idOf } from '../../memory/id.ts';
import { type Mark, type MarkType, oneLine, type StoreName } from '../../memory/record.ts';
import { held, release } from '../../memory/store/held.ts';
import type { Entry } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { marksNamed } from '../../provenance/lasting-marks.ts';
import { activeRedactions, retiredAmong, supersededAmong } from '../../provenance/redactions.ts';
import { anchorsOf } from '../../provenance/working-file.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanedHere } from '../drain/local-paths.ts';
import { isOfOthers } from '../drain/must-wait.ts';
import { generatedBy, type Maker } from './maker.ts';
import { type AskingSession, refuseTainted } from './tainted-session.ts';

/** A mark to be written. */
export interface Marking {
  type: MarkType;
  /** Full ids. For `undo`: marks, or records, which stand for the marks that are active on them now. */
  targets: string[];
  /** supersede: full id of the replacing record. */
  by?: string;
  reason: string;
  /** Where to write; without it, the team store if it holds any target, else the private one. */
  store?: StoreName;
  /** pin: before which edits and commands the record is shown, and whether the person is asked then. */
  guard?: Pick<Mark, 'guards' | 'asks'>;
  /** redact: the hashes that keep the text from being captured again, made by `redact.ts`. */
  hashed?: Pick<Mark, 'hashed_with' | 'hashes'>;
}

export interface MarkMaking {
  maker: Maker;
  now: Date;
  cleaner: Cleaner;
  /** The session of the agent that makes it. */
  asking?: AskingSession;
}

/** A mark that was written; `created` is false if it existed already. */
export interface Marked {
  id: string;
  path: string;
  store: StoreName;
  created: boolean;
}

/** The files of the records that a mark names, by id. */
type Places = Map<string, Entry[]>;

/**
 * Writes one mark, with secrets removed from its reason. The id is a hash of the content, so that making the same
 * mark twice writes it once, unless it was undone in between. Throws bad-input for a mark that has no effect, that
 * others could not follow, or with which an agent in a tainted session would change others' records; redacted if the
 * reason repeats redacted text; no-such-record.
 */
export async function writeMark(
  workspace: Workspace,
  { type, targets, by, reason, store, guard, hashed }: Marking,
  options: MarkMaking,
): Promise<Marked> {
  const distinct = [...new Set(targets)];
  requireSense(type, distinct, by);
  const { asking } = options;
  if (asking && type !== 'pin' && type !== 'verify' && isOfOthers(workspace, distinct, asking.session))
    refuseTainted(asking, `git mem ${[type, ...distinct, ...(by === undefined ? [] : ['--by', by])].join(' ')}`);
  const places = placesOf(workspace, by === undefined ? distinct : [...distinct, by]);
  if (type !== 'undo' && type !== 'redact') refuseMarks(type, distinct, places);
  await refuseRetired(workspace, { type, targets: distinct, by });
  if (type === 'pin' || type === 'verify') await refuseSuperseded(workspace, type, distinct);
  const named = type === 'undo' ? await marksToUndo(workspace, distinct) : distinct;
  // An undo of a team mark has to reach the team, even if a private record was named.
  const affected = type === 'undo' ? [...places, ...placesOf(workspace, named)] : [...places];
  const isOfTeam = affected.some(([id, entries]) => id !== by && liesIn('team', entries));
  const place = store ?? (isOfTeam ? 'team' : 'private');
  // The others would lose the old record and never see the new one.
  if (place === 'team' && by !== undefined && !liesIn('team', places.get(by)))
    refuse(
      `${by} is in the private store, which the others do not have.`,
      `\`git mem promote ${by}\` first, then try again.`,
    );
  if (guard) requireGuards(distinct, place, places);
  const cleanReason = (await cleanedHere(options.cleaner, workspace).text(reason)).trim();
  if (!(await activeRedactions(workspace)).isFree(cleanReason))
    throw new GitMemError('redacted', `The reason to ${type} repeats what was redacted.`, {
      hint: 'Give the reason without those words: it is kept with the mark.',
    });
  const guarding = guard && (await cleanGuard(guard, options.cleaner));
  const seen = type === 'verify' ? filesSeen(workspace, places) : undefined;
  const said = [type, [...named].sort(), by ?? '', cleanReason, guarding, seen].filter((part) => part !== undefined);
  const id = await freeId(workspace, said);
  const { path, created } = workspace.stores[place].put({
    id,
    kind: 'mark',
    type,
    targets: named,
    ...(by !== undefined && { by }),
    ...hashed,
    ...guarding,
    ...seen,
    ...readHead(workspace.checkout),
    generated: await generatedBy(options.maker, options.now, options.cleaner),
    reason: cleanReason,
  });
  // Intended: held copies of these records must not come back.
  if (type === 'retire' || type === 'redact') {
    const { layout, format } = workspace;
    const copies = held(layout.state, format).entries.filter((entry) => named.includes(entry.id));
    release(layout.state, copies);
  }
  return { id, path, store: place, created };
}

/** A guard's patterns, cleaned, distinct and sorted; throws bad-input for one that guards everything. */
async function cleanGuard({ guards = [], asks }: NonNullable<Marking['guard']>, cleaner: Cleaner) {
  for (const pattern of guards) requirePattern(pattern);
  const cleaned = await Promise.all(guards.map((pattern) => cleaner.text(oneLine(pattern))));
  return { guards: [...new Set(cleaned)].sort(), ...(asks && { asks }) };
}

/** The anchored files of these records as they are now; undefined if there are none. A later change makes them stale again. */
function filesSeen({ stores, checkout, format }: Workspace, places: Places): Pick<Mark, 'anchors'> | undefined {
  const records = [...places.values()].flat().map((entry) => stores[entry.store].read(entry).record);
  const paths = records.flatMap((record) => (record.kind === 'observation' ? Object.keys(record.anchors) : []));
  const anchors = anchorsOf(checkout.root, [...new Set(paths)].sort(), format);
  return Object.keys(anchors).length > 0 ? { anchors } : undefined;
}

/** Only what the team has can be reviewed, and only reviewed observations guard. */
function requireGuards(targets: string[], place: StoreName, places: Places): void {
  const other = targets.find((id) => !places.get(id)?.some(({ kind }) => kind === 'observation'));
  if (other !== undefined) refuse(`${other} is not an observation, and only observations guard.`);
  const lone = targets.find((id) => place !== 'team' || !liesIn('team', places.get(id)));
  if (lone !== undefined)
    refuse(`${lone} is in the private store, and only reviewed records guard.`, `\`git mem promote ${lone}\` first.`);
}

function requireSense(type: MarkType, targets: string[], by: string | undefined): void {
  if (targets.length === 0) refuse(`There is nothing to ${type}.`, 'Give an id.');
  if (type !== 'supersede' && by !== undefined)
    refuse(`"by" means nothing to ${type}.`, 'Only supersede names the record that takes the place of others.');
  if (type !== 'supersede') return;
  if (by === undefined)
    refuse(
      'What supersedes these records is missing.',
      'Give the id of the newer record as "by", or retire what nothing replaces.',
    );
  if (targets.includes(by)) refuse(`${by} cannot supersede itself.`);
}

function refuse(message: string, hint?: string): never {
  throw new GitMemError('bad-input', message, hint === undefined ? {} : { hint });
}

/** Every file of these records; throws no-such-record. */
function placesOf({ stores }: Workspace, ids: string[]): Places {
  const places: Places = new Map(ids.map((id) => [id, []]));
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) places.get(entry.id)?.push(entry);
  }
  const missing = ids.find((id) => places.get(id)?.length === 0);
  if (missing === undefined) return places;
  throw new GitMemError('no-such-record', `No record has the id ${missing}.`, {
    hint: '`git mem list --all` shows them.',
  });
}

function liesIn(store: StoreName, entries: Entry[] = []): boolean {
  return entries.some((entry) => entry.store === store);
}

function refuseMarks(type: MarkType, targets: string[], places: Places): void {
  const mark = targets.find((id) => places.get(id)?.some(({ kind }) => kind === 'mark'));
  if (mark !== undefined)
    refuse(`${mark} is a mark; there is nothing to ${type}.`, `\`git mem undo ${mark}\` takes it back.`);
}

/** A retired record is not injected: pin or verify would do nothing, and as a successor it would hide the old one. */
async function refuseRetired(
  workspace: Workspace,
  { type, targets, by }: { type: MarkType; targets: string[]; by: string | undefined },
): Promise<void> {
  if (type !== 'pin' && type !== 'verify' && type !== 'supersede') return;
  // A retired record may still be superseded: this restores a record that it replaced by mistake.
  const [retired] = await retiredAmong(workspace, type === 'supersede' ? [by ?? ''] : targets);
  if (retired === undefined) return;
  const what = type === 'supersede' ? 'it cannot take the place of others' : `there is nothing to ${type}`;
  refuse(
    `${retired} is retired; ${what}.`,
    `If it holds again, \`git mem undo ${retired}\` takes back every mark on it; then mark this again.`,
  );
}

/** A superseded record is not injected either; what replaced it is the one to mark. */
async function refuseSuperseded(workspace: Workspace, type: MarkType, targets: string[]): Promise<void> {
  const found = await supersededAmong(workspace, targets);
  if (found === undefined) return;
  const { id, by } = found;
  refuse(
    `${id} is superseded by ${by.join(', ')}; there is nothing to ${type}.`,
    `\`git mem ${type} ${by.join(' ')}\` marks what replaced it.`,
  );
}

/**
 * The marks that an undo takes back. The undo names these marks and never the record, because a later mark on the record has to
 * count again, and marks are evaluated in no particular order.
 */
async function marksToUndo(workspace: Workspace, targets: string[]): Promise<string[]> {
  const marks = await readMarks(workspace, (type) => type !== 'undo');
  const undone = await undoneIds(workspace);
  const named = targets.flatMap((target) => {
    const isMark = marks.some(({ id }) => id === target);
    return isMark ? target : marks.filter((mark) => mark.targets.includes(target)).map(({ id }) => id);
  });
  const active = [...new Set(named)].filter((id) => !undone.has(id));
  if (active.length > 0) return active;
  return refuse(
    `No mark is active on ${targets.join(', ')}: there is nothing to undo.`,
    'Only marks can be undone: supersede, retire, pin, verify, redact.',
  );
}

/** The content's id, or the next one if a mark with that id has been undone: an undo cannot be undone. */
async function freeId(workspace: Workspace, content: unknown[]): Promise<string> {
  const undone = await undoneIds(workspace);
  for (let round = 0; ; round++) {
    const id = idOf(JSON.stringify(round === 0 ? content : [...content, round]));
    if (!undone.has(id)) return id;
  }
}

async function undoneIds(workspace: Workspace): Promise<Set<string>> {
  const undos = await readMarks(workspace, (type) => type === 'undo');
  return new Set(undos.flatMap(({ targets }) => targets));
}

/** Marks of the wanted types; a file's name may not tell its mark's type. */
async function readMarks(workspace: Workspace, isType: (type: string) => boolean): Promise<Mark[]> {
  const found = await marksNamed(workspace, (slug) => {
    const named = parseMarkSlug(slug);
    return named === undefined || isType(named.type);
  });
  return found.flatMap(({ record }) => (record.kind === 'mark' && isType(record.type) ? [record] : []));
}
