import * as z from 'zod/mini';
import { findJson } from '../../capture/extract/loose-json.ts';
import { GitMemError } from '../../errors.ts';
import { isObjectId } from '../../git/object-id.ts';

/** What people said about a pull request, from whichever forge. */
export interface Discussion {
  /** Undefined if the answers do not name it. */
  number: number | undefined;
  title: string;
  /** Its page; empty if unknown. */
  url: string;
  /** Name of the branch that was merged; empty if unknown. */
  branch: string;
  isMerged: boolean;
  /** The commit that the merge made, if the forge names it. */
  commit: string | undefined;
  comments: Comment[];
}

/** Something that one person said. */
export interface Comment {
  author: string;
  /** According to the forge, the author is no member of the project. */
  isOutsider: boolean;
  /** Where it was said: `the description`, `a comment`, `a review`, `a review of src/a.ts`. */
  place: string;
  /** The file that it is about; empty if none. */
  path: string;
  text: string;
}

/** A field that counts as missing if it has another shape: the forges share names, not meanings. */
const lenient = <T>(shape: z.ZodMiniType<T>) => z.catch(z.optional(shape), undefined);
const text = lenient(z.string());
const flag = lenient(z.boolean());
const person = lenient(z.object({ login: text, username: text, type: text, is_bot: flag }));
const list = lenient(z.array(z.unknown()));
const number = lenient(z.int().check(z.positive()));

/** Everything of an answer of GitHub, of GitLab or of `gh pr view --json` that is used here. */
const answer = z.object({
  number,
  iid: number,
  title: text,
  body: text,
  description: text,
  html_url: text,
  web_url: text,
  url: text,
  state: text,
  merged_at: text,
  merge_commit_sha: text,
  squash_commit_sha: text,
  head: lenient(z.object({ ref: text })),
  source_branch: text,
  headRefName: text,
  user: person,
  author: person,
  author_association: text,
  authorAssociation: text,
  path: text,
  position: lenient(z.object({ new_path: text })),
  submitted_at: text,
  submittedAt: text,
  system: flag,
  notes: list,
  comments: list,
  reviews: list,
});
type Answer = z.infer<typeof answer>;

/** How the comment of the workflow that reviews the memory begins. */
const OUR_COMMENT = '<!-- git-mem -->';

/**
 * The discussion in a forge's answers, in any order: a pull request, lists of reviews and comments (GitHub), or of
 * discussions with notes (GitLab). What bots and the forge itself wrote is left out. Throws bad-input if nothing in them
 * is a pull request or a comment.
 */
export function discussionIn(answers: unknown[]): Discussion {
  const all = answers.flatMap(flattened);
  const head = all.find(isHead);
  const comments = all
    .flatMap(commentsOf)
    .filter(({ text: said }) => said.trim() !== '' && !said.startsWith(OUR_COMMENT));
  if (head === undefined && comments.length === 0) {
    throw new GitMemError('bad-input', 'This is not the discussion of a pull request.', {
      hint: 'Give what the API of GitHub or GitLab answers, as JSON: the pull request, its reviews, its comments.',
    });
  }
  return {
    number: head?.number ?? head?.iid,
    title: head?.title ?? '',
    url: pageOf(head),
    branch: head?.head?.ref ?? head?.source_branch ?? head?.headRefName ?? '',
    isMerged: head === undefined || Boolean(head.merged_at) || /^merged$/i.test(head.state ?? ''),
    commit: [head?.merge_commit_sha, head?.squash_commit_sha].find(isObjectId) ?? undefined,
    comments,
  };
}

/** The JSON values in a text, one after the other, as several calls of `gh api` print them; throws bad-input. */
export function answersIn(text: string): unknown[] {
  const found = findJson(text);
  if (found.length > 0 && !found.some(({ truncated }) => truncated)) return found.map(({ value }) => value);
  throw new GitMemError('bad-input', 'The discussion is not JSON.', {
    hint: 'Give what `gh api` or `gh pr view --json` prints, or what the API of GitLab answers.',
  });
}

/** An answer and everything nested in it, as one list. */
function flattened(value: unknown): Answer[] {
  if (Array.isArray(value)) return value.flatMap(flattened);
  const { data } = answer.safeParse(value);
  if (data === undefined) return [];
  return [data, ...[data.notes, data.reviews, data.comments].flatMap((inner) => (inner ?? []).flatMap(flattened))];
}

function isHead({ title, number: id, iid }: Answer): boolean {
  return title !== undefined && (id !== undefined || iid !== undefined);
}

function commentsOf(one: Answer): Comment[] {
  const author = one.user ?? one.author;
  const name = author?.login ?? author?.username ?? '';
  const isBot = author?.type === 'Bot' || author?.is_bot === true || /\[bot\]$|^(project|group)_\d+_bot/.test(name);
  if (one.system || isBot) return [];
  const path = one.path ?? one.position?.new_path ?? '';
  const isReview = path !== '' || one.submitted_at !== undefined || one.submittedAt !== undefined;
  const place = isHead(one)
    ? 'the description'
    : !isReview
      ? 'a comment'
      : path === ''
        ? 'a review'
        : `a review of ${path}`;
  return [
    {
      author: /^[\w.@-]{1,60}$/.test(name) ? name : 'somebody',
      isOutsider: OUTSIDERS.test(one.author_association ?? one.authorAssociation ?? ''),
      place,
      path,
      text: (isHead(one) ? (one.body ?? one.description) : one.body) ?? '',
    },
  ];
}

/** GitHub's words for authors who are no members of the project. */
const OUTSIDERS = /^(?:NONE|FIRST_TIMER|FIRST_TIME_CONTRIBUTOR|MANNEQUIN)$/;

function pageOf(head: Answer | undefined): string {
  const page = head?.html_url ?? head?.web_url ?? head?.url ?? '';
  return /^https:\/\/[\w.:-]+\/[\w./~%-]+$/.test(page) ? page : '';
}
