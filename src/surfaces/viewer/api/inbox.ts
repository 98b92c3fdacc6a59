import type { Observation } from '../../../memory/record.ts';
import { isWaiting, type Waiting } from '../../../records/annotate.ts';
import { readEverything } from '../../../records/read.ts';
import type { Library } from '../library.ts';
import type { Inbox, NewRecord, WaitingRecord } from '../protocol.ts';

/** What sessions wrote and nobody has accepted, newest first. */
export async function inbox({ project }: Library): Promise<Inbox> {
  const { records } = await readEverything(project.workspace);
  return { records: records.filter(isWaiting).map(waitingRecord) };
}

function waitingRecord({ record }: Waiting): WaitingRecord {
  const { id, type, title, generated } = record;
  const of = { id, type, title, created: generated.at };
  return record.kind === 'observation'
    ? {
        ...of,
        texts: [record.narrative, ...record.facts].filter(Boolean),
        files: record.files_modified,
        draft: draftOf(record),
      }
    : {
        ...of,
        texts: [record.completed, record.learned].filter((text) => text !== '' && text !== 'None.'),
        files: record.files_edited,
      };
}

function draftOf(record: Observation): NewRecord {
  const { type, title, subtitle = '', narrative, facts, concepts, files_modified, files_read, supersedes } = record;
  return { type, title, subtitle, narrative, facts, concepts, files_modified, files_read, supersedes };
}
