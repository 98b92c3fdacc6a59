import { endOfFrontMatter, plainLines } from '../../memory/front-matter-lines.ts';
import { CHANGE_TYPES, type MemoryRecord } from '../../memory/record.ts';
import type { StoredFile } from '../../memory/store/store.ts';

/** What a session itself showed about the work of its turns, by their prompt numbers. */
interface Proofs {
  checked: number[];
  takenBack: number[];
}

/** What sessions showed, from their digests in the private store, newest first: without git, and without parsing YAML. */
export function proofsIn(digests: StoredFile[]): Map<string, Proofs> {
  const found = new Map<string, Proofs>();
  for (const { text } of digests) {
    const source = plainLines(text);
    const front = source.slice(0, endOfFrontMatter(source) ?? 0);
    const session = /^session: "([^"\n]+)"$/m.exec(front)?.[1];
    if (session === undefined || found.has(session)) continue;
    found.set(session, { checked: numbersIn(front, 'checked'), takenBack: numbersIn(front, 'taken_back') });
  }
  return found;
}

function numbersIn(front: string, key: 'checked' | 'taken_back'): number[] {
  const line = new RegExp(`^${key}: \\[([^\\]\n]*)\\]$`, 'm').exec(front)?.[1] ?? '';
  return (line.match(/\d+/g) ?? []).map(Number);
}

/** What its session showed about a record that changed files. */
export function shownBySession(
  proofs: ReadonlyMap<string, Proofs>,
  record: MemoryRecord,
): { isChecked?: true; isTakenBack?: true } {
  if (record.kind !== 'observation' || record.files_modified.length === 0) return {};
  const { checked = [], takenBack = [] } = proofs.get(record.session ?? '') ?? {};
  const number = record.prompt_number ?? -1;
  const isTakenBack = takenBack.includes(number) && CHANGE_TYPES.includes(record.type);
  return { ...(checked.includes(number) && { isChecked: true }), ...(isTakenBack && { isTakenBack: true }) };
}
