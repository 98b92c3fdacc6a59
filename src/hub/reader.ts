import { type Database, jsonFor } from './database/database.ts';
import type { ReadQuestion } from './database/read.ts';
import type { Viewer } from './port.ts';

/** Asks the one function that selects, for one viewer and some of the repositories that the viewer may read. */
export type Reader = <Answer>(question: ReadQuestion, argument?: object) => Promise<Answer[]>;

export function readerFor(database: Database, viewer: Viewer, repositories: readonly number[]): Reader {
  return async <Answer>(question: ReadQuestion, argument: object = {}) => {
    if (repositories.length === 0) return [];
    const sql = 'SELECT git_mem_hub.read($1, $2, $3, $4::text::jsonb) AS answer';
    const values = [viewer.principal, repositories, question, jsonFor(argument)];
    return (await database.ask<{ answer: Answer }>(sql, values)).map(({ answer }) => answer);
  };
}
