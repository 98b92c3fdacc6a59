import { getHeapStatistics } from 'node:v8';
import { GitMemError } from '../../errors.ts';

/** Memory for a record, in bytes: 3,900 measured with all that is computed about it, plus what commands add. */
const BYTES_A_RECORD = 5000;

/** Memory for a record of which only the index was read, in bytes: a heap of 4,100 for each was just enough. */
export const BYTES_A_CARD = 4000;

/**
 * Throws too-large if this many records, or cards of them, would not fit into this process, which would otherwise run
 * out of memory without a useful message.
 */
export function requireRoom(
  records: number,
  heapBytes = getHeapStatistics().heap_size_limit,
  bytesEach = BYTES_A_RECORD,
): void {
  const needed = records * bytesEach;
  if (needed <= heapBytes) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20).toLocaleString('en');
  throw new GitMemError(
    'too-large',
    `${records.toLocaleString('en')} records at once need about ${megabytes(needed)} MB, and this process may take ${megabytes(heapBytes)} MB.`,
    {
      hint: `Give it more with NODE_OPTIONS=--max-old-space-size=${Math.ceil((needed * 1.2) / 2 ** 20)}. \`git mem list\` and \`search\` need no more.`,
    },
  );
}
