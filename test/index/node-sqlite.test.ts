import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { otherNode } from '../support/nodes.ts';
import { NODE_SQLITE_ERROR } from '../support/sqlite.ts';

const newer = otherNode(24);

// A Node that has SQLite runs these tests itself.
it.skipIf(NODE_SQLITE_ERROR === undefined || newer === undefined)(
  'passes the tests of the index with the SQLite of a newer Node',
  async () => {
    const files = ['memory-index', 'memory-index-writes', 'open', 'mentions', 'sync', 'view', 'warm'];
    const tests = files.map((name) => `test/index/${name}.test.ts`);
    const { NODE_OPTIONS: _, ...env } = process.env;
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', '--reporter', 'json', ...tests];
    const { stdout } = await promisify(execFile)(newer ?? '', args, { env, maxBuffer: 50_000_000 }).catch(
      (error: { stdout: string }) => error,
    );
    const report: Report = JSON.parse(/^\{"numTotal.*$/m.exec(stdout)?.[0] ?? '{}');
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)).toEqual([]);
    const passed = all.filter(({ status, fullName }) => status === 'passed' && fullName.includes('node:sqlite'));
    expect(passed.length).toBeGreaterThan(25);
  },
);

interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}
