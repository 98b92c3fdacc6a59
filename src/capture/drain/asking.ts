import { durationMs } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { log } from '../../memory/store/log.ts';
import type { Extraction, Extractor } from '../extract/extractor.ts';
import { typesOf } from '../extract/mode.ts';
import { ProviderError } from '../extract/provider.ts';
import type { Turn } from '../extract/turn.ts';
import type { DrainOptions } from './drain-options.ts';
import { withoutLocalPaths } from './local-paths.ts';
import type { SessionState, SessionTable } from './session-state.ts';

/**
 * How long a session waits after an unusable answer, doubled each time: each answer is paid for. The longest wait leaves time for
 * a few attempts before the turns are given up (`extract.fallback_after`).
 */
const AGAIN = { firstMs: 15 * 60_000, longestMs: 6 * 3_600_000 } as const;

interface AskingParts {
  /** Where the log is. */
  folder: string;
  options: DrainOptions;
  extractor: Extractor;
  table: SessionTable;
  /** Sessions that got no answer in this drain. */
  refused: Set<string>;
}

/** Asks the extractor about sessions; a session that cannot be asked about now waits. */
export function createAsking({ folder, options, extractor, table, refused }: AskingParts) {
  const { clock, config, signal, now = false } = options;
  let isPostponed = false;

  function noteFailure(state: SessionState, error: unknown): void {
    const time = clock();
    const count = (state.failure?.count ?? 0) + 1;
    // A provider that is down has its own backoff, for all sessions; an unusable answer concerns this session only.
    const isDown =
      error instanceof ProviderError && !['invalid-output', 'declined', 'bad-request'].includes(error.class);
    const waitMs = isDown ? 0 : Math.min(AGAIN.longestMs, AGAIN.firstMs * 2 ** (count - 1));
    const until = isDown ? '' : new Date(time.getTime() + waitMs).toISOString();
    isPostponed ||= isDown;
    refused.add(state.session);
    table.note({ ...state, failure: { since: state.failure?.since ?? time.toISOString(), count, until } });
  }

  return {
    /** Some session waits for a provider that is down; another pass would not help. */
    isPostponed: () => isPostponed,

    /**
     * Tells whether a session has waited for too long. Measured from the first failure to get an answer, so that a session
     * that is old when first seen is asked about.
     */
    isOverdue({ failure }: SessionState): boolean {
      if (failure === undefined) return false;
      return clock().getTime() - Date.parse(failure.since) > durationMs(config.extract.fallback_after);
    },

    /** What the extractor makes of these turns; undefined where they have to wait. */
    async ask(state: SessionState, turns: Turn[]): Promise<Extraction | undefined> {
      const { since, until } = state.failure ?? {};
      // One failure per pass is enough: every further question would fail too.
      isPostponed ||= extractor.isResting?.() ?? false;
      const rests = !now && until !== undefined && until > clock().toISOString();
      if (isPostponed || rests || refused.has(state.session)) {
        if (since === undefined)
          table.note({ ...state, failure: { since: clock().toISOString(), count: 0, until: '' } });
        return undefined;
      }
      try {
        return await extractor.extract(turns, {
          earlier: state.earlier,
          previousReply: state.reply,
          summary: state.summary,
          outcome: outcomeOf(state),
          local: withoutLocalPaths(state.root),
          nearest: options.nearest,
          types: typesOf(config),
          language: config.extract.language,
          signal,
        });
      } catch (error) {
        log(folder, `session postponed: ${messageOf(error)}`, clock());
        if (!signal.aborted) noteFailure(state, error);
        return undefined;
      }
    },
  };
}

export type Asking = ReturnType<typeof createAsking>;

function outcomeOf({ files_modified: files, lines }: SessionState): { files: string[]; commits: string[] } {
  const commits = lines.flatMap((turn) =>
    turn.commits.map(({ commit, subject }) => `${commit.slice(0, 9)} ${subject}`),
  );
  return { files, commits: [...new Set(commits)] };
}
