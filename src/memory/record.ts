/**
 * What a memory is made of. Property names are the front matter's and the JSON shapes' own (snake_case),
 * so that a record reads the same in the file, in the code and in `--json`.
 */

/**
 * The observation types that every store has; a team may add more in its configuration. A rule says how things are done
 * here, always or never, as a person said it; it does not age with files.
 */
export const OBSERVATION_TYPES = [
  'rule',
  'decision',
  'bugfix',
  'feature',
  'refactor',
  'discovery',
  'change',
  'security',
] as const;

/** Whether a record, or its card in an index, is a rule. */
export function isRule({ kind, type }: { kind: Kind; type?: string }): boolean {
  return kind === 'observation' && type === 'rule';
}

/** What a mark can say about other records. */
export const MARK_TYPES = ['supersede', 'retire', 'pin', 'verify', 'redact', 'undo'] as const;
export type MarkType = (typeof MARK_TYPES)[number];

export const KINDS = ['observation', 'summary', 'mark', 'prompt'] as const;
export type Kind = (typeof KINDS)[number];

/** A front matter value as the failsafe YAML schema gives it: every scalar is a string. */
export type YamlValue = string | YamlValue[] | { [key: string]: YamlValue };

/** Who a guard makes the host ask before it goes on. */
export const ASKED = ['person'] as const;
export type Asked = (typeof ASKED)[number];

/** Who wrote the record and when. */
export interface Generated {
  /** The agent's host (`claude-code/2.1.329`), or the surface where it was done by hand: `cli`, `viewer`. */
  by: string;
  /** Git's name for the person who did it by hand. A claim, like everything in a record: trust never uses it. */
  name?: string;
  /** ISO 8601, UTC, whole seconds. */
  at: string;
}

/** What records of every kind have. */
export interface Common {
  /** Ten characters of lower-case Crockford base32. */
  id: string;
  generated: Generated;
  session?: string;
  /** Number of the user's prompt within the session, from 1. */
  prompt_number?: number;
  branch?: string;
  /** Commit that HEAD named at capture. */
  commit?: string;
  /** Keys that this version does not know, kept as they were read. */
  extra?: Record<string, YamlValue>;
}

export interface Observation extends Common {
  kind: 'observation';
  type: string;
  title: string;
  subtitle?: string;
  concepts: string[];
  /** Repository-relative POSIX paths. */
  files_modified: string[];
  files_read: string[];
  /** Git blob ids of the cited files at capture, by path. */
  anchors: Record<string, string>;
  /** Ids of the records that this one replaces. */
  supersedes: string[];
  extractor?: string;
  /** What its session took in before from sources other than the user and the reviewed branch: `web`, `mcp:NAME`, `outside`. */
  inputs?: string[];
  /** Tokens that the agent spent on the work behind the record. */
  discovery_tokens?: number;
  narrative: string;
  facts: string[];
}

/** The text of an observation, which its author chooses; the rest is added when it is written. */
export type Content = Pick<
  Observation,
  'type' | 'title' | 'narrative' | 'facts' | 'concepts' | 'files_modified' | 'files_read'
>;

/** An observation that says nothing yet. */
export const NO_CONTENT: Content = {
  type: '',
  title: '',
  narrative: '',
  facts: [],
  concepts: [],
  files_modified: [],
  files_read: [],
};

/** A summary of a session, or the private digest of its turns: `request` is its text, as in `session-digest.ts`. */
export const SUMMARY_TYPES = ['summary', 'digest'] as const;
export type SummaryType = (typeof SUMMARY_TYPES)[number];

/** How a session stopped other than by ending: its last turn has no end. */
export const SESSION_STOPS = ['interrupted'] as const;
export type SessionStop = (typeof SESSION_STOPS)[number];

export interface Summary extends Common {
  kind: 'summary';
  type: SummaryType;
  title: string;
  files_read: string[];
  files_edited: string[];
  supersedes: string[];
  extractor?: string;
  inputs?: string[];
  discovery_tokens?: number;
  /** Of a digest: when its session began (ISO 8601), how it stopped other than by ending, and the commits made in it. */
  started?: string;
  stopped?: SessionStop;
  commits?: string[];
  request: string;
  investigated: string;
  learned: string;
  completed: string;
  next_steps: string;
  notes: string;
}

export interface Mark extends Common {
  kind: 'mark';
  type: MarkType;
  targets: string[];
  /** supersede: the replacing record. */
  by?: string;
  /** redact: the salt, and the hashes of passages that may not be captured again, as in `redaction.ts`. */
  hashed_with?: string;
  hashes?: string[];
  /** pin: the files and commands before which the record is shown, as in `guard-pattern.ts`, and who is asked then. */
  guards?: string[];
  asks?: Asked;
  /** verify: the git blob ids of the cited files that were looked at, by path. */
  anchors?: Record<string, string>;
  reason: string;
}

export interface Prompt extends Common {
  kind: 'prompt';
  text: string;
}

export type MemoryRecord = Observation | Summary | Mark | Prompt;

/** Whether a record is listed and counted: an observation or a summary, unlike a mark, a prompt or a session's digest. */
export function isContent<R extends { kind: Kind; type?: string }>(
  record: R,
): record is R & { kind: 'observation' | 'summary' } {
  return record.kind === 'observation' || (record.kind === 'summary' && record.type !== 'digest');
}

/** A record's type, as listed; a prompt has none, so its kind. */
export function typeOf(record: MemoryRecord): string {
  return record.kind === 'prompt' ? 'prompt' : record.type;
}

/** What is shown beside a record whose turn took something in: `from web`. */
export function inputWords(record: MemoryRecord): string[] {
  return 'inputs' in record ? (record.inputs ?? []).map((input) => `from ${input}`) : [];
}

/** The two stores: `team` is the committed `.memory/`, `private` is in the git common dir. */
export const STORES = ['team', 'private'] as const;
export type StoreName = (typeof STORES)[number];

/** Limits of a record that git-mem writes, in characters. A record is a distillation, not a transcript. */
export const LIMITS = {
  title: 120,
  subtitle: 160,
  narrative: 700,
  facts: 8,
  fact: 240,
  concepts: 8,
  files: 40,
} as const;

const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/gu;

/** Text in the form that a file can hold: well-formed Unicode, line feeds only, no control characters but tab. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSTORABLE, ' ');
}

/** A line that is already canonical, tested in one pass: a record is made canonical several times on its way. */
const PLAIN_LINE = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;
const PLAIN_BLOCK = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

/** One storable line: white space folded, trimmed. */
export function oneLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return storable(text).replace(/\s+/gu, ' ').trim();
}

/** A storable block: no trailing white space on lines, no blank lines at either end. */
export function block(text: string): string {
  if (PLAIN_BLOCK.test(text)) return text;
  // Not by regex: /\s+$/ takes quadratic time on a long run of blanks, and an untrusted file may hold one.
  const lines = storable(text).split('\n');
  return trimBlock(lines.map((line) => line.trimEnd()).join('\n'));
}

/** Text without blank lines at either end; the first line keeps its indentation. */
export function trimBlock(text: string): string {
  return text.replace(/^\n+/, '').trimEnd();
}
