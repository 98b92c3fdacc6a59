import { createHash } from 'node:crypto';
import { isSystemError } from '../errors.ts';
import { bugAddress, packageVersion } from '../templates.ts';

/** The address for reporting a bug. Its code comes from the stack, never from the message, which may quote private text. */
export function bugReport(error: unknown, address = bugAddress()): string {
  const version = `git-mem ${packageVersion()}, Node ${process.versions.node}, ${process.platform}`;
  const code = codeOf(error);
  if (!address) return `Report it where you got git-mem from: "${version}, code ${code}".`;
  const question = new URLSearchParams({ title: `Bug ${code}`, body: `${version}, code ${code}\n\nWhat I did: ` });
  return `Report it: ${address}/new?${question}`;
}

function codeOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)) : [];
  const hash = createHash('sha256').update([name, ...frames.map(functionOf)].join('\n'));
  return hash.digest('hex').slice(0, 8); // As many digits as people copy; they tell the bugs of one version apart.
}

/** A stack frame without the file, whose path is the user's. */
function functionOf(frame: string): string {
  const [place = ''] = /:\d+:\d+\)?$/.exec(frame) ?? [];
  return `${frame.slice(0, Math.max(0, frame.lastIndexOf(' (')))} ${place}`;
}

/** The hint for a problem of this machine's file system, after which the work can be retried. */
export function machineHint(error: unknown): string | undefined {
  const doctor = '`git mem doctor` shows which folders cannot be written.';
  const isFull = isSystemError(error, 'ENOSPC', 'EDQUOT');
  if (isFull) return `Make room and run it again: what was captured is kept. ${doctor}`;
  return isSystemError(error, ...SURROUNDINGS) ? doctor : undefined;
}

const SURROUNDINGS = ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EMFILE', 'ENFILE', 'ELOOP'];
