import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import type { Finding } from './findings.ts';

/**
 * Left out: comments that switch rules off, which hostile text may contain too; addresses, where our own rule keeps all
 * but the password; and account numbers, which are not secret.
 */
const SKIPPED_RULES = /-(?:filter-comments|basicauth|database-connection-string|gcp)$/u;
const SKIPPED_MESSAGES = new Set(['AWSAccountID']);
/** Longer texts are read in windows, so that a non-linear rule costs little; a secret fits into the overlap. */
const WINDOW = 100_000;
const OVERLAP = 4_000;

const CHOSEN_RULES = rules.filter((rule) => !SKIPPED_RULES.test(rule.meta.id));

/**
 * Finds what secretlint's recommended rules know; ranges are in UTF-16 units of `text`. The rules are run directly: the
 * core that usually runs them marks every step in the process-wide performance timeline and searches all earlier marks
 * each time, which took 100 ms per text after 1,500 texts, against 0.1 ms here.
 */
export async function findWithSecretlint(text: string): Promise<Finding[]> {
  const reader = idle.pop() ?? createReader();
  const found: Finding[] = [];
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += WINDOW - OVERLAP) {
    await reader.read(text.slice(start, start + WINDOW), start, found);
  }
  idle.push(reader);
  return found;
}

/** The initialised rules; making them takes longer than reading a short text. A reader reads one text at a time. */
interface Reader {
  /** Adds the findings in the content, which begins at `offset`, to `found`. */
  read(content: string, offset: number, found: Finding[]): Promise<void>;
}

/** Readers that are free now: texts may be read in parallel. */
const idle: Reader[] = [];

function createReader(): Reader {
  let place: { offset: number; found: Finding[] } = { offset: 0, found: [] };
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId) => ({ message: String(messageId), messageId: String(messageId), data: {} }),
    ignore: () => {},
    report: ({ message, range: [start, end] }) => {
      if (SKIPPED_MESSAGES.has(message.messageId) || end <= start) return;
      place.found.push({ start: place.offset + start, end: place.offset + end, kind: kindOf(message.messageId) });
    },
  };
  const ready = CHOSEN_RULES.map((rule) => rule.create(context, {}));
  return {
    async read(content, offset, found) {
      place = { offset, found };
      const source = sourceOf(content);
      for (const { file } of ready) {
        try {
          const reading = file?.(source);
          // Nearly all rules are synchronous, and awaiting each would cost more than they do.
          if (reading instanceof Promise) await reading;
        } catch {
          // A rule that fails on odd text must not hide what the others and our own rules find.
        }
      }
    },
  };
}

/** `GITHUB_TOKEN` and `AWSSecretAccessKey` become `github-token` and `aws-secret-access-key`. */
function kindOf(messageId: string): string {
  return messageId
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/gu, '$1$3-$2$4')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The rules use only the content, never positions by line and column. */
function sourceOf(content: string): SecretLintSourceCode {
  const start = { line: 1, column: 0 };
  return {
    content,
    hasBOM: false,
    filePath: 'record.md',
    physicalFilePath: undefined,
    ext: '.md',
    contentType: 'text',
    getFilePath: () => 'record.md',
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start, end: start }),
    positionToIndex: () => 0,
    indexToPosition: () => start,
  };
}
