import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readdirSync, readFileSync } from '../../looks.ts';
import { counted } from '../../quantities.ts';
import { createFolder } from './create-folder.ts';

// A file `missed/REASON` in the state folder counts what could not be done. The launcher writes most of them, without
// Node, and prefers the noted program as long as the folder exists.

const SENTENCES: Record<string, (count: number) => string> = {
  'no-program': (count) => `git-mem was not found by ${counted(count, 'hook')}: put it on the PATH of your agent.`,
  'no-node': (count) => `Node was not found by ${counted(count, 'hook')}: put it on the PATH of your agent.`,
  'old-node': (count) =>
    `${counted(count, 'hook')} found a Node that is too old: put a newer one first on the PATH of your agent.`,
  'no-answer': (count) =>
    `${counted(count, 'hook')} got no answer from the git-mem on PATH: \`git mem doctor\` shows which program it is.`,
  drain: (count) =>
    `${counted(count, 'drain')} died while working: \`git mem drain --wait\` shows whether it happens again.`,
};

/** What could not be done since a session start last reported it; undefined if nothing. */
export function missedSentence(state: string): string | undefined {
  const found = Object.keys(SENTENCES).flatMap((reason) => {
    const count = countOf(state, reason);
    return count > 0 ? [SENTENCES[reason]?.(count)] : [];
  });
  return found.length > 0 ? found.join(' ') : undefined;
}

/** Forgets what was reported. The folder stays. */
export function forgetMissed(state: string): void {
  for (const name of readdirSync(join(state, 'missed'))) rmSync(join(state, 'missed', name), { force: true });
}

/** Counts a drain that died, if there is room for it. */
export function noteDeadDrain(state: string): void {
  try {
    createFolder(join(state, 'missed'), 0o700);
    writeFileSync(join(state, 'missed', 'drain'), `${countOf(state, 'drain') + 1}\n`, { mode: 0o600 });
  } catch {
    // The drain that runs now matters more.
  }
}

function countOf(state: string, reason: string): number {
  try {
    return Number.parseInt(readFileSync(join(state, 'missed', reason), 'utf8'), 10) || 0;
  } catch {
    return 0; // Nothing was missed for this reason.
  }
}
