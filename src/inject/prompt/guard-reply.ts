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

/** What a call changes and runs, and whether the client would ask a person about it. */
export interface Guarded {
  session: string;
  /** The session, or the sub-agent in it. */
  reader: string;
  cwd: string;
  /** Changed files, absolute or relative to `cwd`. */
  paths: readonly string[];
  /** The simple commands. */
  commands: readonly string[];
  isAttended: boolean;
}

/** The text for the model, and why the person is asked. */
export interface GuardReply {
  text: string;
  ask?: string;
}

/** Most records that one call is guarded by: the agent is to read all of them first. */
const MOST = 3;

/** Room for so many whole narratives, in tokens. */
const TOKENS = 800;

const NOTHING: GuardReply = { text: '' };

/** A guard that a call meets, with the pattern. */
type Met = Guard & { pattern: string };

/**
 * The reviewed records that guard a call, each once a session for each pattern and none that the agent has whole; nothing, as is usual, if
 * none does, or if anything fails. What a start or a prompt told in a line is said all the same: now it counts.
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
  // What bears on a file is not injected a second time.
  noteInjected(state, call.reader, fitting);
  const reasons = wanted
    .filter((one) => asked.has(keyOf(one)))
    .map(({ record, by }) => cleanLine(`git-mem: ${record.title} (record ${record.id} guards ${by.pattern}).`));
  return { text, ...(reasons.length > 0 && { ask: reasons.join(' ') }) };
}

/** A guard speaks once for each of its patterns. */
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

/** A record to say, and the guard that says it. */
type Guarding = Recalled & { by: Met };

/**
 * The reviewed records behind these guards, active and with the guard's mark active on them. One that was edited since
 * speaks as it was reviewed, until the edit is reviewed.
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
