import { GitMemError } from '../errors.ts';
import type { Environment } from '../user-folders.ts';
import { startGit } from './child.ts';

/** How much of git's error output is kept, in UTF-16 units. */
const COMPLAINT = 4000;

/** Longest wait for one child, in milliseconds. */
const PATIENCE_MS = 30 * 60_000;

/** The allowed protocols, whatever settings or redirects say: `ext` runs programs, `http` can be altered in transit. */
const PROTOCOLS = [
  'protocol.allow=never',
  'protocol.ext.allow=never',
  ...['https', 'ssh', 'file', 'git'].map((protocol) => `protocol.${protocol}.allow=always`),
];

/** A server that sends next to nothing for a minute is given up. */
const STALLED = ['http.lowSpeedLimit=100', 'http.lowSpeedTime=60'];

const QUIET = ['gc.auto=0', 'maintenance.auto=false'];

/**
 * Runs one git child that may use the network, and returns its standard output; only for commands whose purpose that
 * is. It never prompts for a password. `settings` are further ones of git's; `onProgress` receives git's own output. Throws `git` when git is missing, fails
 * or takes too long.
 */
export async function networkGit(
  cwd: string,
  args: string[],
  env: Environment,
  {
    input = '',
    settings: own = [],
    onProgress = () => {},
  }: { input?: string; settings?: string[]; onProgress?: (line: string) => void } = {},
): Promise<string> {
  const settings = [...PROTOCOLS, ...STALLED, ...QUIET, ...own].flatMap((one) => ['-c', one]);
  let [output, complaint] = ['', ''];
  const onComplaint = (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT);
    const line = complaint.split(/[\r\n]+/).findLast((one) => one.trim() !== '');
    if (line !== undefined) onProgress(line.trim());
  };
  const options = { input, patienceMs: PATIENCE_MS, ending: 'SIGTERM', onComplaint } as const;
  const git = startGit(cwd, [...settings, ...args], env, options);
  git?.child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  if ((await git?.ended) === 0) return output;
  const lines = complaint.split(/[\r\n]+/);
  const reason = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.find((line) => line.trim() !== '');
  // An address may hold a password.
  const shortened = (reason ?? 'no reason given').trim().replace(/:\/\/[^/\s]*@/g, '://');
  throw new GitMemError('git', `git ${args[0]} failed: ${shortened}`, {
    hint: 'Try the same address with `git ls-remote`; nobody is asked for passwords here.',
  });
}
