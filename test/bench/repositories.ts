import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openGit } from '../../src/git/git.ts';
import { createEnvironment } from '../../src/setup/demo.ts';
import type { Environment } from '../../src/user-folders.ts';
import { CITED_CONTENT, CITED_FILES, generatedObservation } from '../support/generated-records.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { drop } from '../support/written-records.ts';
import { progressOf } from './progress.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figure, figuresIn, median, printTable } from './table.ts';

const REPOSITORIES = 50;
const RECORDS = 2_000;
const ROUNDS = 4;
/** Milliseconds for an answer of all repositories, from a server that was asked before. */
const BOUND = 300;

const QUESTIONS = [
  'why does the parser drop the session',
  'lease too short',
  'two writers race in the scheduler',
  'upload limit per second',
  'router truncates the schema when a header is missing',
];

/** What it takes to ask all repositories of a user at once, through the MCP server and the command line. */
export async function repositories(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const program = resolve('dist/bin.cjs');
    const env = createEnvironment(folder, program);
    const roots = await createRepositories(folder, program, env);
    const cwd = roots[0] ?? folder;
    const server = await connectMcp({ cwd, env });
    const ask = async (query: string, scope: string) => {
      const start = performance.now();
      const { data } = await server.call('search', { query, scope });
      if (data.hits.length === 0) throw new Error(`Nothing was found for "${query}".`);
      return performance.now() - start;
    };
    const cold = await ask('token cache', 'all');
    const here: number[] = [];
    const all: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const question of QUESTIONS) {
        here.push(await ask(question, 'here'));
        all.push(await ask(question, 'all'));
      }
    }
    await server.close();
    const rows = [
      figure('one repository, ms', median(here), 0),
      figure('all from warm, ms', median(all), 0, { atMost: BOUND }),
      figure('all, the slowest, ms', Math.max(...all), 0),
      figure('all, the first question, ms', cold, 0),
    ];
    const about = `an answer of ${REPOSITORIES} repositories with ${RECORDS.toLocaleString('en')} records each`;
    printTable(about, ['', 'value', 'bound', ''], rows);
    return figuresIn(rows, { about });
  });
}

/** Sets the repositories up as their user would, each with records of its own, committed and indexed. */
async function createRepositories(folder: string, program: string, env: Environment): Promise<string[]> {
  const progress = progressOf('repositories', REPOSITORIES);
  const roots: string[] = [];
  for (let n = 0; n < REPOSITORIES; n++) {
    const root = join(folder, `service-${n}`);
    for (const file of CITED_FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), CITED_CONTENT);
    }
    for (let i = n * RECORDS; i < (n + 1) * RECORDS; i++) drop({ root }, generatedObservation(i));
    const git = openGit(root, env, { config: ['user.name=Bench', 'user.email=bench@example.com'] });
    await git.init(['--initial-branch=main']);
    const run = (...args: string[]) => execFileSync(process.execPath, [program, ...args], { cwd: root, env });
    run('init', '--yes', '--json');
    await git.add('--all').commit('Memory');
    run('status', '--json');
    roots.push(root);
    progress.step();
  }
  progress.end();
  return roots;
}
