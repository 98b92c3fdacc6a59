import * as z from 'zod/mini';
import { parsePath, type Scope, valuesAt } from './dotted-path.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A path of a mapping, read when the mapping is. */
export const pathSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const path = parsePath(text);
    if (path !== undefined) return path;
    context.issues.push({
      code: 'custom',
      message: 'expected a path such as message.content[].text',
      input: text,
    });
    return z.NEVER;
  }),
);

const testSchema = z.union([
  scalar,
  z.array(scalar),
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ begins: z.array(z.string()) }),
]);

type Test = z.infer<typeof testSchema>;

/** What must be at which path: a value, one of some values, anything or nothing, a text that begins in some way. */
export const conditionsSchema = z.pipe(
  z.record(z.string(), testSchema),
  z.transform((tests, context) =>
    Object.entries(tests).flatMap(([text, test]) => {
      const path = parsePath(text);
      if (path !== undefined) return [{ path, test }];
      context.issues.push({ code: 'custom', message: `"${text}" is no path`, input: text });
      return [];
    }),
  ),
);

type Conditions = z.infer<typeof conditionsSchema>;

/** Tells whether all conditions hold; of several values at a path one is enough. */
export function holdAll(conditions: Conditions, scope: Scope): boolean {
  return conditions.every(({ path, test }) => passes(test, valuesAt(path, scope)));
}

/** Tells whether any condition holds. */
export function holdsAny(conditions: Conditions, scope: Scope): boolean {
  return conditions.some(({ path, test }) => passes(test, valuesAt(path, scope)));
}

function passes(test: Test, values: unknown[]): boolean {
  if (Array.isArray(test)) return values.some((value) => test.some((one) => one === value));
  if (typeof test !== 'object' || test === null) return values.includes(test);
  if ('exists' in test) return values.length > 0 === test.exists;
  return values.some(
    (value) => typeof value === 'string' && test.begins.some((start) => value.trimStart().startsWith(start)),
  );
}
