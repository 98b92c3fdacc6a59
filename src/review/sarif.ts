import { sanitiseForTerminal } from '../privacy/sanitise.ts';
import { packageVersion } from '../templates.ts';
import type { Annotation } from './annotation.ts';

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
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
          region: { startLine: line },
        },
      },
    ],
  }));
  return { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver: { ...driver, rules } }, results }] };
}

function uriOf(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}
