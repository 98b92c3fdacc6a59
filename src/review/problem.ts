/** A problem in `.memory/`. Its texts contain no detected secret. */
export interface Problem {
  /** Only an error makes a check fail. */
  level: 'error' | 'warn';
  path: string;
  /** The record's id; empty if there is none. */
  id: string;
  code: ProblemCode;
  message: string;
  hint: string;
  /** From 1, if known. */
  line?: number;
}

/** Every kind of problem with its general description: the rules of SARIF. */
export const PROBLEM_CODES = {
  'bad-record': 'A record does not parse.',
  'newer-format': 'A record has a format that only a newer version knows.',
  conflict: 'A file has a merge conflict in it.',
  'file-name': "A file's name is not that of a record.",
  link: 'A file is not a regular file.',
  size: 'A file is larger than a record should be.',
  'id-mismatch': "A record's id is not the one in its file's name.",
  'kind-mismatch': 'A record is in the folder of another kind.',
  'duplicate-id': 'Two files have one id.',
  'near-duplicate': 'A record is a near-duplicate of another one.',
  'no-kind': 'A record has no kind.',
  'no-title': 'A record has no title.',
  'long-title': 'A title is longer than a title may be.',
  'unknown-type': 'An observation is of a type that the store does not know.',
  'bad-date': 'The time of a record is not a date, or is in the future.',
  empty: 'A record is empty.',
  secret: 'A file holds a secret.',
  'removed-mark': 'A mark was removed or changed, so what it hid would come back.',
  attributes: 'A change to attributes makes git write other texts into checkouts.',
  'strange-text': 'The text of a record that this clone wrote is not known to come from a person here.',
  'redacted-again': 'A record repeats what was redacted.',
  suspicious: 'A record holds text that seems to be written for a model, or hidden from readers.',
  launcher: 'The script that agents call is not the one of this version.',
  'wrong-month': "A record's folder or file name does not match its time.",
  dangling: 'A record names another one that is not here.',
  stray: 'A file does not belong there.',
  config: 'A setting is ignored.',
} as const;

export type ProblemCode = keyof typeof PROBLEM_CODES;

const of =
  (level: Problem['level']) =>
  (code: ProblemCode, path: string, message: string, hint: string, id = ''): Problem => {
    return { level, path, id, code, message, hint };
  };
export const error = of('error');
export const warning = of('warn');
