/** Permanent codes of expected errors: scripts and tests match on these, never on message text. */
export type ErrorCode =
  | 'not-a-repository'
  | 'not-initialised'
  | 'bad-record'
  | 'newer-format'
  | 'bad-config'
  | 'bad-input'
  | 'redacted'
  | 'no-such-record'
  | 'ambiguous-id'
  | 'no-such-revision'
  | 'bad-settings'
  | 'cannot-write'
  | 'busy'
  | 'too-large'
  | 'provider'
  | 'refused'
  | 'missing-package'
  | 'git';

/** An expected error: what happened, and in `hint` the next step. Bugs are any other Error and keep their stack. */
export class GitMemError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GitMemError';
    this.code = code;
    this.hint = options.hint;
  }
}

/** Whether a caught value is a system error with this `code` (ENOENT, EEXIST, ...). */
export function isSystemError(error: unknown, ...codes: string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** The message of whatever was thrown, for logs and for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whatever was thrown, as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
