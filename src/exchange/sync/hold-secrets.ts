import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCleaner } from '../../capture/drain/clean.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';

/**
 * Chooses the files that must not leave the machine: those in which the current rules would redact something, or that
 * are too long to be looked through. They were redacted when they were written, but the rules may have changed since.
 */
export async function filesWithSecrets(folder: string, paths: string[], patterns: string[]): Promise<string[]> {
  const held: string[] = [];
  for (const path of paths) {
    const text = readFileSync(join(folder, path), 'utf8');
    // A secret found in one file is not one in the next.
    const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
    if (text.length > MAX_SCANNED_TEXT || (await cleaner.text(text)) !== text) held.push(path);
  }
  return held;
}
