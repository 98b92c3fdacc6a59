import type { Config } from '../../config.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import { readHead } from '../../git/locate.ts';
import { treeFiles } from '../../git/objects.ts';
import { existsSync } from '../../looks.ts';
import { isHidden } from '../../memory/marks.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { changedSentence } from '../../provenance/hand-edits.ts';
import { editedSentence } from '../../provenance/untracked.ts';
import { isWaiting, tokensOf } from '../../records/annotate.ts';
import { type Briefing, type BriefingOptions, brief } from './briefing.ts';
import type { Source } from './briefing-lines.ts';
import { type Candidates, newestCandidates } from './candidates.ts';
import { MAX_CHARS } from './fence.ts';
import { withFewMonths } from './newest.ts';
import type { PersonalPart } from './personal.ts';

export interface SessionBriefingOptions {
  source?: Source;
  /** The agent's own session. */
  session?: string;
  /** The session is resumed without what it was told when it started. */
  isAnew?: boolean;
  /** resume: time of that session's last event (ISO 8601), if known. */
  since?: string;
  /** resume: the records that it knows. */
  known?: ReadonlySet<string>;
  /** Limits other than the configured ones. */
  tokens?: number;
  observations?: number;
  summaries?: number;
  /** Without what the user told about themselves. */
  isImpersonal?: boolean;
  notice?: string | undefined;
  /** The line that asks the agent to save; added if it fits the budget. */
  request?: string;
  /** How the agent reads more: by the tools of our MCP server, or by commands. */
  reads?: BriefingOptions['reads'];
}

/** The text injected into a starting session, from the files alone: uses neither the cache nor a provider. */
export async function sessionBriefing(
  checkout: Workspace,
  { briefing, trust, capture }: Pick<Config, 'briefing' | 'trust' | 'capture'>,
  {
    source = 'startup',
    session,
    isAnew = false,
    since,
    known,
    tokens,
    observations,
    summaries,
    isImpersonal = false,
    notice,
    request: wanted = '',
    reads = 'command',
  }: SessionBriefingOptions,
): Promise<Briefing> {
  const workspace = await withFewMonths(checkout);
  const injectUnreviewed = trust.inject_unreviewed;
  const found = await newestCandidates(workspace, { injectUnreviewed });
  const waiting = capture.destination === 'inbox' ? found.candidates.filter(isWaiting).length : 0;
  // A resumed session got them when it started.
  const notices =
    source === 'resume'
      ? []
      : [
          ...(await noticesOf(workspace, unreviewedIn(found))),
          ...(found.changed.length > 0 ? [changedSentence(found.changed)] : []),
          ...(notice ? [notice] : []),
          ...(found.edited > 0 ? [editedSentence(found.edited)] : []),
          ...waitingNotice(waiting),
        ];
  const budget = tokens ?? briefing.tokens;
  const request = tokensOf(wanted) <= budget ? wanted : '';
  // A past commit is asked about alone, and a resumed session was told.
  const personal =
    checkout.at === undefined && source !== 'resume' && !isImpersonal
      ? await personalOf(checkout, budget - tokensOf(request))
      : undefined;
  const { branch } = readHead(checkout.checkout);
  const options = {
    source,
    ...(session && { session }),
    isAnew,
    ...(since && { since }),
    ...(known && { known }),
    changedFiles: found.changedFiles,
    ...(branch !== undefined && { branch }),
    tokens: Math.min(budget, MAX_CHARS / 4) - tokensOf(request) - tokensOf(personal?.text ?? ''),
    reads,
    observations: observations ?? briefing.observations,
    summaries: summaries ?? briefing.summaries,
    injectUnreviewed,
    notices,
  };
  const made = {
    ...brief(found.candidates, options, { ...found, isCut: workspace !== checkout }),
    ...(waiting > 0 && { waiting }),
  };
  const isFirst = made.text === '' && source !== 'resume' && budget > 0;
  const empty = isFirst && isEmpty(checkout) ? EMPTY : '';
  if (request === '' && personal === undefined && empty === '') return made;
  const text = [personal?.text, made.text, empty, request].filter(Boolean).join('\n');
  return {
    ...made,
    text,
    tokens: tokensOf(text),
    records: [...(personal?.records ?? []), ...made.records],
    dropped: [...(personal?.dropped ?? []), ...made.dropped],
    ...(request !== '' && { request }),
  };
}

/** Tells an agent that it need not search. */
const EMPTY = "git-mem: this repository's memory is empty so far; there is nothing to search.";

function isEmpty({ stores, layout }: Workspace): boolean {
  if (!existsSync(layout.memory)) return false;
  const kinds = ['observation', 'summary'] as const;
  return [stores.team, stores.private].every((store) => kinds.every((kind) => store.newest(kind).next().done === true));
}

/** Says how many of the newest records wait for a person. */
function waitingNotice(count: number): string[] {
  if (count === 0) return [];
  return [`${count === 1 ? '1 record waits' : `${count} records wait`} for a person to accept: \`git mem inbox\`.`];
}

/** Most users have no personal store: what reads it is loaded for those who do. */
async function personalOf(workspace: Workspace, tokens: number): Promise<PersonalPart | undefined> {
  if (personalCheckout(workspace.env) === undefined) return undefined;
  return (await import('./personal.ts')).personalPart(workspace, tokens);
}

function unreviewedIn({ untrusted }: Candidates): number {
  return untrusted.filter(({ state, trust }) => trust === 'unreviewed' && !isHidden(state)).length;
}

/**
 * Warnings for people before they rely on injected text: nothing counts as reviewed, or the branch lacks all reviewed
 * records. `unreviewed` is how many records are left out. Asks git only if the checkout has no record.
 */
async function noticesOf(workspace: Workspace, unreviewed: number): Promise<string[]> {
  const { checkout, env, stores, at } = workspace;
  if (at !== undefined) return [];
  const { ref, remote, command } = reviewedBranch(workspace);
  if (ref === undefined) {
    const fork = remote === 'upstream' ? ' (the clone of a fork)' : '';
    return unreviewed === 0
      ? []
      : [`No branch counts as reviewed here${fork}; a person can settle it: \`${command}\`.`];
  }
  const { team } = stores;
  const hasAny = (kind: 'observation' | 'summary') => team.newest(kind).next().done !== true;
  if (hasAny('observation') || hasAny('summary')) return [];
  const folders = ['.memory/observations', '.memory/summaries'];
  const trees = await Promise.all(folders.map((folder) => treeFiles(checkout.root, ref, folder, env)));
  const count = trees.reduce((sum, tree) => sum + (tree?.length ?? 0), 0);
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return count === 0 ? [] : [`This checkout lacks all ${count} records of ${name}.`];
}
