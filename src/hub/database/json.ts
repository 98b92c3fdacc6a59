/**
 * A value as JSON that the database takes: its text holds neither NUL nor half of a surrogate pair, which YAML can
 * write in a record and JSON in a question. `JSON.stringify` writes both as escapes, and an escaped backslash before one
 * makes it plain text.
 */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\u0000|\\ud[89a-f][\da-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}
