import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsed, questions } from './bootstrap-parsed.ts';
import { CHECKS } from './bootstrap-statements.ts';

/** A statement of a record that git does not confirm. */
export interface FalseStatement {
  record: string;
  statement: string;
  git: string;
}

/** What was looked at: with no statements checked nothing is proven. */
export interface CheckResult {
  records: number;
  statements: number;
  wrong: FalseStatement[];
}

/**
 * Reads the records that `bootstrap` wrote, from their Markdown alone, and asks git for each commit, date, number, file and
 * quotation that they state. It shares no code with what wrote them.
 */
export function checkBootstrapped(root: string, store: string): CheckResult {
  const paths = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  const records = paths
    .map((path) => readFileSync(join(store, path), 'utf8'))
    .filter((text) => /^extractor: "?bootstrap"?$/m.test(text))
    .map(parsed);
  const result: CheckResult = { records: records.length, statements: 0, wrong: [] };
  const git = questions(root);
  for (const record of records) {
    const confirm = (statement: string, isTrue: boolean, answer: string) => {
      result.statements++;
      if (!isTrue) result.wrong.push({ record: record.title, statement, git: answer });
    };
    for (const check of CHECKS) check(record, git, confirm);
  }
  return result;
}
