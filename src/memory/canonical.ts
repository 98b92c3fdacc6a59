import { sectionsOf } from './body.ts';
import { block, LIMITS, type MemoryRecord, oneLine } from './record.ts';

/**
 * The record in the form that a file can hold; every record passes through here. `decode(encode(canonical(r)))` equals
 * `canonical(r)`, and `canonical` leaves a canonical record unchanged.
 */
export function canonical<R extends MemoryRecord>(record: R): R;
export function canonical(record: MemoryRecord): MemoryRecord {
  const common = canonicalCommon(record);
  switch (record.kind) {
    case 'observation':
      return pruned({
        ...common,
        kind: record.kind,
        type: oneLine(record.type) || 'change',
        title: oneLine(record.title) || titleFrom(record.narrative) || record.id,
        subtitle: optionalLine(record.subtitle),
        concepts: lines(record.concepts),
        files_modified: lines(record.files_modified),
        files_read: lines(record.files_read),
        anchors: canonicalAnchors(record.anchors),
        supersedes: lines(record.supersedes),
        extractor: optionalLine(record.extractor),
        discovery_tokens: wholeNumber(record.discovery_tokens),
        narrative: block(record.narrative),
        facts: record.facts.map(block).filter((fact) => fact !== ''),
      });
    case 'summary':
      return pruned({
        ...common,
        kind: record.kind,
        type: record.type,
        title: oneLine(record.title) || titleFrom(record.request) || record.id,
        files_read: lines(record.files_read),
        files_edited: lines(record.files_edited),
        supersedes: lines(record.supersedes),
        extractor: optionalLine(record.extractor),
        discovery_tokens: wholeNumber(record.discovery_tokens),
        started: optionalLine(record.started),
        stopped: record.stopped,
        commits: record.commits && nonEmpty(lines(record.commits)),
        checked: wholeNumbers(record.checked),
        taken_back: wholeNumbers(record.taken_back),
        ...sectionsOf(record, block),
      });
    case 'mark':
      return pruned({
        ...common,
        kind: record.kind,
        type: record.type,
        targets: lines(record.targets),
        by: optionalLine(record.by),
        hashed_with: optionalLine(record.hashed_with),
        hashes: record.hashes && nonEmpty(lines(record.hashes)),
        guards: record.guards && nonEmpty(lines(record.guards)),
        asks: record.asks,
        anchors: markAnchors(record.anchors),
        reason: block(record.reason),
      });
    case 'prompt':
      return pruned({ ...common, kind: record.kind, text: block(record.text) });
    default:
      return record satisfies never;
  }
}

function canonicalCommon(record: MemoryRecord) {
  return {
    id: record.id,
    generated: pruned({
      by: oneLine(record.generated.by),
      name: optionalLine(record.generated.name),
      at: oneLine(record.generated.at),
    }),
    session: optionalLine(record.session),
    prompt_number: wholeNumber(record.prompt_number),
    branch: optionalLine(record.branch),
    commit: optionalLine(record.commit),
    extra: record.extra && Object.keys(record.extra).length > 0 ? record.extra : undefined,
  };
}

/** The substitute for a missing title: the start of the first line. */
function titleFrom(text: string): string {
  return oneLine(oneLine(block(text).split('\n')[0] ?? '').slice(0, LIMITS.title));
}

function lines(values: string[]): string[] {
  return [...new Set(values.map(oneLine).filter((value) => value !== ''))];
}

function wholeNumbers(values: number[] = []): number[] | undefined {
  return nonEmpty([...new Set(values.flatMap((value) => wholeNumber(value) ?? []))]);
}

function nonEmpty<T>(values: T[]): T[] | undefined {
  return values.length > 0 ? values : undefined;
}

function optionalLine(value: string | undefined): string | undefined {
  const line = value === undefined ? '' : oneLine(value);
  return line === '' ? undefined : line;
}

function wholeNumber(value: number | undefined): number | undefined {
  // Plus zero, so that -0 becomes 0, as when read from a file.
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined;
}

function canonicalAnchors(anchors: Record<string, string>): Record<string, string> {
  const entries = Object.entries(anchors).map(([path, blob]) => [oneLine(path), blob] as const);
  const kept = entries.filter(([path]) => path !== '' && path !== '__proto__');
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function markAnchors(anchors: Record<string, string> = {}): Record<string, string> | undefined {
  const kept = canonicalAnchors(anchors);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Leaves out keys whose value is undefined, so that equal records are deeply equal. */
function pruned<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
