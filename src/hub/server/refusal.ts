import { type ErrorCode, GitMemError } from '../../errors.ts';

/** The status of an answer for an expected error. */
const STATUS: Partial<Record<ErrorCode, 400 | 403 | 404 | 413>> = {
  refused: 403,
  'no-such-record': 404,
  'too-large': 413,
};

/** Messages for outages, which pass. */
const OUTAGES: Partial<Record<ErrorCode, string>> = {
  busy: 'The database of the hub does not answer.',
  provider: 'A service that the hub asks does not answer.',
};

/** When to ask again after an outage. */
const RETRY_SECONDS = 5;

/** A refused request, with the status of its answer. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 503;
  readonly code: string;
  readonly hint: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: Refusal['status'],
    message: string,
    { code = 'refused', hint, headers = {} }: Partial<Pick<Refusal, 'code' | 'hint' | 'headers'>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** The refusal for an expected error; undefined for a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof GitMemError)) return undefined;
  const outage = OUTAGES[error.code];
  // The error's own message names addresses and ports.
  if (outage !== undefined) {
    return new Refusal(503, outage, { code: error.code, headers: { 'retry-after': String(RETRY_SECONDS) } });
  }
  return new Refusal(STATUS[error.code] ?? 400, error.message, { code: error.code, hint: error.hint });
}

export function nothing(): Refusal {
  return new Refusal(404, 'There is nothing at this address.');
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** A refusal as a response, in the viewer's format. */
export function refused({ status, code, message, hint = undefined, headers }: Refusal): Response {
  return json(status, { error: { code, message, hint: hint ?? null } }, headers);
}
