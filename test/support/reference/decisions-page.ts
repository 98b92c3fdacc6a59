import { foldMarks, isHidden } from '../../../src/memory/marks.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { folderFiles } from '../../../src/memory/store/folder.ts';
import { openSource } from '../../../src/memory/store/source.ts';

/** One active decision of a memory, rendered. */
export interface Decision {
  id: string;
  section: string;
}

/** The active decisions in a `.memory/` folder, newest first, as sections of docs/decisions.md. */
export function decisions(memory: string): Decision[] {
  const source = openSource('team', folderFiles(memory), 'sha1');
  const states = foldMarks([...source.newest()].map((entry) => source.read(entry).record));
  return [...source.newest('observation')].flatMap((entry) => {
    const { record } = source.read(entry);
    if (record.kind !== 'observation' || record.type !== 'decision' || isHidden(states.of(record.id))) return [];
    return [{ id: record.id, section: sectionOf(record, entry.path) }];
  });
}

/** The generated part of docs/decisions.md. */
export function decisionsPart(found: Decision[]): string {
  return found.map(({ section }) => section).join('\n\n');
}

function sectionOf({ title, narrative, facts, generated }: Observation, path: string): string {
  return [
    `## ${title}`,
    `${generated.at.slice(0, 10)}, [record](../.memory/${path})`,
    ...(narrative === '' ? [] : [narrative]),
    ...(facts.length === 0 ? [] : [facts.map((fact) => `- ${fact}`).join('\n')]),
  ].join('\n\n');
}
