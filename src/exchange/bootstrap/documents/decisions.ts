import type { Finding } from '../finding.ts';
import { findDecisionRecords } from './decision-records.ts';
import { findRationales } from './rationales.ts';
import type { Reading } from './reading.ts';
import { findReleaseNotes } from './release-notes.ts';

/** Decisions that somebody already wrote down. */
export async function findDecisions(reading: Reading): Promise<Finding[]> {
  return [
    ...(await findDecisionRecords(reading)),
    ...(await findReleaseNotes(reading)),
    ...(await findRationales(reading)),
  ];
}
