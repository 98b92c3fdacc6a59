import type { Synced } from '../../exchange/sync/sync-folder.ts';
import { parseFileName } from '../../memory/file-name.ts';
import { counted } from '../../quantities.ts';
import type { Context } from './command.ts';
import { printJson, shown } from './print.ts';

/** Prints what a sync of a store did; `partner` is the remote as it may be shown, undefined without one. */
export function printSynced(
  { sent, received, removed, held }: Synced,
  context: Context,
  { partner, json }: { partner: string | undefined; json: boolean },
): void {
  const idsOf = (paths: string[]) => paths.flatMap((path) => parseFileName(path)?.id ?? []);
  if (held.length > 0) context.setExitCode(1);
  const [came, gone] = [idsOf(received.map(({ path }) => path)), idsOf(removed)];
  const ids = { sent: idsOf(sent), received: came, removed: gone, held: idsOf(held) };
  if (json) return void printJson(context.stdout, { remote: partner ?? null, ...ids });
  const parts = [
    sent.length > 0 && `${counted(sent.length, 'file')} ${partner === undefined ? 'committed' : 'sent'}`,
    received.length > 0 && `${counted(received.length, 'file')} received`,
    removed.length > 0 && `${counted(removed.length, 'file')} removed`,
  ].filter((part) => part !== false);
  const place = partner === undefined ? '' : ` (${shown(partner)})`;
  context.stdout.write(`${parts.length > 0 ? parts.join(', ') : 'Up to date'}${place}.\n`);
  for (const path of held) {
    context.stderr.write(`${shown(path)} stays here: it holds what the rules for secrets redact now.\n`);
  }
  if (held.length > 0) context.stderr.write('`git mem redact ID` hides what it says; `git mem scrub` removes it.\n');
}
