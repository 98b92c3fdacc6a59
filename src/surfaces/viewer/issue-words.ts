import type * as z from 'zod/mini';

/** A validation error in words: zod's small build has none, and its own tables are larger than a command. */
export function issueWords(issue: z.core.$ZodIssue): string {
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
