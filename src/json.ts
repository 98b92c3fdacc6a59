/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a JSON text; undefined for any other text. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/** The fields of a JSON object; none for any other value. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
