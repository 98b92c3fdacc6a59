import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { replaceFile } from '../repo/atomic.ts';
import { ProviderError } from './provider.ts';

/** Tokens that one provider counted. */
export interface Tokens {
  input: number;
  output: number;
}

/** What was spent with one provider since the file began. */
export interface Spending extends Tokens {
  calls: number;
}

/** The daily cap on paid tokens, whoever is paid, shared by every drain of this clone through one small file. */
export interface Budget {
  /** Tokens left today (UTC), never below zero. */
  remaining(): number;
  /** Throws ProviderError `quota`, to be retried after midnight UTC, where a call of this size would pass the cap. */
  reserve(tokens: number): void;
  /** Counts a finished call; `extractor` is `provider/model`. */
  spend(tokens: Tokens, extractor: string): void;
  /** Everything that was ever spent, by `provider/model`. */
  totals(): Record<string, Spending>;
}

const count = z.catch(z.int().check(z.nonnegative()), 0);
const tokens = z.object({ input: count, output: count });
const ledgerShape = z.object({
  day: z.string(),
  today: tokens,
  totals: z.catch(z.record(z.string(), z.object({ input: count, output: count, calls: count })), {}),
});
type Ledger = z.infer<typeof ledgerShape>;

export interface BudgetOptions {
  file: string;
  dailyTokens: number;
  now: () => Date;
  /** A model on this machine: what it takes is told, but is under no cap and leaves the others theirs. */
  isFree?: boolean;
}

/** Opens the budget kept in `file`; a file that is missing or unreadable counts as empty. */
export function createBudget({ file, dailyTokens, now, isFree = false }: BudgetOptions): Budget {
  // Where the file cannot be written, the cap still holds within this process.
  let unsaved: Ledger | undefined;

  const load = (): Ledger => {
    const day = now().toISOString().slice(0, 10);
    const ledger = unsaved ?? readLedger(file);
    return ledger.day === day ? ledger : { ...ledger, day, today: { input: 0, output: 0 } };
  };
  const remaining = () => {
    const { today } = load();
    return Math.max(0, dailyTokens - today.input - today.output);
  };

  return {
    remaining,
    reserve(wanted) {
      const left = remaining();
      if (isFree || wanted <= left) return;
      throw new ProviderError(
        'quota',
        `The daily budget of ${dailyTokens} tokens has ${left} left; ${wanted} are needed.`,
        {
          hint: 'Wait until midnight UTC, or raise extract.daily_tokens.',
          retryAfterMs: untilMidnight(now()),
        },
      );
    },
    spend(spent, extractor) {
      const ledger = load();
      if (!isFree) ledger.today = add(ledger.today, spent);
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
    totals: () => load().totals,
  };
}

function readLedger(file: string): Ledger {
  try {
    return ledgerShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing at first, and damage must not stop the drain: at worst a day's budget begins anew.
    return { day: '', today: { input: 0, output: 0 }, totals: {} };
  }
}

function add(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + whole(b.input), output: a.output + whole(b.output) };
}

function whole(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function untilMidnight(now: Date): number {
  return 86_400_000 - (now.getTime() % 86_400_000);
}
