import type { Cleaner } from '../../capture/drain/clean.ts';
import type { ErrorCode } from '../../errors.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** A record as its source brought it: nothing is cleaned, and its id may be anybody's. */
export interface BroughtRecord {
  /** With the id that the source gives it, or none. */
  record: MemoryRecord;
  /** Tells whether it says when it was made; else the time is that of the import, or of its file. */
  isDated: boolean;
  /** Tells whether it has anchors of its own, be it none at all. */
  isAnchored: boolean;
  /** git-mem's own export, complete: it is kept as it is, where others are sanitised or held to limits. */
  isOurs: boolean;
}

/** What a record is called where it comes from, whatever it says: a later import finds it again by this. */
export interface Origin {
  from: string;
  key: string;
}

/** Where something is in its source, for messages: the line of a file, or a name. */
export type Place = { line: number } | { place: string };

/** What becomes of one field of a source; `null`: it is left out, `because` of something. */
export interface FieldUse {
  table: string;
  column: string;
  becomes: string | null;
  because?: string;
}

/** What an importer finds, piece by piece. */
export type Arrival =
  | { kind: 'record'; at: Place; brought: BroughtRecord; origin?: Origin; isOfCapturedSession?: true }
  | { kind: 'problem'; at: Place; code: ErrorCode; message: string }
  | { kind: 'field'; field: FieldUse };

/** What an importer reads. */
export interface ImportSource {
  /** Absolute; undefined: where the tool itself keeps it. */
  path: string | undefined;
  workspace: Workspace;
  env: Record<string, string | undefined>;
  /** What the source calls this repository, where it holds several. */
  project: string | undefined;
  cleaner: Cleaner;
}

/** Reads the memory of another tool. One file each; adding one touches the list in `importers.ts` and nothing else. */
export interface Importer {
  /** As in `git mem import FROM`. */
  name: string;
  /** What it reads and where from, for the help. */
  describe: string;
  /** Throws GitMemError where the source as a whole cannot be read; a part of it that cannot is a `problem`. */
  read(source: ImportSource): AsyncIterable<Arrival> | Iterable<Arrival>;
}
