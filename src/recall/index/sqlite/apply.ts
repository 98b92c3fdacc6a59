import { dirname } from 'node:path/posix';
import type { StoreName } from '../../../memory/record.ts';
import { type Changes, FIELDS, type IndexDocument, type SeenFile } from '../memory-index.ts';
import { mentionsOf } from '../mentions.ts';
import type { Statements } from './statements.ts';
import { pathKey, toRow, toTokens } from './tables.ts';
import { noteWrite } from './view.ts';

/** Rows that no checkout uses are kept up to this many, or as many as are in use: a branch is checked out again. */
const IDLE_ROWS = 2000;

/** Idle rows are counted again after this many files came or went: counting takes longer than adding one. */
const PURGE_AFTER = 500;
const CHURN = 'churn';

/** Prepares the function that applies changes, to be called in a transaction. */
export function applier(sql: Statements, scopeOf: Record<StoreName, number>): (changes: Changes) => void {
  function apply({ seen, gone, documents, folders }: Changes): void {
    for (const document of documents) insert(document);
    for (const { store, path } of gone) sql.deactivate.run(scopeOf[store], path);
    const unsure = new Set(seen.filter((file) => !activate(file)).map(({ path }) => dirname(path)));
    for (const { store, folder, digest } of folders) {
      if (digest === undefined) sql.forgetFolder.run(scopeOf[store], folder);
      else sql.noteFolder.run(scopeOf[store], folder, unsure.has(folder) ? '' : digest);
    }
    for (const store of new Set([...seen, ...gone].map((one) => one.store))) noteWrite(sql, scopeOf[store]);
    const churn = Number(sql.meta.get(CHURN) ?? 0) + seen.length + gone.length;
    if (churn > PURGE_AFTER) purge();
    sql.setMeta.run(CHURN, String(churn > PURGE_AFTER ? 0 : churn));
  }

  function insert(document: IndexDocument): void {
    const { blob, id, created, session, prompt, card, terms, crc } = toRow(document);
    const values = [blob, id, created, session, prompt, card, terms, crc];
    const { changes, lastInsertRowid: row } = sql.insertDocument.run(...values);
    // Another process may have added it since we checked.
    if (changes === 0) return;
    const streams = document.terms.map(toTokens);
    sql.insertSearch.run(row, streams[0] ?? '', streams.slice(1).join(' '));
    for (const path of document.card.files) sql.insertCitation.run(pathKey(path), row);
    for (const id of mentionsOf(document.card)) sql.insertMention.run(id, row);
    sql.noteUnlearned.run(row);
  }

  /**
   * Tells whether the file's document is here: another process may have dropped it since we checked, and the next sync
   * reads the file.
   */
  function activate({ store, path, blob, size, modifiedMs, changedMs }: SeenFile): boolean {
    const found =
      blob === undefined ? undefined : (sql.termsOf.get(Buffer.from(blob, 'hex')) as [number, string] | undefined);
    const [row = null, terms = ''] = found ?? [];
    const counts = FIELDS.map((_, f) => terms.split('\n')[f]?.split(' ').filter(Boolean).length ?? 0);
    const isSure = blob === undefined || row !== null;
    sql.activate.run(scopeOf[store], path, row, size, isSure ? modifiedMs : -1, isSure ? changedMs : -1, ...counts);
    return isSure;
  }

  function purge(): void {
    const [all = 0] = sql.countAll.all() as number[];
    const [used = 0] = sql.countUsed.all() as number[];
    if (all - used <= Math.max(IDLE_ROWS, used)) return;
    for (const row of sql.idleRows.all() as number[]) {
      sql.deleteSearch.run(row);
      sql.deleteDocument.run(row);
    }
    for (const statement of sql.deleteOrphans) statement.run();
  }

  return apply;
}
