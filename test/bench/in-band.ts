import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../../src/setup/demo/remove-folder.ts';
import { type Figure, printTable } from './table.ts';

const TESTS = 'test/e2e/in-band.test.ts';

/** Vitest's JSON report, as far as it is read. */
interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

/** What happens in real coding agents that are asked to save: the end-to-end test of it, one row a client. */
export async function inBand(): Promise<Figure[]> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-in-band-bench-')));
  try {
    const out = join(work, 'report.json');
    await vitest(['run', TESTS, '--reporter=json', `--outputFile=${out}`]);
    const { testResults }: Report = JSON.parse(readFileSync(out, 'utf8'));
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    printTable(
      'Saving in band, in real clients (GIT_MEM_CLIENTS names a folder of them)',
      ['client', 'what', ''],
      results.map(({ ancestorTitles, title, status }) => [
        ancestorTitles.join(' ').replaceAll("'", ''),
        title,
        verdict(status),
      ]),
    );
    const failed = results.filter(({ status }) => status === 'failed').length;
    const ran = failed + results.filter(({ status }) => status === 'passed').length;
    const promise = 'real agents that are asked to save, and do not as they should';
    return ran === 0 ? [] : [{ promise, bound: '0', value: `${failed} of ${ran}`, holds: failed === 0 }];
  } finally {
    await removeFolder(work);
  }
}

function verdict(status: string): string {
  if (status === 'passed') return 'holds';
  return status === 'failed' ? 'BROKEN' : 'left out: not installed';
}

/** Ends with 1 where a test fails: the report says which. */
function vitest(args: string[]): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...args], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', () => done());
  });
}
