import { rmSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { makeRepositoryTemplate } from './repository-template.ts';
import { sharedFolder } from './shared.ts';
import { FULL, SEED } from './trials.ts';

/** Before the first test file and after the last: what a run has to say of itself, and what its files share. */
export default async function setup(): Promise<() => void> {
  if (FULL) process.env.GIT_MEM_SEED ??= String(Date.now() % 2 ** 31);
  const template = makeRepositoryTemplate();
  process.env.GIT_MEM_TEST_TEMPLATE = template;
  const notes = await missing();
  if (!FULL)
    notes.push(
      'Skipped: what is too slow for every commit, and four fifths of the generated cases: npm run test:full.',
    );
  say([`Generated cases come from GIT_MEM_SEED=${process.env.GIT_MEM_SEED ?? SEED}.`, ...notes]);
  return () => {
    rmSync(template, { recursive: true, force: true });
    say(notes);
  };
}

/** What this machine lacks, and what that means for the run. */
async function missing(): Promise<string[]> {
  const notes: string[] = [];
  const error = await sqliteError();
  if (error !== undefined) {
    notes.push(`better-sqlite3 cannot be loaded (${error}): what is tested is the fallback, MiniSearch.`);
  }
  if (findChromium() === undefined) {
    notes.push('Skipped: tests in a browser. Install Chromium, or say where it is: CHROMIUM=/path/to/it.');
  }
  if (sharedFolder() === undefined) {
    notes.push('Skipped: replays of whole recordings, which are not part of the repository.');
  }
  return notes;
}

async function sqliteError(): Promise<string | undefined> {
  try {
    const { default: Database } = await import('better-sqlite3');
    new Database(':memory:').close();
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n')[0];
  }
}

function say(lines: string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`);
}
