import type { Content } from '../../memory/record.ts';
import { readRevert } from '../../provenance/revert-words.ts';
import { frequencies } from '../../quantities.ts';
import { evidence, type Finding } from './finding.ts';
import type { Commit, History } from './history.ts';
import { folderOf, isNewsFragment, isRunningLog, isSource } from './path-kinds.ts';
import { habitsOf, tenseOf } from './subject-habits.ts';
import { listed, titled } from './wording.ts';

/** Only current practice is a convention: the newest commits, if there are enough of them. */
const LOOKED_AT = 300;
const LEAST_COMMITS = 25;

/** Share of commits from which a habit counts as a convention. */
const MOST = 0.75;

/** If more changes than this share have a change log entry, a reviewer will ask for one. */
const OFTEN = 0.4;

/** Common habits of the newest commits that a newcomer has to follow. */
export function findConventions(history: History): Finding[] {
  const recent = history.commits.slice(0, LOOKED_AT);
  if (recent.length < LEAST_COMMITS) return [];
  return [subjects(recent), tickets(recent), signOffs(recent), changeLog(recent, history)].flatMap((one) => one ?? []);
}

/** The form of subjects: prefix, mood, first letter and ending. */
function subjects(commits: Commit[]): Finding | undefined {
  const texts = commits.map(({ subject }) => subject);
  const tense = tenseOf(texts);
  const form = conventionalCommits(texts) ?? areas(texts);
  if (form === undefined && tense === undefined) return undefined;
  const shows = form?.shows ?? tense?.isSo ?? (() => false);
  const count = texts.filter(shows).length;
  const mood = tense ? `Put the subject ${tense.words}.` : '';
  const habits = habitsOf(texts);
  return convention({
    subject: 'subjects',
    title: form?.title ?? `Write commit subjects ${tense?.words ?? ''}`,
    advice: [form?.advice, mood, habits.length > 0 && `Nearly all ${habits.join(', ')}.`],
    evidence: form ? `${count} of the newest ${commits.length} commits, merges aside, have this form.` : '',
    facts: form?.facts ?? [],
    commits,
    examples: commits.filter((commit) => shows(commit.subject) && !readRevert(commit)).slice(0, 3),
  });
}

interface Form {
  title: string;
  advice: string;
  facts: string[];
  shows(subject: string): boolean;
}

const TYPES = new Set('feat fix docs style refactor perf test tests build ci chore revert deps release'.split(' '));

/** https://www.conventionalcommits.org/en/v1.0.0/ */
function conventionalCommits(texts: string[]): Form | undefined {
  const read = (text: string) => {
    const match = /^(\w+)(?:\(([\w./@ -]{1,30})\))?!?: \S/.exec(text);
    return match && TYPES.has(match[1]?.toLowerCase() ?? '') ? { type: match[1] ?? '', scope: match[2] } : undefined;
  };
  const matches = texts.flatMap((text) => read(text) ?? []);
  if (matches.length < texts.length * MOST) return undefined;
  const scopes = matches.flatMap(({ scope }) => scope ?? []);
  const isScoped = scopes.length >= matches.length / 3;
  const names = matches.map(({ type }) => type);
  return {
    title: `Write commit subjects as "${isScoped ? 'type(scope): summary' : 'type: summary'}"`,
    advice: 'Subjects follow Conventional Commits.',
    facts: [...mostUsed('Types', names), ...(isScoped ? mostUsed('Scopes', scopes) : [])],
    shows: (text) => read(text) !== undefined,
  };
}

function areas(texts: string[]): Form | undefined {
  const pattern = /^[\w./*-]{1,30}(?:, ?[\w./*-]{1,30})?: \S/;
  const matching = texts.filter((text) => pattern.test(text));
  if (matching.length < texts.length * MOST) return undefined;
  return {
    title: 'Begin commit subjects with the area, as "area: summary"',
    advice: 'Subjects name the part of the code that they change.',
    facts: mostUsed(
      'Areas',
      matching.map((text) => text.slice(0, text.indexOf(':'))),
    ),
    shows: (text) => pattern.test(text),
  };
}

function tickets(commits: Commit[]): Finding | undefined {
  const naming = commits.filter(({ subject }) => /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/.test(subject));
  const title = 'Name the ticket in the commit subject, such as ABC-123';
  return usual(commits, naming, 'name one', { subject: 'tickets', title, examples: naming.slice(0, 3) });
}

function signOffs(commits: Commit[]): Finding | undefined {
  const signed = commits.filter(({ body }) => /^Signed-off-by: \S/m.test(body));
  const title = 'Sign commits off: git commit --signoff';
  const advice = ['Each commit ends with a Signed-off-by line.'];
  return usual(commits, signed, 'have one', { subject: 'sign-offs', title, advice, examples: signed.slice(0, 1) });
}

/** A convention if most commits follow it. */
function usual(
  commits: Commit[],
  following: Commit[],
  does: string,
  habit: Omit<Habit, 'commits' | 'evidence'>,
): Finding | undefined {
  if (following.length < commits.length * MOST) return undefined;
  const evidence = `${following.length} of the newest ${commits.length} commits, merges aside, ${does}.`;
  return convention({ ...habit, commits, evidence });
}

/** The file, or the folder of small files, in which code changes are logged as they are made. */
function changeLog(commits: Commit[], { tree }: History): Finding | undefined {
  const touching = commits.filter(({ files }) => files.some(({ path }) => isSource(path)));
  const logs = new Map<string, { commits: Set<Commit>; names: Set<string> }>();
  for (const commit of touching) {
    for (const { name, status } of commit.files) {
      const log = status === 'D' ? undefined : logOf(name);
      if (log === undefined) continue;
      const known = logs.get(log) ?? { commits: new Set(), names: new Set() };
      known.commits.add(commit);
      known.names.add(isNewsFragment(name) ? folderOf(name) : name);
      logs.set(log, known);
    }
  }
  const [log, most] = [...logs].sort(([, a], [, b]) => b.commits.size - a.commits.size)[0] ?? [];
  if (!log || !most || touching.length < LEAST_COMMITS || most.commits.size < touching.length * OFTEN) return undefined;
  const isFolder = log.endsWith('/');
  const file = [...tree.keys()].find((path) => !isNewsFragment(path) && logOf(path) === log);
  if (!isFolder && file === undefined) return undefined;
  const names = listed([...most.names].sort());
  return convention({
    subject: 'change-log',
    title: titled(isFolder ? 'Add a file to ' : 'Enter a change of behaviour in ', file ?? log),
    advice: [isFolder ? `Each change brings its own file in ${log}.` : `Add the line to ${file} in the same commit.`],
    evidence: `${most.commits.size} of the ${touching.length} commits among the newest ${commits.length}, merges aside, that change code change ${names} too.`,
    commits,
    examples: [...most.commits].slice(0, 3),
    file: !isFolder && file,
  });
}

/** The log that a file belongs to: the folder of small files, or the change log without its extension. */
function logOf(name: string): string | undefined {
  if (isNewsFragment(name)) return `${folderOf(name)}/`;
  return isRunningLog(name) ? name.replace(/\.\w+$/, '') : undefined;
}

interface Habit {
  subject: string;
  title: string;
  advice?: (string | undefined | false)[];
  evidence: string;
  facts?: string[];
  commits: Commit[];
  examples: Commit[];
  file?: string | false | undefined;
}

function convention(habit: Habit): Finding {
  const { subject, title, advice = [], facts = [], commits, examples, file } = habit;
  return {
    pattern: 'convention',
    subject,
    support: commits.length,
    weight: 0.8,
    commits: examples,
    incident: [],
    textWith(cite): Content {
      const [newest] = examples;
      const example = newest && `For example "${cite(newest).subject}".`;
      return {
        type: 'decision',
        title,
        narrative: [...advice, example, habit.evidence].filter(Boolean).join(' '),
        facts: [...facts, ...examples.map((commit) => evidence(cite(commit)))],
        concepts: ['convention', subject],
        files_modified: [],
        files_read: file ? [file] : [],
      };
    },
  };
}

/** The most frequent words with their counts, as a fact; none if no word is repeated. */
function mostUsed(name: string, words: string[]): string[] {
  const repeated = frequencies(words).filter(([, n]) => n > 1);
  const shown = repeated.slice(0, 8).map(([word, n]) => `${word} (${n})`);
  return shown.length === 0 ? [] : [`${name}: ${shown.join(', ')}.`];
}
