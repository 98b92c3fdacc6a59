import type { Environment } from '../../../user-folders.ts';
import type { Finding } from '../finding.ts';
import type { History } from '../history.ts';
import { findCommands } from './commands.ts';
import { findDecisions } from './decisions.ts';
import { findLayout } from './layout.ts';
import { findRules } from './rules.ts';

/** What the files at HEAD say to somebody new: how to work here, where things lie, what is asked of a change, what was decided. */
export async function findDocumented(root: string, env: Environment, history: History): Promise<Finding[]> {
  const read = { root, env, history };
  const commands = await findCommands(read);
  return [
    ...commands.findings,
    ...(await findLayout(read)),
    ...(await findRules(read, commands.told)),
    ...(await findDecisions(read)),
  ];
}
