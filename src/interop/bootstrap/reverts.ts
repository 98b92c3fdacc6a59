import { clampSentences } from '../../extract/clamp.ts';
import { oneLine } from '../../memory/record.ts';
import { evidence, type Finding } from './finding.ts';
import { isHousekeeping } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { isNoise, isSource } from './path-kinds.ts';
import { listed, spanOf, titled } from './wording.ts';

/** What git writes into the message of a revert; `git revert -e` lets people say more below it. */
const REVERTED = /This reverts commit ([0-9a-f]{7,64})/g;
const REVERT_SUBJECT = /^(?:Revert|Back(?:ed)? out)\b:?\s*"?(.*?)"?$/i;
const REAPPLY_SUBJECT = /^(?:Reapply\b:?\s*"?(.*?)"?|Revert\s+"Revert\s+"(.*?)"+)$/i;

/** What was taken back, by what, and whether it came again. */
export function findReverts(history: History): Finding[] {
  const known = lookup(history.commits);
  const reapplied = reapplications(history.commits, known);
  const findings = history.commits.flatMap((revert) => {
    if (REAPPLY_SUBJECT.test(revert.subject)) return [];
    const original = originalsOf(revert, known)[0];
    const match = REVERT_SUBJECT.exec(revert.subject);
    // Without git's own line only a subject of git's form is taken at its word.
    if (original === undefined && (match === null || !/^Revert "/.test(revert.subject))) return [];
    if (original !== undefined && originalsOf(original, known).length > 0) return [];
    const isOfCode = revert.files.some(({ path }) => isSource(path));
    const what = original?.subject ?? match?.[1] ?? '';
    const isMinor = isHousekeeping(what);
    if (isMinor ? !isOfCode || !hasReason(revert) : !isOfCode && !hasReason(revert)) return [];
    return [findingOf({ revert, original, again: reapplied.get(revert.id), isMinor, history })];
  });
  // The same thing taken back twice is told once, by the later one.
  const told = new Set<string>();
  return findings.filter(({ subject }) => !told.has(subject) && told.add(subject));
}

interface Revert {
  revert: Commit;
  original: Commit | undefined;
  again: Commit | undefined;
  /** Of dependencies, pipelines or manuals. */
  isMinor: boolean;
  history: History;
}

function findingOf({ revert, original, again, isMinor, history }: Revert): Finding {
  const cited = [original, revert, again].filter((commit) => commit !== undefined);
  const files = revert.files.map(({ path }) => path).filter((path) => !isNoise(path));
  const alive = files.filter((path) => history.tree.has(path));
  const weight =
    0.55 + (hasReason(revert) ? 0.3 : 0) + (alive.length > 0 ? 0.1 : -0.2) - (again ? 0.3 : 0) - (isMinor ? 0.3 : 0);
  return {
    pattern: 'revert',
    subject: original?.id ?? REVERT_SUBJECT.exec(revert.subject)?.[1] ?? revert.id,
    support: again ? 2 : 1,
    weight,
    commits: cited,
    tell(cite) {
      const by = cite(revert);
      const what = original ? cite(original).subject : (REVERT_SUBJECT.exec(by.subject)?.[1] ?? by.subject);
      const after = original ? ` ${spanOf(Math.max(0, revert.seconds - original.seconds))} later` : '';
      const reason = reasonIn(by.body);
      const sentences = [
        original
          ? `Commit ${cite(original).shortId} ("${what}") was taken back by ${by.shortId}${after}.`
          : `Commit ${by.shortId} took back "${what}".`,
        again && `It was applied again by ${cite(again).shortId} on ${cite(again).day}.`,
        reason ? `The message of the revert says: ${reason}` : 'The message of the revert gives no reason.',
        files.length > 0 && `The revert changed ${listed(files)}.`,
      ];
      return {
        type: 'change',
        title: titled(again ? 'Reverted, then applied again: ' : 'Reverted: ', withoutMerge(what)),
        narrative: sentences.filter(Boolean).join(' '),
        facts: cited.map((commit) => evidence(cite(commit))),
        concepts: again ? ['revert', 'history'] : ['revert', 'gotcha'],
        files_modified: files,
        files_read: [],
      };
    },
  };
}

/** What was merged, rather than that it was: `pull request #12 (faster-queue)`. */
function withoutMerge(subject: string): string {
  return subject.replace(/^Merge pull request (#\d+) from [^/\s]+\/(\S+)$/, 'pull request $1 ($2)');
}

interface Lookup {
  byPrefix(id: string): Commit | undefined;
}

function lookup(commits: Commit[]): Lookup {
  const byStart = new Map<string, Commit[]>();
  for (const commit of commits) {
    const start = commit.id.slice(0, 7);
    const others = byStart.get(start);
    if (others) others.push(commit);
    else byStart.set(start, [commit]);
  }
  return {
    byPrefix: (id) => {
      const fitting = (byStart.get(id.slice(0, 7)) ?? []).filter((commit) => commit.id.startsWith(id));
      return fitting.length === 1 ? fitting[0] : undefined;
    },
  };
}

function originalsOf({ body }: Commit, { byPrefix }: Lookup): Commit[] {
  return [...body.matchAll(REVERTED)].flatMap(([, id = '']) => byPrefix(id) ?? []);
}

/** For each revert the commit that took it back in turn, or that applied its subject again. */
function reapplications(commits: Commit[], known: Lookup): Map<string, Commit> {
  const found = new Map<string, Commit>();
  const bySubject = new Map<string, Commit>();
  for (const commit of commits) {
    for (const undone of originalsOf(commit, known)) found.set(undone.id, commit);
    const match = REAPPLY_SUBJECT.exec(commit.subject);
    const subject = match?.[1] ?? match?.[2];
    if (subject) bySubject.set(subject, commit);
    const reverted = REVERT_SUBJECT.exec(commit.subject)?.[1];
    const again = reverted === undefined ? undefined : bySubject.get(reverted);
    // Newest first: what applied it again has been seen before the revert itself.
    if (again && again !== commit && !found.has(commit.id)) found.set(commit.id, again);
  }
  return found;
}

function hasReason({ body }: Commit): boolean {
  return reasonIn(body) !== '';
}

/** What a person added to git's own lines, in at most two sentences or so; empty for trailers alone. */
function reasonIn(body: string): string {
  const lines = body
    .split('\n')
    .filter((line) => !/^\s*[A-Z][A-Za-z-]+(?:-[a-z]+)*:\s|^\(cherry picked from/.test(line));
  const text = oneLine(lines.join(' ').replace(/This reverts commit [0-9a-f]{7,64}[^.]{0,60}\.?/g, ' '));
  const words = text.split(' ').filter((word) => /\p{L}{2}/u.test(word));
  if (words.length < 4) return '';
  const said = clampSentences(text, 280);
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}
