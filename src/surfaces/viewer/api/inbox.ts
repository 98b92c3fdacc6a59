import { readEverything } from '../../../recall/query/read.ts';
import { isWaiting, type Waiting } from '../../../recall/query/waiting.ts';
import type { Library } from '../library.ts';
import type { Inbox, WaitingRecord } from '../protocol.ts';

/** What sessions wrote and nobody has accepted, newest first. */
export async function inbox({ project }: Library): Promise<Inbox> {
  const { records } = await readEverything(project.workspace);
  return { records: records.filter(isWaiting).map(waitingRecord) };
}

function waitingRecord({ record }: Waiting): WaitingRecord {
  const { id, type, title, generated } = record;
  const of = { id, type, title, created: generated.at };
  return record.kind === 'observation'
    ? { ...of, texts: [record.narrative, ...record.facts].filter(Boolean), files: record.files_modified }
    : {
        ...of,
        texts: [record.completed, record.learned].filter((text) => text !== '' && text !== 'None.'),
        files: record.files_edited,
      };
}
