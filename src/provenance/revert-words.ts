/** What a message says it reverts. */
export interface Revert {
  /** The subject of the reverted commit, if the message gives it. */
  subject?: string;
  /** Commit ids, whole or abbreviated. */
  ids: string[];
  /** Numbers of pull requests. */
  requests: string[];
  /** The subject is in quotation marks, so it is taken literally. */
  isQuoted: boolean;
}

/** `fix(css): `, `[core] `, `net: ` */
const LEAD = String.raw`^(?:\[[^\]]{1,30}\]\s*)?(?:[\w./*-]{1,30}(?:\([^)]{0,40}\))?!?:\s*)?`;
const NUMBER = String.raw`(?:\s*\(#\d+\))*`;
const VERB = String.raw`(?:partial(?:ly)?\s+)?(?:revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out|roll(?:s|ed|ing)?[ -]?back|undo(?:es)?)`;
const QUOTED = new RegExp(`${LEAD}${VERB}\\b[:\\s]*["“«](.+)["”»]`, 'i');
const PLAIN = new RegExp(`${LEAD}${VERB}\\b:?\\s+(?!to\\b|back\\b)(.+?)${NUMBER}\\.?$`, 'i');
/** `revert: ...` and `revert(scope): ...`: the type says that it is a revert. */
const TYPE = new RegExp(`^revert(?:\\([^)]{0,40}\\))?!?:\\s*["“]?(.+?)["”]?${NUMBER}$`, 'i');
const BARE = new RegExp(`${LEAD}${VERB}\\b`, 'i');

const IN_BODY =
  /\brevert(?:s|ed|ing)?\s+(?:commit\s+|pull request\s+|pr\s+)?(?:[\w.-]+\/[\w.-]+)?(#\d+|[0-9a-f]{7,64}\b)/gi;
const STATED = /^\W*(?:this (?:commit )?)?(?:partial(?:ly)? )?reverts?\s+(?:commit|pr|pull|#|[\w.-]+\/[\w.-]+#)/im;
const PARTIAL = /\bpartial(?:ly)?\s+(?:revert|back|roll|undo)|\brevert(?:s|ed)?\s+part\b/i;
const AGAIN = new RegExp(`${LEAD}re-?(?:apply|applies|applied|land(?:s|ed)?)\\b:?\\s*["“]?(.+?)["”]?${NUMBER}$`, 'i');

/** A commit's message in its two parts. */
interface Message {
  subject: string;
  body: string;
}

/** What a commit reverts, in any of the usual styles; undefined if it is not a revert. */
export function readRevert({ subject, body }: Message): Revert | undefined {
  const quoted = QUOTED.exec(subject)?.[1];
  const what = quoted ?? TYPE.exec(subject)?.[1] ?? PLAIN.exec(subject)?.[1];
  const named = [...`${BARE.test(subject) ? subject : ''}\n${body}`.matchAll(IN_BODY)].map(([, name = '']) => name);
  // A squashed pull request's list of commits may contain reverts, but is not one.
  const isList = (body.match(/^\* /gm)?.length ?? 0) >= 2;
  if (!BARE.test(subject) && (isList || !STATED.test(body))) return undefined;
  const inSubject = [...(what ?? '').matchAll(/\(#(\d+)\)/g)].map(([, number = '']) => number);
  return {
    ...(what !== undefined && { subject: what }),
    ids: named.filter((name) => !name.startsWith('#')),
    requests: [...named.filter((name) => name.startsWith('#')).map((name) => name.slice(1)), ...inSubject],
    isQuoted: quoted !== undefined,
  };
}

/** Tells whether a revert says that it is only partial. */
export function isPartial({ subject, body }: Message): boolean {
  return PARTIAL.test(subject) || PARTIAL.test(body);
}

/** The subject of the commit that is reapplied, if a commit's subject says only that. */
export function readReapplication(subject: string): string | undefined {
  return AGAIN.exec(subject)?.[1];
}

/** A subject normalised: without quotation marks and its pull request's number, and ignoring case. */
export function plainSubject(subject: string): string {
  return subject
    .replace(/(?:\s{0,9}\((?:#|GH-)\d{1,9}\)){1,9}\s*$/i, '')
    .replace(/^["“']+|(?<!["”'.])["”'.]+$/g, '')
    .trim()
    .toLowerCase();
}
