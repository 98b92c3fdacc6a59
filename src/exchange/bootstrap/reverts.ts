import type { Cleaner } from '../../capture/drain/clean.ts';
import { askGit, objectIds, readBlobs } from '../../git/objects.ts';
import { clampSentences } from '../../memory/clamp.ts';
import { LIMITS, oneLine } from '../../memory/record.ts';
import { frequencies } from '../../quantities.ts';
import { type Finding, fittingTitle, type Reading } from './page.ts';

/** A commit that names what it reverts, in the words of git or of a code host. */
interface Revert {
  id: string;
  day: string;
  subject: string;
  body: string;
  /** The quoted subject, that of the reverted commit. */
  what: string;
}

/** `Revert "..."`, also after a type or an area; not "revert the timeout to 5 s", which reverts no commit. */
const SUBJECT = /^(?:\[[^\]]{1,30}\]\s*|[\w./*-]{1,30}(?:\([^)]{0,40}\))?!?:\s*)?revert:?\s+["“](.+)["”]/i;
const IDS = /\breverts? commit ([0-9a-f]{40,64}|[0-9a-f]{7,39})\b/gi;

/** Most reverts that are read; those this much older than the branch are skipped, because the code has changed since. */
const MOST = 500;
const OLDEST_SECONDS = 2 * 365 * 86_400;

/** Changes that were reverted for a reason the message states, and still are, newest first. */
export async function findReverts(reading: Reading, cleaner: Cleaner): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const revert of await revertsIn(reading)) {
    // Before anything is cut: half a secret is not recognised.
    const reason = reasonIn(await cleaner.text(revert.body));
    if (reason === '') continue;
    const files = await filesOf(revert.id, reading);
    if (!(await isInForce(revert, files, reading)) || (await isNamedLater(revert, reading))) continue;
    const clean = { ...revert, what: await cleaner.text(revert.what), subject: await cleaner.text(revert.subject) };
    findings.push(...findingOf(clean, reason, files));
  }
  return findings;
}

async function revertsIn({ workspace, commit }: Reading): Promise<Revert[]> {
  const format = ['--format=%x01%H%x00%ct%x00%cs%x00%s%x00%b', '--no-color', '--no-notes', '--no-show-signature'];
  const filter = ['-i', '--grep=revert', '--encoding=UTF-8', `--max-count=${MOST}`];
  const output = (await askGit(workspace, ['log', ...format, ...filter, commit, '--'])) ?? '';
  const tip = Number(await askGit(workspace, ['log', '-1', '--format=%ct', '--no-show-signature', commit, '--']));
  return output.split('\u0001').flatMap((entry) => {
    const [id = '', seconds, day = '', subject = '', body = ''] = entry.split('\0');
    const what = SUBJECT.exec(subject)?.[1];
    // Without the quoted subject it may revert only a part, or a setting; a revert of a revert restores the change.
    const isOld = tip - Number(seconds) > OLDEST_SECONDS;
    return what === undefined || isOld || /^revert\b/i.test(what) ? [] : [{ id, day, subject, body, what }];
  });
}

/** Tells whether a later commit names the reverted change, or this revert by its id: the change then came back in some form. */
async function isNamedLater({ id, what }: Revert, { workspace, commit }: Reading): Promise<boolean> {
  const words = ['-F', '-i', `--grep=${withoutNumbers(what)}`, `--grep=reverts commit ${id.slice(0, 7)}`];
  const log = ['log', '-1', '--format=%H', '--no-show-signature', ...words, `${id}..${commit}`, '--'];
  return ((await askGit(workspace, log)) ?? '') !== '';
}

/** A subject without the pull request numbers at its end. */
function withoutNumbers(subject: string): string {
  // The look-behind lets a match start only once per run, which keeps long runs linear.
  return subject.trimEnd().replace(/(?<!\s|\(#\d{1,9}\))(?:\s*\(#\d+\))+$/, '');
}

async function filesOf(commit: string, { workspace }: Reading): Promise<string[]> {
  const how = ['-r', '-z', '--root', '--name-only', '--no-renames', '--no-commit-id', '--diff-merges=first-parent'];
  const output = (await askGit(workspace, ['diff-tree', ...how, commit])) ?? '';
  return output.split('\0').filter((path) => path !== '' && !path.includes('\ufffd'));
}

/** Tells whether every line that the revert restored is still in its file, and none that it removed is back. */
async function isInForce({ id }: Revert, files: string[], { workspace, tree }: Reading): Promise<boolean> {
  if (files.length > LIMITS.files || !files.some((path) => tree.has(path))) return false;
  const how = '-p --unified=0 --root --no-color --no-ext-diff --no-renames --diff-merges=first-parent'.split(' ');
  const diff = (await askGit(workspace, ['diff-tree', ...how, id])) ?? '';
  const { checkout, env } = workspace;
  const named = files.map((path) => `${id}:${path}`);
  const before = (await objectIds(checkout.root, named, env)) ?? [];
  const now = files.map((path) => tree.get(path));
  const blobs = [...before, ...now].filter((blob) => blob !== undefined);
  const contents = await readBlobs(checkout.root, blobs, env);
  const countsIn = (blob = '') => {
    return new Map(frequencies((contents.get(blob)?.toString('utf8') ?? '').split('\n').map(oneLine)));
  };
  const parts = diff.split(/^diff --git .*$/m).slice(1);
  const isKept = (part: string, i: number) => {
    const [then, today] = [countsIn(before[i]), countsIn(now[i])];
    const changed = part.split('\n').filter((line) => /^(?:\+(?!\+\+ )|-(?!-- )).*\w/.test(line));
    const isSame = (line: string) => {
      const count = today.get(oneLine(line.slice(1))) ?? 0;
      return line.startsWith('+') ? count > 0 : count <= (then.get(oneLine(line.slice(1))) ?? 0);
    };
    return changed.length > 0 ? changed.every(isSame) : before[i] === now[i];
  };
  return parts.length > 0 && parts.length === files.length && parts.every(isKept);
}

function findingOf({ id, day, subject, body, what }: Revert, reason: string, files: string[]): Finding[] {
  const shortId = id.slice(0, 10);
  const [target] = [...body.matchAll(IDS)].map(([, one = '']) => one.slice(0, 10));
  const name = withoutNumbers(oneLine(what));
  const why = reason.replace(/\.$/, '');
  const [, request] = /^Merge (?:pull|merge) request [#!](\d+)\b/i.exec(name) ?? [];
  const titles = request ? [`Reverted #${request}: ${why}`] : [`Reverted: ${name}: ${why}`, `Reverted: ${name}`];
  const title = fittingTitle(titles, LIMITS.title);
  if (title === '') return [];
  const finding: Finding = {
    pattern: 'revert',
    subject: id,
    words: `${subject}\n${reason}`,
    commit: id,
    content: {
      type: 'decision',
      title,
      narrative: `${shortId} of ${day} reverts "${oneLine(what)}"${target ? ` (${target})` : ''}. Its message says: "${reason}" Read it before you bring that back.`,
      facts: [`${shortId} (${day}): ${oneLine(subject)}`],
      concepts: ['revert', 'gotcha'],
      files_modified: files,
      files_read: [],
    },
  };
  return [finding];
}

/** About the revert itself. */
const BESIDES = /\bclean(?:ly)? revert|\breverts? (?:\w+ )?cleanly|\bconflicts?\b/i;

const TRAILER =
  /^\s*(?:(?:[A-Z][A-Za-z]+(?:-[A-Za-z]+)+|Fixes|Closes|Resolves|Refs?|References|Bug|Issue|PR|See):\s|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|related to)\s+(?:[\w.-]+\/[\w.-]+)?#\d+\W*$|\(cherry picked from)/i;
/** Text that forms and programs put into a message. */
const FORM =
  /^\s*(?:[-*]\s+)?(?:[\w-]+(?:\([^)]*\))?!?: )?(?:fixup! )?(?:revert|re-?apply|reland)\b[:\s]*["“].*|^\s*(?:#{1,6}\s|[-*]\s*\[[ xX]\]|<!--|-->|---+\s*$|\*{3,}|\|)|^\s*https?:\/\/\S+\s*$|^\s*(?:[-*]\s*)?\S{1,100}@\S{1,100}\s*$/i;
const REVERTED =
  /(?:this\s+)?(?:commit\s+)?(?:partial(?:ly)?\s+)?reverts?\s+(?:commit\s+|pull request\s+|pr\s+)?(?:[\w.-]+\/[\w.-]+)?(?:#\d+|[0-9a-f]{7,64})\b(?:,\s*reversing changes made to\s*[0-9a-f]{7,64})?(?:[.,:]?[ \t]*$|\.\s+)/gim;
const CAUSE =
  /\b(?:because|since|due to|caus(?:e[sd]?|ing)|br(?:eaks?|oke|eaking|oken)|regress(?:es|ed|ions?)|fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|slow(?:er|s|ed)?|wrong(?:ly)?|incorrect(?:ly)?|(?<!not the |no )problem(?:s|atic)?|no longer|instead|in favou?r of|superseded?|replaced|unsafe|leak(?:s|ed)?|deadlock(?:s|ed)?|incompatible|unnecessary|not needed|unused|unmaintained|weil|da|wegen|parce que)\b|[因为由于]/iu;

/** Longest reason that is quoted, in characters: half of a narrative. */
const LONGEST = 360;

/** The first paragraph that names a cause, verbatim; trailers, forms and git's own sentence don't count. */
function reasonIn(body: string): string {
  const prose = body.replace(/<!--.*?-->/gs, ' ').replace(/```.*?(?:```|$)/gs, '\n\n');
  const paragraphs = prose
    .split('\n')
    .map((line) => (TRAILER.test(line) || FORM.test(line) ? '' : line))
    .join('\n')
    .replace(REVERTED, '\n\n')
    .split(/\n\s*\n|\n(?=\s*[-*]\s)/)
    .map((paragraph) => oneLine(paragraph.replace(/^\s*[-*]\s+/, '')).replace(/^(?:\(https?:\S+\)|[\s.,:;])+/, ''));
  const reasons = paragraphs.map((paragraph) => clampSentences(paragraph, LONGEST));
  return reasons.find((reason) => CAUSE.test(reason) && !BESIDES.test(reason) && isSentence(reason)) ?? '';
}

/** Stated, not asked or announced; at least four words, or as many characters where words are not separated. */
function isSentence(text: string): boolean {
  // The subject of another commit ends with its number.
  if (/[:?]$|\(#\d+\)\W*$/.test(text)) return false;
  const words = text.split(' ').filter((word) => /\p{L}{2}/u.test(word));
  return words.length >= 4 || /[\p{Script=Han}\p{Script=Hiragana}]{8}/u.test(text);
}
