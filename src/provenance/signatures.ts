import { resolve } from 'node:path';
import { parseRawLog, RAW_LOG, runGit } from '../git/objects.ts';
import { isInside } from '../git/paths.ts';
import { realpathSync } from '../looks.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** Most commits whose signatures are verified, newest first: each costs two processes. */
const MOST_COMMITS = 50;

/** Most paths on one command line, 50 KB of macOS's 1 MB; further files stay unreviewed until somebody reviews them. */
const MOST_PATHS = 400;

/** Their settings; the repository's own may name a list that came with it. */
const KEYS = '^(gpg\\.ssh\\.allowedsignersfile|core\\.repositoryformatversion)$';

/** Verifying takes longer than asking git for objects, and a session start waits for it. In milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Which of these files, as `blob path`, were added by a commit with a good SSH signature of somebody in
 * `gpg.ssh.allowedSignersFile` of the user or the machine. None without that setting. An author's name is only text; a signature is not.
 */
export async function signedBlobs(
  { checkout, env }: Workspace,
  places: { path: string; blob: string }[],
): Promise<Set<string>> {
  const { root, commonDir } = checkout;
  // The format's version is in every repository, so no list is an answer too, and what rests on it may be kept.
  const question = ['config', '--type=path', '--show-scope', '-z', '--get-regexp', KEYS];
  const settings = ((await runGit(root, question, env)) ?? '').split('\0');
  const listed = settings.filter((_, i) => /^(?:global|system)$/.test(settings[i - 1] ?? ''));
  const given = listed.findLast((one) => one.startsWith('gpg.'))?.replace(/^.*\n/, '') ?? '';
  const file = resolve(root, given);
  // A list of signers inside the checkout came with it: any branch can add a key.
  if (given === '' || (isWithin(root, file) && !isWithin(commonDir, file))) return new Set();
  const wanted = new Set(places.map(({ path, blob }) => `${blob} ${path}`));
  const log = [
    ...[
      '-c',
      `gpg.ssh.allowedSignersFile=${file}`,
      'log',
      `--max-count=${MOST_COMMITS}`,
      '--format=%G? %GK',
      ...RAW_LOG,
      '--no-renames',
      '--diff-filter=AM',
    ],
    ...['HEAD', '--'],
    ...places.slice(0, MOST_PATHS).map(({ path }) => `:(top,literal)${path}`),
  ];
  const output = (await runGit(root, log, env, { patienceMs: PATIENCE_MS })) ?? '';
  const signed = new Set<string>();
  for (const { head, changes } of parseRawLog(output)) {
    // Keys of the GnuPG keyring are trusted for other reasons than being allowed here.
    if (!head.startsWith('G SHA256:')) continue;
    for (const { blob, path } of changes) if (wanted.has(`${blob} ${path}`)) signed.add(`${blob} ${path}`);
  }
  return signed;
}

function isWithin(folder: string, path: string): boolean {
  try {
    return isInside(realpathSync(path), realpathSync(folder));
  } catch {
    return false; // No such file: git finds no signer in it either.
  }
}
