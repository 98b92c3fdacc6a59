import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { STORES } from '../../memory/record.ts';

const text = z.string();
/** More than a reader writes at once. */
const texts = z.array(text).check(z.maxLength(500));
/** A reader may select a whole list: only the length of a request limits it. */
const ids = z.array(text).check(z.minLength(1));
const reason = z.optional(text);

/** A record from the editor; it replaces those in `supersedes`. */
const RECORD = z.strictObject({
  type: text,
  title: text,
  subtitle: text,
  narrative: text,
  facts: texts,
  concepts: texts,
  files_modified: texts,
  files_read: texts,
  supersedes: texts,
});

/** The actions that a page may request; an unknown key is an error. */
const ACTION = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['pin', 'verify', 'retire', 'undo', 'redact']), ids, reason }),
  z.strictObject({ action: z.enum(['promote', 'trust']), ids }),
  z.strictObject({ action: z.literal('add'), store: z.enum(STORES), record: RECORD }),
  // Brings a record of the inbox into the team store as the person edited it.
  z.strictObject({ action: z.literal('accept'), id: text, record: RECORD }),
]);

export type Action = z.infer<typeof ACTION>;
export type NewRecord = z.infer<typeof RECORD>;

/** Validates a page's request; throws bad-input that says what is wrong. */
export function parseAction(body: unknown): Action {
  const result = z.safeParse(ACTION, body);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issueWords(issue)}`);
  throw new GitMemError('bad-input', `${problems.join('; ')}.`);
}

/** A validation error in words: zod's small build has none, and its own tables are larger than a command. */
function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.keys.map((one) => `"${one}"`).join(', ')} is not known`;
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'it is missing, or not in the form that this key has';
    default:
      return issue.message;
  }
}
