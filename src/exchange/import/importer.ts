import type { Cleaner } from '../../capture/drain/clean.ts';
import type { ErrorCode } from '../../errors.ts';
import { clampPhrase } from '../../memory/clamp.ts';
import { LIMITS, type MemoryRecord, oneLine } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Environment } from '../../user-folders.ts';

/** A record as its source has it: nothing is cleaned, and its id may be anyone's. */
export interface BroughtRecord {
  /** With the source's id, or none. */
  record: MemoryRecord;
  /** Whether the source says when it was made; otherwise the time is that of the import, or of its file. */
  isDated: boolean;
  /** Whether it has anchors of its own, even if empty. */
  isAnchored: boolean;
  /** git-mem's own export, complete: kept as it is, while others are sanitised and held to limits. */
  isOurs: boolean;
}

/** A record's name in its source, independent of its content: a later import finds the record by this. */
export interface Origin {
  from: string;
  key: string;
}

/** A place in the source, for messages: the line of a file, or a name. */
export type Place = { line: number } | { place: string };

/** What an importer yields, piece by piece. */
export type Arrival =
  | { kind: 'record'; at: Place; brought: BroughtRecord; origin?: Origin }
  | { kind: 'problem'; at: Place; code: ErrorCode; message: string };

/** What an importer reads. */
export interface ImportSource {
  /** Absolute; undefined for the tool's own default location. */
  path: string | undefined;
  workspace: Workspace;
  env: Environment;
  /** The source's name for this repository, if it has several. */
  project: string | undefined;
  cleaner: Cleaner;
}

/** Reads the memory of another tool. Listed in `importers.ts`. */
export interface Importer {
  /** As in `git mem import FROM`. */
  name: string;
  /** What it reads and from where, for the help. */
  describe: string;
  /** Throws GitMemError if the source as a whole cannot be read; an unreadable part is a `problem`. */
  read(source: ImportSource): AsyncIterable<Arrival> | Iterable<Arrival>;
}

/** A one-phrase title; the rest goes before the text, so that nothing is lost. */
export function titled(title: string, narrative: string): { title: string; narrative: string } {
  const line = oneLine(title);
  if (line.length <= LIMITS.title) return { title: line, narrative };
  return { title: clampPhrase(line, LIMITS.title), narrative: [line, narrative].filter(Boolean).join('\n\n') };
}
