import type { Config } from '../../config.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import { readHead } from '../../git/locate.ts';
import { treeFiles } from '../../git/objects.ts';
import { existsSync } from '../../looks.ts';
import { isHidden } from '../../memory/marks.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import { entryAt } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { changedSentence } from '../../provenance/hand-edits.ts';
import { editedSentence } from '../../provenance/untracked.ts';
import { isWaiting, tokensOf } from '../../records/annotate.ts';
import { type Briefing, type BriefingOptions, brief } from './briefing.ts';
import { newestCandidates } from './candidates.ts';
import { MAX_CHARS } from './fence.ts';
import { withFewMonths } from './newest.ts';
import type { PersonalPart } from './personal.ts';

type Given = 'source' | 'session' | 'isAnew' | 'since' | 'known' | 'tokens' | 'observations' | 'summaries' | 'reads';

/** What a caller asks of a briefing; limits only where they differ from the configured ones. */
export interface SessionBriefingOptions extends Partial<Pick<BriefingOptions, Given>> {
  /** Leaves out what the user told about themselves. */
  isImpersonal?: boolean;
  notice?: string | undefined;
  /** The line that asks the agent to save, added if it fits into the budget. */
  request?: string;
}

/** Makes the text injected into a starting session, from files and git: needs no search index and no model provider. */
export async function sessionBriefing(
  checkout: Workspace,
  { briefing, trust, capture }: Pick<Config, 'briefing' | 'trust' | 'capture'>,
  { isImpersonal = false, notice, request: wanted = '', ...given }: SessionBriefingOptions,
): Promise<Briefing> {
  const { source = 'startup' } = given;
  const workspace = await withFewMonths(checkout);
  const injectUnreviewed = trust.inject_unreviewed;
  const found = await newestCandidates(workspace, { injectUnreviewed });
  const waiting = capture.destination === 'inbox' ? found.candidates.filter(isWaiting).length : 0;
  const left = found.untrusted.filter(({ state, trust }) => trust === 'unreviewed' && !isHidden(state));
  // A resumed session was given these when it started.
  const notices =
    source === 'resume'
      ? []
      : [
          ...(await noticesOf(workspace, left.length)),
          ...(found.changed.length > 0 ? [changedSentence(found.changed)] : []),
          ...(notice ? [notice] : []),
          ...(found.edited > 0 ? [editedSentence(found.edited)] : []),
          ...(waiting > 0
            ? [
                `${waiting === 1 ? '1 record waits' : `${waiting} records wait`} for a person to accept: \`git mem inbox\`.`,
              ]
            : []),
        ];
  const budget = given.tokens ?? briefing.tokens;
  const request = tokensOf(wanted) <= budget ? wanted : '';
  // Left out of the memory of a past commit, and for resumed sessions, which have it already.
  const personal =
    checkout.at === undefined && source !== 'resume' && !isImpersonal
      ? await personalOf(checkout, budget - tokensOf(request))
      : undefined;
  const { branch } = readHead(checkout.checkout);
  const options = {
    ...briefing,
    ...given,
    source,
    changedFiles: found.changedFiles,
    ...(branch !== undefined && { branch }),
    tokens: Math.min(budget, MAX_CHARS / 4) - tokensOf(request) - tokensOf(personal?.text ?? ''),
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

/** Tells the agent that it need not search. */
const EMPTY = "git-mem: this repository's memory is empty so far; there is nothing to search.";

function isEmpty({ stores, layout }: Workspace): boolean {
  return existsSync(layout.memory) && ![stores.team, stores.private].some(hasAny);
}

function hasAny({ name, files, folders }: Store): boolean {
  const isRecord = (path: string) => entryAt(name, path) !== undefined;
  return folders('observation', 'summary').some((folder) =>
    files.names(folder).some((file) => isRecord(`${folder}/${file}`)),
  );
}

/** Most users have no personal store, so the code that reads one is loaded only for those who do. */
async function personalOf(workspace: Workspace, tokens: number): Promise<PersonalPart | undefined> {
  if (personalCheckout(workspace.env) === undefined) return undefined;
  return (await import('./personal.ts')).personalPart(workspace, tokens);
}

/**
 * Warnings for people before they rely on injected text: no branch counts as reviewed, or the checkout lacks all
 * reviewed records. `unreviewed` is how many records are left out. Asks git only if the checkout has no records.
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
  if (hasAny(stores.team)) return [];
  const files = await treeFiles(checkout.root, ref, ['.memory/observations', '.memory/summaries'], env);
  const count = files?.length ?? 0;
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return count === 0 ? [] : [`This checkout lacks all ${count} records of ${name}.`];
}
