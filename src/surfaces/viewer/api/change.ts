import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { GitMemError, isSystemError } from '../../../errors.ts';
import { isObjectId } from '../../../git/object-id.ts';
import { readBlobs, runGit } from '../../../git/objects.ts';
import { textDiff } from '../../../git/text-diff.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { filesOf, recordNamed } from '../cards.ts';
import type { Library } from '../library.ts';
import type { FileChange } from '../record-protocol.ts';

/** Longest diff that a page shows, in UTF-16 units: some thousand lines, of which the page draws 2000. */
const LONGEST = 200_000;

/** What changed in a file that a record cites; throws bad-input for any other file, no-such-record, ambiguous-id. */
export async function change(library: Library, prefix: string, query: URLSearchParams): Promise<FileChange> {
  const { workspace } = library.project;
  const path = query.get('file') ?? '';
  const { own } = await recordNamed(library, await library.snapshot(), prefix);
  const { record } = own;
  if (!filesOf(record).some((cited) => cited.path === path)) {
    const message = `The record does not cite "${path.slice(0, 200)}".`;
    throw new GitMemError('bad-input', message, { hint: 'Only files that it cites can be compared.' });
  }
  const blob = record.kind === 'observation' ? record.anchors[path] : undefined;
  const nothing = { path, diff: null, truncated: false };
  // A record may contain anything as an anchor; git would take it for a revision.
  if (!isObjectId(blob)) return nothing;
  const now = readCited(workspace.checkout.root, path);
  if (now === 'unreadable') return nothing;
  const before = await oldContent(workspace, blob);
  if (before === undefined) return nothing;
  if (before === 'too-large' || now === 'too-large') return { ...nothing, truncated: true };
  const hunks = await textDiff(before, now ?? Buffer.alloc(0), workspace.env);
  if (hunks === undefined) return nothing;
  if (hunks === '') return { path, diff: '', truncated: false };
  const name = /[\u0000-\u001f\u007f"]/.test(path) ? JSON.stringify(path) : path;
  const { text, truncated } = shortened(hunks);
  return { path, diff: `--- ${name}\n+++ ${now === undefined ? '/dev/null' : name}\n${text}`, truncated };
}

async function oldContent({ checkout, env }: Workspace, blob: string): Promise<Buffer | 'too-large' | undefined> {
  const size = await runGit(checkout.root, ['cat-file', '-s', blob], env);
  if (size === undefined) return undefined;
  if (Number(size) > MAX_FILE_BYTES) return 'too-large';
  return (await readBlobs(checkout.root, [blob], env)).get(blob);
}

/** Whole lines, up to the length that a page can show. */
function shortened(hunks: string): { text: string; truncated: boolean } {
  if (hunks.length <= LONGEST) return { text: hunks, truncated: false };
  return { text: hunks.slice(0, hunks.lastIndexOf('\n', LONGEST) + 1), truncated: true };
}

/** Larger files are not compared: they are generated, and the page would wait for lines that nobody reads. */
const MAX_FILE_BYTES = 2_000_000;

/**
 * The content of a file that a record cites; undefined if there is none. A record may cite any path: files outside the
 * repository, in git's own folder or behind a link are never read.
 */
function readCited(root: string, path: string): Buffer | 'too-large' | 'unreadable' | undefined {
  const parts = path.split('/');
  const isOdd = (part: string) => ['', '.', '..'].includes(part) || /^\.git$/i.test(part) || /[\0\\:]/.test(part);
  if (parts.some(isOdd)) return 'unreadable';
  const file = join(root, ...parts);
  let descriptor: number | undefined;
  try {
    // A folder on the way may be a link to anywhere.
    const real = realpathSync(root);
    if (realpathSync(dirname(file)) !== [real, ...parts.slice(0, -1)].join(sep)) return 'unreadable';
    // Does not block, because a FIFO would never answer.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return 'unreadable';
    return stat.size > MAX_FILE_BYTES ? 'too-large' : readFileSync(descriptor);
  } catch (error) {
    return isSystemError(error, 'ENOENT', 'ENOTDIR') ? undefined : 'unreadable';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
