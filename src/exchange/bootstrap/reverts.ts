import { plainSubject, readReapplication, readRevert } from '../../provenance/revert-words.ts';
import { createLookup, type Lookup, mergesOf, requestOf } from './commit-lookup.ts';
import { evidence, type Finding } from './finding.ts';
import { isHousekeeping } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { isNoise, isSource } from './path-kinds.ts';
import { namesCause, reasonIn } from './reasons.ts';
import { listed, titled } from './wording.ts';

/** A reverted change with its whole history. */
interface Story {
  /** Its subject; that of the first commit with the change, if known. */
  what: string;
  original: Commit | undefined;
  /** Oldest first: the commits that reverted and reapplied it. */
  events: { commit: Commit; isBack: boolean }[];
}

/** The weight of a revert without a reason, and how many of those are worth a record. */
const SILENT = 0.45;
const MOST_SILENT = 2;

/** What was reverted, by which commit, why, and whether it came back: one finding per change. */
export function findReverts(history: History): Finding[] {
  const mergeOf = mergesOf(history);
  const findings = storiesOf(history).flatMap((story) => findingOf(story, history, mergeOf) ?? []);
  const silent = findings.filter(({ weight }) => weight <= SILENT).sort((a, b) => b.weight - a.weight);
  return findings.filter((finding) => !silent.includes(finding) || silent.indexOf(finding) < MOST_SILENT);
}

/** Follows each revert to the original change, through reverts of reverts. */
function storiesOf(history: History): Story[] {
  const known = createLookup(history);
  const storyOf = new Map<string, Story>();
  const stories = new Map<string, Story>();
  for (const commit of [...history.commits, ...history.merges].sort((a, b) => b.order - a.order)) {
    const back = readRevert(commit);
    if (back === undefined) {
      const again = readReapplication(commit.subject) ?? commit.subject;
      const story = stories.get(plainSubject(again));
      // The same subject again: it was reapplied without saying so.
      if (story && story.original !== commit && story.events.at(-1)?.isBack)
        story.events.push({ commit, isBack: false });
      continue;
    }
    const target = targetOf(commit, back, known);
    const before = target && storyOf.get(target.id);
    if (before) {
      before.events.push({ commit, isBack: !before.events.some((event) => event.commit === target && event.isBack) });
      storyOf.set(commit.id, before);
      continue;
    }
    const isOfSeveral = new Set(back.ids).size > 1;
    if (back.subject === undefined ? target === undefined : target === undefined && !back.isQuoted) continue;
    const original = isOfSeveral ? undefined : target;
    const what = withoutMerge(original?.subject ?? back.subject ?? target?.subject ?? '');
    const story = stories.get(plainSubject(what)) ?? { what, original, events: [] };
    story.events.push({ commit, isBack: true });
    stories.set(plainSubject(what), story);
    storyOf.set(commit.id, story);
  }
  return [...stories.values()];
}

/** The commit that a revert undoes: by its id, by its pull request, or by its subject. */
function targetOf(
  commit: Commit,
  { ids, requests, subject }: NonNullable<ReturnType<typeof readRevert>>,
  known: Lookup,
): Commit | undefined {
  const own = requestOf(commit);
  const candidates = [
    ...ids.map((id) => known.byId(id)),
    ...(subject === undefined ? [] : [known.bySubject(subject, commit)]),
    ...requests.filter((request) => request !== own).map((request) => known.byRequest(request)),
  ];
  return candidates.find((one) => one !== undefined && one.order > commit.order);
}

/** A reason, and where it was found. */
interface Reason {
  commit: Commit;
  isMerge: boolean;
  text: string;
}

function reasonOf(events: Story['events'], mergeOf: ReturnType<typeof mergesOf>): Reason | undefined {
  for (const { commit } of events.filter(({ isBack }) => isBack).reverse()) {
    const text = reasonIn(commit.body);
    if (text) return { commit, isMerge: false, text };
    const merge = mergeOf(commit);
    // A pull request may do more than the revert: only one that mentions the revert gives its reason.
    const titled =
      merge && /\brevert|\bback(?:s|ed)? ?out|\broll(?:s|ed)? ?back/i.test(merge.body) ? reasonIn(merge.body) : '';
    if (merge && titled && plainSubject(titled) !== plainSubject(commit.subject)) {
      return { commit: merge, isMerge: true, text: titled };
    }
  }
  return undefined;
}

function findingOf(story: Story, history: History, mergeOf: ReturnType<typeof mergesOf>): Finding | undefined {
  const { what, original, events } = story;
  const back = events.findLast(({ isBack }) => isBack)?.commit;
  if (back === undefined) return undefined;
  const again = events.at(-1)?.isBack ? undefined : events.at(-1)?.commit;
  const reason = reasonOf(events, mergeOf);
  const files = (back.files.length > 0 ? back : (original ?? back)).files.filter(({ path }) => !isNoise(path));
  const names = files.map(({ name: path }) => path);
  const isMinor = isHousekeeping(what);
  const isOfCode = files.some(({ path }) => isSource(path));
  if (!isOfCode || (isMinor && !namesCause(reason?.text ?? ''))) return undefined;
  const isAlive = files.some(({ path }) => history.tree.has(path));
  // A change reverted the same day without explanation was a slip.
  if (!reason && original && Math.abs(back.seconds - original.seconds) < 86_400) return undefined;
  const years = (history.head.seconds - back.seconds) / (365.25 * 86_400);
  const weight =
    (reason ? 0.82 : SILENT) -
    (isAlive ? 0 : 0.3) -
    (again ? 0.15 : 0) -
    (isMinor ? 0.15 : 0) -
    Math.min(0.12, years / 60);
  const cited = [...new Set([original, reason?.commit, back, again])].filter((commit) => commit !== undefined);
  return {
    pattern: 'revert',
    subject: original?.id ?? plainSubject(what),
    support: events.length,
    weight,
    commits: cited,
    incident: [...cited.map(({ id }) => id), ...events.map(({ commit }) => commit.id)],
    textWith(cite) {
      const by = cite(back);
      const name = withoutMerge(original ? cite(original).subject : (readRevert(by)?.subject ?? by.subject));
      const source = reason?.isMerge ? `The pull request (merged by ${cite(reason.commit).shortId})` : 'Its message';
      const quoted = reason && reasonIn(cite(reason.commit).body);
      const sentences = [
        `${original ? `Commit ${cite(original).shortId} of ${cite(original).day}` : `"${name}"`} was taken back by ${by.shortId} on ${by.day}.`,
        quoted ? `${source} says: "${quoted}"` : 'The message gives no reason.',
        again && `${cite(again).shortId} of ${cite(again).day} applied it again.`,
        adviceOf(again ? cite(again).shortId : undefined, Boolean(quoted)),
      ];
      return {
        type: 'decision',
        title: titled(again ? 'Reverted, then applied again: ' : 'Reverted: ', name),
        narrative: sentences.filter(Boolean).join(' '),
        facts: [
          ...cited.map((commit) => evidence(cite(commit))),
          ...(names.length > 0 ? [`Files: ${listed(names, 4)}.`] : []),
        ],
        concepts: again ? ['revert', 'history'] : ['revert', 'gotcha'],
        files_modified: names,
        files_read: [],
      };
    },
  };
}

function adviceOf(again: string | undefined, hasReason: boolean): string {
  if (again) return `It is in force: before you change it, read what ${again} did differently.`;
  return hasReason
    ? 'Do not bring it back without an answer to that.'
    : 'Before you try it again, find out what went wrong the first time.';
}

/** The merged change rather than the merge: `pull request #12 (faster-queue)`. */
function withoutMerge(subject: string): string {
  return subject.replace(/^Merge pull request (#\d+) from [^/\s]+\/(\S+)$/, 'pull request $1 ($2)');
}
