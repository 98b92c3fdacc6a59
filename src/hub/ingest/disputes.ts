import type { Observation } from '../../memory/record.ts';
import { titleDisputes } from '../../recall/disputes/dispute.ts';
import { rivalsById } from '../../recall/disputes/rivals.ts';
import type { Query } from '../database/database.ts';

/**
 * Notes at each record of a repository which others its title contradicts. All active, reviewed observations are compared, a
 * fraction of a millisecond each, so that the answer depends on the files alone and not on the order of syncs.
 */
export async function noteDisputes(query: Query, repository: number): Promise<void> {
  const rows = await query<{ row: number; record: Observation; live: boolean; disputed_by: string[] }>(
    `SELECT row, record, NOT hidden AND request IS NULL AS live, disputed_by FROM record
     WHERE repository = $1 AND kind = 'observation' ORDER BY row`,
    [repository],
  );
  const rivals = rivalsById(titleDisputes(rows.filter(({ live }) => live).map(({ record }) => record)));
  const changed = rows.flatMap(({ row, record, live, disputed_by }) => {
    const now = live ? (rivals.get(record.id) ?? []) : [];
    return now.join() === disputed_by.join() ? [] : [{ row, disputed_by: now }];
  });
  if (changed.length === 0) return;
  await query(
    `UPDATE record SET disputed_by = new.disputed_by
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, disputed_by text[])
     WHERE record.repository = $1 AND record.row = new.row`,
    [repository, JSON.stringify(changed)],
  );
}
