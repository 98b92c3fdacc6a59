import { bootstrap } from '../../exchange/bootstrap/bootstrap.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import type { Project } from '../../project.ts';
import { counted } from '../../quantities.ts';
import type { Destination } from '../../setup/memory-files.ts';
import { shown } from './print.ts';
import { askConsent, type Terminal } from './wizard.ts';

/**
 * Offers a first memory to a user who has just set up a repository, and shows it before anything is written. Returns
 * how many records were written: 0 if some exist already, no branch is reviewed, or the answer is no.
 */
export async function offerFirstMemory(
  { workspace, cleaner }: Project,
  { destination }: { destination: Destination },
  terminal: Terminal,
): Promise<number> {
  const { team, private: own } = workspace.stores;
  if (team.ids().length + own.ids().length > 0 || reviewedBranch(workspace).ref === undefined) return 0;
  const about = [
    'How to build and test, what is asked of a change, what was decided:',
    'quoted from the reviewed branch, offline.',
  ];
  const offer = { title: 'A first memory', lines: about, question: 'Show what it would quote?' };
  if (!(await askConsent(offer, terminal))) return 0;
  const options = { store: destination, limit: 20, cleaner: await cleaner() };
  const { records } = await bootstrap(workspace, { ...options, dryRun: true });
  if (records.length === 0) return 0;
  const lines = records.map(({ record }) => shown(record.title));
  const where = destination === 'team' ? '.memory/' : 'the private store';
  const question = `Write ${counted(records.length, 'record')} to ${where}?`;
  if (!(await askConsent({ title: 'It would remember', lines, question }, terminal))) return 0;
  return (await bootstrap(workspace, options)).records.length;
}
