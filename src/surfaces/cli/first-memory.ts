import { bootstrap } from '../../exchange/bootstrap/bootstrap.ts';
import type { Project } from '../../project.ts';
import { counted } from '../../quantities.ts';
import type { Destination } from '../../setup/memory-files.ts';
import { shown } from './print.ts';
import { askConsent, type Terminal } from './wizard.ts';

/**
 * Offers a first memory to a user who has just set up a repository, and shows it before anything is written. Returns
 * how many records were written: 0 if some exist already, nothing is committed, or the answer is no.
 */
export async function offerFirstMemory(
  { workspace, cleaner }: Project,
  { destination, now }: { destination: Destination; now: Date },
  terminal: Terminal,
): Promise<number> {
  const { team, private: own } = workspace.stores;
  if (team.ids().length + own.ids().length > 0) return 0;
  const about = [
    'How to build and test, what reviewers ask for, what was reverted and why:',
    'read from the files and the history, offline.',
  ];
  const offer = { title: 'A first memory', lines: about, question: 'Show what it would learn?' };
  if (!(await askConsent(offer, terminal))) return 0;
  const options = { store: destination, limit: 30, cleaner: await cleaner(), now };
  const { records } = await bootstrap(workspace, { ...options, dryRun: true });
  if (records.length === 0) return 0;
  const lines = records.map(({ record }) => shown(record.title));
  const where = destination === 'team' ? '.memory/' : 'the private store';
  const question = `Write ${counted(records.length, 'record')} to ${where}?`;
  if (!(await askConsent({ title: 'It would remember', lines, question }, terminal))) return 0;
  return (await bootstrap(workspace, options)).records.length;
}
