import type { Checkout } from '../../git/locate.ts';
import { guardsCommand, guardsFile } from '../../memory/guard-pattern.ts';
import { idOf } from '../../memory/id.ts';
import { activeMarks, isHidden } from '../../memory/marks.ts';
import { decodable } from '../../memory/store/source.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { missingWords } from '../../provenance/freshness.ts';
import { lastingMarks } from '../../provenance/lasting-marks.ts';
import { loadSettings } from '../../provenance/settings.ts';
import { isTrusted, reviewedTrees, withReviewedText, withTrust } from '../../provenance/trust.ts';
import { annotate } from '../../records/annotate.ts';
import { statesOf } from '../../records/judgement.ts';
import type { Environment } from '../../user-folders.ts';
import { filesReplacing, noteCitations } from '../briefing/citations.ts';
import { cleanLine } from '../briefing/fence.ts';
import { filesWithIds, marksOf } from '../briefing/marks.ts';
import { withFewMonths } from '../briefing/newest.ts';
import { repositoryPaths } from './file-recall.ts';
import type { Guard } from './guard-note.ts';
import { guardsIn } from './guards.ts';
import { noteInjected, readInjected, wholeReader } from './injected.ts';
import { withPatience } from './patience.ts';
import { type Recalled, recallText } from './recall-text.ts';

/** A call that guards may be about: what it changes and runs. */
export interface Guarded {
  session: string;
  /** The session, or the sub-agent in it. */
  reader: string;
  cwd: string;
  /** Changed files, absolute or relative to `cwd`. */
  paths: readonly string[];
  /** Its command line, split into simple commands. */
  commands: readonly string[];
  /** Whether the client would ask a person about the call. */
  isAttended: boolean;
}

/** The text for the model and, if the person should be asked, the reason to show them. */
export interface GuardReply {
  text: string;
  ask?: string;
}

/** Most guarding records told for one call: the agent should read all of them first. */
const MOST = 3;

/** Room for that many whole narratives, in tokens. */
const TOKENS = 800;

const NOTHING: GuardReply = { text: '' };

/** A guard that applies to a call, with the pattern that matches. */
type Met = Guard & { pattern: string };

/**
 * The reviewed records that guard a call: each once per reader and pattern, and none that the agent knows whole, except
 * where the person is asked (once per session). Usually empty; also if this takes too long or anything fails. What a
 * start or a prompt told in one line is told again, because now it counts.
 */
export async function guardReply(checkout: Checkout, call: Guarded, env: Environment): Promise<GuardReply> {
  const workspace = workspaceOf(checkout, env);
  return withPatience(workspace, 'guard', NOTHING, () => guard(workspace, call));
}

async function guard(workspace: Workspace, call: Guarded): Promise<GuardReply> {
  const { layout, checkout } = workspace;
  const met = meets(await guardsIn(workspace), call, checkout.root);
  const { recall } = met.length === 0 ? { recall: undefined } : loadSettings(workspace).config;
  if (!recall?.read || recall.tokens === 0) return NOTHING;
  const records = (await guarding(await withFewMonths(workspace), met)).slice(0, MOST);
  const { state } = layout;
  const whole = wholeReader(call.reader);
  const { ids: known } = readInjected(state, whole);
  const unread = records.filter(({ record }) => !known.has(record.id)).map(keyOf);
  const asking = records.filter(({ by }) => call.isAttended && by.asks).map(keyOf);
  const said = new Set(unread.length === 0 ? [] : noteInjected(state, whole, unread));
  const asked = new Set(asking.length === 0 ? [] : noteInjected(state, `${call.session} asked`, asking));
  const wanted = records.filter((one) => said.has(keyOf(one)) || asked.has(keyOf(one)));
  if (wanted.length === 0) return NOTHING;
  const { text, ids: fitting } = recallText(wanted, 'guard', TOKENS);
  // So that recall does not inject these records a second time.
  noteInjected(state, call.reader, fitting);
  const reasons = wanted
    .filter((one) => asked.has(keyOf(one)))
    .map(({ record, by }) => cleanLine(`git-mem: ${record.title} (record ${record.id} guards ${by.pattern}).`));
  return { text, ...(reasons.length > 0 && { ask: reasons.join(' ') }) };
}

/** Stands for a record and a pattern of its guard: it is told once for each. */
function keyOf({ record, by }: Guarding): string {
  return `${record.id}~${idOf(by.pattern)}`;
}

function meets(guards: readonly Guard[], call: Guarded, root: string): Met[] {
  if (guards.length === 0) return [];
  const paths = repositoryPaths(root, call);
  return guards.flatMap((one) => {
    const pattern = one.patterns.find(
      (wanted) =>
        paths.some((path) => guardsFile(wanted, path)) ||
        call.commands.some((command) => guardsCommand(wanted, command)),
    );
    return pattern === undefined ? [] : [{ ...one, pattern }];
  });
}

/** A record to tell, and the guard because of which it is told. */
type Guarding = Recalled & { by: Met };

/**
 * The reviewed records behind these guards, if they are active and the guard's mark is active on them. Of a record
 * edited since its review, the reviewed text is told until the edit is reviewed too.
 */
async function guarding(workspace: Workspace, met: Met[]): Promise<Guarding[]> {
  const ids = new Set(met.flatMap(({ targets }) => targets));
  const branches = await reviewedTrees(workspace);
  noteCitations(workspace);
  const marks = await marksOf(workspace, lastingMarks(workspace, branches))(ids, true);
  const files = [...filesWithIds(workspace, ids), ...marks, ...filesReplacing(workspace, ids)];
  const levels = await withTrust(files, workspace, { branches, signatures: false });
  const judged = (await withReviewedText(levels, workspace, branches)).flatMap((file) => decodable(file) ?? []);
  const trusted = judged.filter(({ trust }) => isTrusted(trust));
  const states = statesOf(trusted);
  const reviewed = judged.filter(({ trust }) => trust === 'reviewed' || trust === 'edited');
  // Any trusted undo ends a guard.
  const pins = activeMarks(trusted.flatMap(({ record }) => (record.kind === 'mark' ? [record] : [])));
  const guardOf = (id: string) => {
    const isActive = ({ mark }: Met) => pins.some((pin) => pin.id === mark && pin.targets.includes(id));
    const guards = met.filter(isActive);
    return guards.find(({ asks }) => asks) ?? guards[0];
  };
  const pool = reviewed.filter(({ record }) => !isHidden(states.of(record.id)));
  const annotated = await annotate(workspace, pool, states, { isHook: true });
  return annotated.flatMap(({ record, missing, state }) => {
    const by = guardOf(record.id);
    if (by === undefined || record.kind !== 'observation' || isHidden(state)) return [];
    const notes = [`guards ${by.pattern}`, missingWords(missing)].filter(Boolean);
    const snippet = [record.narrative, ...record.facts].filter(Boolean).join(' ');
    return [{ record, snippet, notes, by }];
  });
}
