import { type ErrorCode, GitMemError } from '../../errors.ts';

/** The status of an answer for an expected error. */
const STATUS: Partial<Record<ErrorCode, 400 | 403 | 404 | 413 | 503>> = {
  refused: 403,
  'no-such-record': 404,
  'too-large': 413,
  busy: 503,
  provider: 503,
};

/** A refused request, with the status of its answer. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 503;
  readonly code: string;
  readonly hint: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: Refusal['status'],
    message: string,
    {
      code = 'refused',
      hint,
      headers = {},
    }: { code?: string; hint?: string | undefined; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** The refusal that an expected error means; undefined for a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof GitMemError)) return undefined;
  return new Refusal(STATUS[error.code] ?? 400, error.message, { code: error.code, hint: error.hint });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** A refusal as an answer, in the shape of the viewer's. */
export function refused({ status, code, message, hint = undefined, headers }: Refusal): Response {
  return json(status, { error: { code, message, hint: hint ?? null } }, headers);
}
