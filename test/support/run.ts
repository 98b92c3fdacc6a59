import { rmSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { HAS_FILTER_REPO } from './filter-repo.ts';
import { folderInMemory } from './folder-in-memory.ts';
import { installOldNode, oldNode } from './old-node.ts';
import { postgresPrograms } from './postgres.ts';
import { makeRepositoryTemplate } from './repository-template.ts';
import { sharedFolder } from './shared.ts';
import { hasShell } from './shells.ts';
import { SQLITE_ERROR } from './sqlite.ts';
import { FULL, SEED } from './trials.ts';

/** Runs before the first test file and after the last: reports on the run, and provides what its files share. */
export default function setup(): () => void {
  if (FULL) process.env.GIT_MEM_SEED ??= String(Date.now() % 2 ** 31);
  // A full run stays on the disk that users have; who names a folder gets that one.
  const scratch = FULL || process.env.TMPDIR !== undefined ? undefined : folderInMemory();
  if (scratch !== undefined) process.env.TMPDIR = scratch;
  const template = makeRepositoryTemplate();
  process.env.GIT_MEM_TEST_TEMPLATE = template;
  const notes = missing();
  if (!FULL)
    notes.push('Skipped: nine tenths of the generated cases, and what test/README.md lists: npm run test:full.');
  say([`Generated cases come from GIT_MEM_SEED=${process.env.GIT_MEM_SEED ?? SEED}.`, ...notes]);
  return () => {
    // A browser that was told to end may still write its profile.
    for (const folder of [template, scratch])
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    say(notes);
  };
}

/** What this machine lacks, and what that means for the run. */
function missing(): string[] {
  const notes: string[] = [];
  if (SQLITE_ERROR !== undefined) {
    notes.push(
      `better-sqlite3 cannot be loaded (${SQLITE_ERROR}): what is tested is MiniSearch.`,
      'Skipped: tests of what only SQLite does. Get its binary: npm rebuild better-sqlite3.',
    );
  }
  installOldNode();
  if (oldNode() === undefined) notes.push('Skipped: a test under Node 18, which npm could not fetch.');
  if (!HAS_FILTER_REPO)
    notes.push('Skipped: the plan of scrub by git-filter-repo. Install it: apt-get install git-filter-repo.');
  if (findChromium() === undefined) {
    notes.push('Skipped: tests in a browser. Install Chromium, or say where it is: CHROMIUM=/path/to/it.');
  }
  if (postgresPrograms() === undefined) {
    notes.push('Skipped: the hub on PostgreSQL, which is tested on PGlite. Install it: apt-get install postgresql.');
  }
  if (sharedFolder() === undefined) {
    notes.push('Skipped: replays of whole recordings, which are not part of the repository.');
  }
  const shells = ['zsh', 'fish'].filter((name) => !hasShell(name)).join(' ');
  if (shells !== '') notes.push(`Skipped: the completion of some shells. Install them: apt-get install ${shells}.`);
  return notes;
}

function say(lines: string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`);
}
