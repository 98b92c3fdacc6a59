import type { Database, Query } from '../../src/hub/database/database.ts';
import type { BareRemote } from './hub-organisation.ts';

/** The name of a repository's copy. */
const copyName = (name: string, copy: number) => `${name}-copy${copy}`;

/** The repositories and their copies, which name the same remotes. */
export function withCopies(remotes: BareRemote[], copies: number): BareRemote[] {
  const made = Array.from({ length: copies }, (_, i) => {
    return remotes.map(({ name, root }) => ({ name: copyName(name, i + 1), root }));
  });
  return [...remotes, ...made.flat()];
}

/**
 * Multiplies what a database holds: each copy is a repository of its own, with records of its own ids and blobs and the
 * same words. Tells about sizes and questions, and nothing about syncing.
 */
export async function addCopies(database: Database, copies: number): Promise<void> {
  await database.transaction(async (query) => {
    await query("SET LOCAL maintenance_work_mem = '1GB'");
    // Vectors are not copied; their table would keep the key of the records.
    await query('DROP TABLE IF EXISTS embedding');
    await query(
      `INSERT INTO repository (name, url, teams, head, memory, documents, records, lengths, bytes, next_row, synced_at)
       SELECT name || '-copy' || copy, url, teams, head, memory, documents, records, lengths, bytes, next_row, now()
       FROM repository CROSS JOIN generate_series(1, $1::integer) copy`,
      [copies],
    );
    const indexes = await query<{ indexname: string; indexdef: string; tablename: string }>(
      "SELECT indexname, indexdef, tablename FROM pg_indexes WHERE tablename IN ('record', 'posting')",
      [],
    );
    for (const { indexname, tablename } of indexes) {
      if (indexname.endsWith('_pkey')) await query(`ALTER TABLE ${tablename} DROP CONSTRAINT ${indexname}`);
      else await query(`DROP INDEX ${indexname}`);
    }
    await copyRows(query, 'record', {
      repository: 'copy.number',
      oid: 'md5(r.oid || copy.name) || left(r.oid, 8)',
      id: 'left(md5(r.id || copy.name), 10)',
      record: "jsonb_set(r.record, '{id}', to_jsonb(left(md5(r.id || copy.name), 10)))",
    });
    await copyRows(query, 'posting', { repository: 'copy.number' });
    for (const { indexdef } of indexes) await query(indexdef);
  });
  await database.query('VACUUM ANALYZE');
}

/** Copies the rows of a table for each copy of their repository, with some columns as these expressions say. */
async function copyRows(query: Query, table: string, changed: Record<string, string>): Promise<void> {
  const columns = await query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
    [table],
  );
  const names = columns.map(({ name }) => name);
  await query(
    `INSERT INTO ${table} (${names.join(', ')})
     SELECT ${names.map((name) => changed[name] ?? `r.${name}`).join(', ')}
     FROM repository original
     JOIN repository copy ON copy.name LIKE original.name || '-copy%' AND copy.url = original.url
     JOIN ${table} r ON r.repository = original.number
     WHERE original.name NOT LIKE '%-copy%'`,
  );
}
