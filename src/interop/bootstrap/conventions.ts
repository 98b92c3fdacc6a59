import { evidence, type Finding } from './finding.ts';
import type { Commit, History } from './history.ts';
import { isSource, isTest } from './path-kinds.ts';
import { habitsOf, tenseOf } from './subject-habits.ts';
import { percent } from './wording.ts';

/** Only what is done now is a convention: the newest commits, where there are enough of them. */
const LOOKED_AT = 500;
const LEAST_COMMITS = 25;

/** What most people do most of the time. */
const MOST = 0.75;

/** How subjects are written, what commits carry, and whether tests come along: what a newcomer would be told. */
export function findConventions(history: History): Finding[] {
  const commits = history.commits.filter(({ subject }) => !/^Revert "|^(?:fixup|squash)!/.test(subject));
  const recent = commits.slice(0, LOOKED_AT);
  if (recent.length < LEAST_COMMITS) return [];
  return [form(recent), tickets(recent), signOffs(recent), tests(recent)].filter((found) => found !== undefined);
}

/** What subjects have in common in their form, and which of them show it. */
interface Form {
  title: string;
  share: number;
  facts: (string | undefined)[];
  shows(subject: string): boolean;
}

/** The outward form of subjects: its prefix, tense, first letter and end. */
function form(commits: Commit[]): Finding | undefined {
  const subjects = commits.map(({ subject }) => subject);
  const mood = moodOf(subjects);
  const [first, ...more] = [conventionalCommits(subjects) ?? areas(subjects), mood].filter(
    (found) => found !== undefined,
  );
  if (first === undefined) return undefined;
  const facts = [...first.facts, ...more.flatMap((other) => other.facts), ...habitsOf(subjects)];
  return convention({
    subject: 'subjects',
    title: first.title,
    share: first.share,
    facts: facts.filter((fact) => fact !== undefined),
    commits,
    examples: commits.filter(({ subject }) => first.shows(subject)).slice(0, 2),
  });
}

const TYPES = new Set('feat fix docs style refactor perf test tests build ci chore revert deps release'.split(' '));

/** https://www.conventionalcommits.org/en/v1.0.0/ */
function conventionalCommits(subjects: string[]): Form | undefined {
  const read = (subject: string) => {
    const match = /^(\w+)(?:\(([\w./@-]{1,30})\))?!?: \S/.exec(subject);
    return match && TYPES.has(match[1]?.toLowerCase() ?? '') ? { type: match[1] ?? '', scope: match[2] } : undefined;
  };
  const matches = subjects.flatMap((subject) => read(subject) ?? []);
  const share = matches.length / subjects.length;
  if (share < MOST) return undefined;
  const types = matches.map(({ type }) => type);
  const scopes = matches.flatMap(({ scope }) => scope ?? []);
  return {
    title: 'Commit subjects follow Conventional Commits',
    share,
    facts: [
      `${percent(share)} have the form "type(scope): subject".`,
      mostUsed('Types', types),
      mostUsed('Scopes', scopes),
    ],
    shows: (subject) => read(subject) !== undefined,
  };
}

function areas(subjects: string[]): Form | undefined {
  const pattern = /^[\w./*-]{1,30}(?:, ?[\w./*-]{1,30})?: \S/;
  const matching = subjects.filter((subject) => pattern.test(subject));
  const share = matching.length / subjects.length;
  if (share < MOST) return undefined;
  const names = matching.map((subject) => subject.slice(0, subject.indexOf(':')));
  return {
    title: 'Commit subjects begin with the area that they change',
    share,
    facts: [`${percent(share)} have the form "area: subject".`, mostUsed('Areas', names)],
    shows: (subject) => pattern.test(subject),
  };
}

function moodOf(subjects: string[]): Form | undefined {
  const tense = tenseOf(subjects);
  if (tense === undefined) return undefined;
  return {
    title: `Commit subjects are ${tense.words}`,
    share: tense.share,
    facts: [`${percent(tense.share)} of the subjects whose first word tells are ${tense.words}.`],
    shows: tense.isSo,
  };
}

function tickets(commits: Commit[]): Finding | undefined {
  const forms: [string, RegExp][] = [
    ['a ticket such as ABC-123', /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/],
    ['an issue or pull request such as #123', /#\d{1,7}\b/],
  ];
  for (const [what, pattern] of forms) {
    const naming = commits.filter(({ subject }) => pattern.test(subject));
    if (naming.length < commits.length * MOST) continue;
    const share = naming.length / commits.length;
    const facts = [`${percent(share)} of the subjects name ${what}.`];
    return convention({
      subject: 'tickets',
      title: `Commit subjects name ${what}`,
      share,
      facts,
      commits,
      examples: naming.slice(0, 2),
    });
  }
  return undefined;
}

function signOffs(commits: Commit[]): Finding | undefined {
  const signed = commits.filter(({ body }) => /^Signed-off-by: \S/m.test(body));
  const share = signed.length / commits.length;
  if (share < MOST) return undefined;
  const facts = [`${percent(share)} of the commits have a Signed-off-by line, as \`git commit --signoff\` adds it.`];
  return convention({
    subject: 'sign-offs',
    title: 'Commits carry a Signed-off-by line',
    share,
    facts,
    commits,
    examples: signed.slice(0, 1),
  });
}

function tests(commits: Commit[]): Finding | undefined {
  const touching = commits.filter(({ files }) => files.some(({ path }) => isSource(path)));
  const tested = touching.filter(({ files }) => files.some(({ path }) => isTest(path)));
  const share = tested.length / touching.length;
  if (touching.length < LEAST_COMMITS || share < 0.5) return undefined;
  const facts = [
    `${tested.length} of ${touching.length} commits that change code change a test too (${percent(share)}).`,
  ];
  return convention({
    subject: 'tests',
    title: `Tests come with ${percent(share)} of the commits that change code`,
    share,
    facts,
    commits,
    examples: tested.slice(0, 2),
  });
}

interface Habit {
  subject: string;
  title: string;
  share: number;
  facts: string[];
  commits: Commit[];
  examples: Commit[];
}

function convention({ subject, title, share, facts, commits, examples }: Habit): Finding {
  return {
    pattern: 'convention',
    subject,
    support: commits.length,
    weight: 0.6 + 0.35 * share,
    commits: examples,
    tell(cite) {
      const [newest] = examples;
      const since = commits.at(-1)?.at.slice(0, 10) ?? '';
      return {
        type: 'discovery',
        title,
        narrative:
          `Read from the newest ${commits.length} commits without merges, back to ${since}: ${facts[0] ?? ''}` +
          (newest ? ` For example "${cite(newest).subject}".` : ''),
        facts: [...facts.slice(1), ...examples.map((commit) => evidence(cite(commit)))],
        concepts: ['convention', subject],
        files_modified: [],
        files_read: [],
      };
    },
  };
}

/** The commonest of some words, with how often; undefined where there are none. */
function mostUsed(name: string, words: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].filter(([, n]) => n > 1).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (sorted.length === 0) return undefined;
  return `${name}: ${sorted
    .slice(0, 8)
    .map(([word, n]) => `${word} (${n})`)
    .join(', ')}.`;
}
