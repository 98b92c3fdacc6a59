import { spawn } from 'node:child_process';
import type { Environment } from './layout.ts';

/** Longest that a hook waits for git, in milliseconds. */
const PATIENCE_MS = 3000;

/** The environment for git children: git inside a git hook inherits GIT_DIR and GIT_INDEX_FILE, which would mislead it. */
export function gitEnvironment(env: Environment): Environment {
  const clean = Object.entries(env).filter(([key]) => !key.startsWith('GIT_') || key === 'GIT_CONFIG_GLOBAL');
  // A partial clone would fetch what it lacks: nothing here may use the network.
  return { ...Object.fromEntries(clean), GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
}

/** Runs one git child and gives its standard output; undefined when git is missing, fails or takes too long. */
export function runGit(cwd: string, args: string[], env: Environment, input = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd, env: gitEnvironment(env), stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => {}); // git that died early: its exit tells.
    child.on('error', () => finish(undefined));
    child.on('close', (code) => finish(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
    child.stdin.end(input);
    function finish(output: string | undefined): void {
      clearTimeout(timer);
      resolve(output);
    }
  });
}

/** The object ids of revision expressions (`HEAD:src/a.ts`), undefined for those that name nothing; one git child. */
export async function objectIds(
  cwd: string,
  expressions: string[],
  env: Environment,
): Promise<(string | undefined)[] | undefined> {
  if (expressions.length === 0) return [];
  // A line feed would end the request: such a path is asked about as a name that cannot exist.
  const input = expressions.map((expression) => `${expression.replaceAll('\n', '\u0001')}\n`).join('');
  const output = await runGit(cwd, ['cat-file', '--batch-check=%(objectname)'], env, input);
  if (output === undefined) return undefined;
  const lines = output.split('\n');
  return expressions.map((_, i) => (/^[0-9a-f]{40,64}$/.test(lines[i] ?? '') ? lines[i] : undefined));
}
