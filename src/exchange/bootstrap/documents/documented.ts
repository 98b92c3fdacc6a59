import type { Environment } from '../../../user-folders.ts';
import type { Finding } from '../finding.ts';
import type { History } from '../history.ts';
import { findCommands } from './commands.ts';
import { findDecisionRecords } from './decision-records.ts';
import { findLayout } from './layout.ts';
import { findRationales } from './rationales.ts';
import type { Reading } from './reading.ts';
import { findReleaseNotes } from './release-notes.ts';
import { findRules } from './rules.ts';

/**
 * Findings for newcomers from the files at HEAD: how to work here, where things are, what is expected of a change, what
 * was decided.
 */
export async function findDocumented(root: string, env: Environment, history: History): Promise<Finding[]> {
  const read = { root, env, history };
  const commands = await findCommands(read);
  return [
    ...commands.findings,
    ...(await findLayout(read)),
    ...(await findRules(read, commands.quoted)),
    ...(await findDecisions(read)),
  ];
}

/** Decisions that somebody already wrote down. */
async function findDecisions(reading: Reading): Promise<Finding[]> {
  return [
    ...(await findDecisionRecords(reading)),
    ...(await findReleaseNotes(reading)),
    ...(await findRationales(reading)),
  ];
}
