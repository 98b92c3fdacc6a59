import { join } from 'node:path';
import * as z from 'zod/mini';
import { messageOf } from '../../errors.ts';
import { fieldsOf } from '../../json.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readJson, readNotes } from '../../memory/store/json-file.ts';
import { ProviderError, REACTIONS } from './provider.ts';

/** The daily cap on the paid tokens of one account, shared by every drain of this clone through one small file. */
export interface Budget {
  /** Tokens that the account used today (UTC), paid or not. */
  today(): number;
  /** Tokens left today (UTC), never below zero. */
  remaining(): number;
  /** Throws ProviderError `quota`, to be retried after midnight UTC, where a call of this size would pass the cap. */
  reserve(tokens: number): void;
  /** Counts a finished call; `extractor` is `provider/model`. */
  spend(tokens: Tokens, extractor: string): void;
}

const count = z.catch(z.int().check(z.nonnegative()), 0);
const tokens = z.object({ input: count, output: count });
const spending = z.object({ input: count, output: count, calls: count });
const ledgerShape = z.object({
  day: z.string(),
  /** Paid tokens. */
  today: tokens,
  /** Tokens by account, paid or not. */
  accounts: z.catch(z.record(z.string(), tokens), {}),
  totals: z.catch(z.record(z.string(), spending), {}),
});
type Ledger = z.infer<typeof ledgerShape>;

/** Tokens that one provider counted. */
export type Tokens = z.infer<typeof tokens>;

interface BudgetOptions {
  file: string;
  /** Whose tokens are counted. */
  account: string;
  dailyTokens: number;
  now: () => Date;
  /** A model on this machine: its tokens are counted, but have no cap and do not count against the others' cap. */
  isFree?: boolean;
}

const NONE: Readonly<Tokens> = { input: 0, output: 0 };

/** Opens the budget kept in `file`; a file that is missing or unreadable counts as empty. */
export function createBudget({ file, account, dailyTokens, now, isFree = false }: BudgetOptions): Budget {
  // Where the file cannot be written, the cap still holds within this process.
  let unsaved: Ledger | undefined;

  const load = (): Ledger => (unsaved === undefined ? readLedger(file, now()) : onDay(unsaved, now()));
  const ofAccount = ({ accounts }: Ledger) =>
    (Object.hasOwn(accounts, account) ? accounts[account] : undefined) ?? NONE;
  const today = () => sum(ofAccount(load()));
  const remaining = () => Math.max(0, dailyTokens - today());

  return {
    today,
    remaining,
    reserve(wanted) {
      const left = remaining();
      if (isFree || wanted <= left) return;
      throw new ProviderError(
        'quota',
        `The daily budget of ${dailyTokens} tokens for ${account} has ${left} left; ${wanted} are needed.`,
        {
          hint: 'Wait until midnight UTC, or raise its daily_tokens.',
          retryAfterMs: 86_400_000 - (now().getTime() % 86_400_000),
        },
      );
    },
    spend(spent, extractor) {
      const ledger = load();
      if (!isFree) ledger.today = add(ledger.today, spent);
      ledger.accounts[account] = add(ofAccount(ledger), spent);
      const before = ledger.totals[extractor] ?? { input: 0, output: 0, calls: 0 };
      ledger.totals[extractor] = { ...add(before, spent), calls: before.calls + 1 };
      try {
        replaceFile(file, `${JSON.stringify(ledger)}\n`);
        unsaved = undefined;
      } catch {
        // The answer is paid for and must not be lost; a state folder that cannot be written shows in `doctor`.
        unsaved = ledger;
      }
    },
  };
}

/** Where the state folder keeps the count. */
export function spendingPath(state: string): string {
  return join(state, 'spending.json');
}

/** Spending with all providers: paid tokens of today (UTC), and of all time by `provider/model`. */
export function readSpending(file: string, now: Date): { today: number; totals: Ledger['totals'] } {
  const { today, totals } = readLedger(file, now);
  return { today: sum(today), totals };
}

function readLedger(file: string, now: Date): Ledger {
  // Missing at first, and damage must not stop the drain: at worst a day's budget starts over.
  return onDay(ledgerShape.safeParse(readNotes(file)).data ?? { day: '', today: NONE, accounts: {}, totals: {} }, now);
}

function onDay(ledger: Ledger, now: Date): Ledger {
  const day = now.toISOString().slice(0, 10);
  return ledger.day === day ? ledger : { ...ledger, day, today: NONE, accounts: {} };
}

function sum({ input, output }: Tokens): number {
  return input + output;
}

function add(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + whole(b.input), output: a.output + whole(b.output) };
}

function whole(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

const backoffShape = z.object({
  attempts: z.int().check(z.positive()),
  /** ISO 8601: no drain that starts automatically asks earlier. */
  until: z.iso.datetime(),
  /** What the provider said last. */
  reason: z.string(),
});

/** The backoff of a failing provider, as `REACTIONS` defines it. */
type Backoff = z.infer<typeof backoffShape>;

/** Longest wait that a provider may ask for, a day: quotas are renewed by then, and a wrong clock may say years. */
const LONGEST_ASKED_MS = 86_400_000;
/** Failures under settings that changed since are forgotten a week after their wait, which is at most a day. */
const FORGET_MS = 7 * 86_400_000;

/** The backoff of the provider with this id; undefined while it answers. */
export function readBackoff(state: string, id: string): Backoff | undefined {
  return readAll(state).get(id);
}

/** Tells whether the provider should be left alone. */
export function isBackingOff(state: string, id: string, now: Date): boolean {
  const backoff = readBackoff(state, id);
  return backoff !== undefined && backoff.until > now.toISOString();
}

/** Lengthens the backoff after a failure; the provider's own `retryAfterMs` counts when it is longer. */
export function noteFailure(state: string, id: string, error: unknown, now: Date): void {
  const all = readAll(state);
  const attempts = (all.get(id)?.attempts ?? 0) + 1;
  const errorClass = error instanceof ProviderError ? error.class : 'transient';
  const { firstMs, longestMs } = REACTIONS[errorClass].rest ?? { firstMs: 0, longestMs: 0 };
  const asked = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(Math.min(asked || 0, LONGEST_ASKED_MS), Math.min(longestMs, firstMs * 2 ** (attempts - 1)));
  const until = new Date(now.getTime() + waitMs).toISOString();
  all.set(id, { attempts, until, reason: messageOf(error) });
  const old = new Date(now.getTime() - FORGET_MS).toISOString();
  writeAll(state, new Map([...all].filter(([, backoff]) => backoff.until > old)));
}

/** Forgets the failures of a provider once it answers. */
export function clearBackoff(state: string, id: string): void {
  const all = readAll(state);
  if (all.delete(id)) writeAll(state, all);
}

function readAll(state: string): Map<string, Backoff> {
  const entries = Object.entries(fieldsOf(readJson(pathOf(state))));
  return new Map(
    entries.flatMap(([id, entry]) => {
      const { data } = backoffShape.safeParse(entry);
      return data === undefined ? [] : [[id, data]];
    }),
  );
}

function writeAll(state: string, all: Map<string, Backoff>): void {
  replaceFile(pathOf(state), JSON.stringify(Object.fromEntries(all)));
}

function pathOf(state: string): string {
  return join(state, 'backoff.json');
}
