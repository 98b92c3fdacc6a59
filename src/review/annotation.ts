import { sanitiseForTerminal } from '../privacy/sanitise.ts';
import { missingWords } from '../provenance/freshness.ts';
import { packageVersion } from '../templates.ts';
import type { MemoryDiff } from './diff.ts';
import { removalOf } from './mark-changes.ts';
import type { Problem } from './problem.ts';

/** A remark on one place in a change, which review tools show beside the file. */
export interface Annotation {
  level: 'error' | 'warning' | 'notice';
  code: string;
  message: string;
  path: string;
  /** From 1. */
  line: number;
}

/** The general description of each kind of remark. */
export const DIFF_CODES = {
  secret: 'A file holds a secret.',
  'bad-record': 'A record does not parse.',
  suspicious: 'A record holds text that seems to be written for a model, or hidden from readers.',
  'removed-mark': 'A mark was removed or changed, so what it hid would come back.',
  disputed: 'Two records supersede the same one.',
  'other-file': 'A file of .memory that is no record changes.',
  edited: 'A record is edited by hand.',
  deleted: 'A record is deleted by hand.',
  duplicate: 'A record is a near-duplicate of another one.',
  stale: 'A name that a record says is gone from the code.',
} as const;

/** The remarks of a diff. */
export function diffAnnotations(diff: MemoryDiff): Annotation[] {
  type Place = { path: string; line?: number };
  const of =
    (level: Annotation['level']) =>
    <T extends Place>(code: keyof typeof DIFF_CODES, items: T[], say: (item: T) => string): Annotation[] =>
      items.map((one) => ({ level, code, message: say(one), path: one.path, line: one.line ?? 1 }));
  const [error, warning, notice] = [of('error'), of('warning'), of('notice')];
  return [
    ...error('secret', diff.secrets, ({ kind }) => `It holds a secret (${kind}).`),
    ...error('bad-record', diff.invalid, ({ message }) => message),
    ...error('suspicious', diff.suspicious, ({ message }) => message),
    ...error('removed-mark', diff.removed_marks, ({ title }) => removalOf(title)),
    ...warning('other-file', diff.other_files, ({ change }) => `It is ${change}.`),
    ...warning('edited', diff.edited, ({ title, edits }) => {
      const changes = edits.map(({ field, before, after }) => `${field} was "${before}", is "${after}"`);
      return `"${title}" is edited by hand: ${changes.join('; ')}.`;
    }),
    ...warning('deleted', diff.deleted, ({ title, texts }) => [`"${title}" is deleted.`, ...texts].join(' ')),
    ...warning('disputed', diff.disputed, ({ other, other_title }) => {
      return `It supersedes the same record as ${other}, "${other_title}".`;
    }),
    ...warning('duplicate', diff.duplicates, ({ other, other_title }) => {
      return `It is a near-duplicate of ${other}, "${other_title}".`;
    }),
    ...notice('stale', diff.stale_by_change, ({ title, files, missing_names }) => {
      const why = missingWords(missing_names) || `${files.join(', ')} ${files.length === 1 ? 'is' : 'are'} deleted`;
      return `"${title}": ${why}.`;
    }),
  ];
}

/** The remarks of a check. */
export function checkAnnotations(problems: Problem[]): Annotation[] {
  return problems.map(({ level, code, message, hint, path, line = 1 }) => ({
    level: level === 'warn' ? 'warning' : level,
    code,
    path,
    line,
    message: `${message} ${hint}`.trim(),
  }));
}

/** Workflow commands: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export function githubCommands(annotations: Annotation[]): string {
  const data = (text: string) =>
    sanitiseForTerminal(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const lines = annotations.map(
    ({ level, code, message, path, line }) =>
      `::${level} file=${property(path)},line=${line},title=${property(`git-mem ${code}`)}::${data(message)}\n`,
  );
  return lines.join('');
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const LEVELS = { error: 'error', warning: 'warning', notice: 'note' } as const;

/** Remarks as a SARIF 2.1.0 log, for code scanning tools; `codes` describes each code. */
export function sarifLog(annotations: Annotation[], codes: Record<string, string>): object {
  const rules = Object.entries(codes).map(([id, text]) => ({ id, shortDescription: { text } }));
  const driver = { name: 'git-mem', version: packageVersion() };
  const results = annotations.map(({ level, code, message, path, line }) => ({
    ruleId: code,
    ruleIndex: rules.findIndex(({ id }) => id === code),
    level: LEVELS[level],
    message: { text: sanitiseForTerminal(message) },
    locations: [{ physicalLocation: { artifactLocation: artifact(path), region: { startLine: line } } }],
  }));
  return { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver: { ...driver, rules } }, results }] };
}

function artifact(path: string) {
  const parts = path.split('/').map((part) => encodeURIComponent(part.toWellFormed()));
  return { uri: parts.join('/'), uriBaseId: '%SRCROOT%' };
}
