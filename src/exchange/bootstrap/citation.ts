import type { Cleaner } from '../../capture/drain/clean.ts';
import { clampPhrase } from '../../capture/extract/clamp.ts';
import { oneLine } from '../../memory/record.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import type { Commit } from './history.ts';

/** A commit in a form that records may quote. */
export interface Cited {
  /** Ten characters, even where fewer would be unique today: the same in every clone. */
  shortId: string;
  /** `2026-11-20`. */
  day: string;
  subject: string;
  body: string;
}

export type Citer = (commit: Commit) => Cited;

/** Longest quoted subject, in characters. */
const SUBJECT = 120;

/**
 * Replaces a message that reads like an instruction to a model: its author would speak through this clone's own record.
 */
const WITHHELD = '(subject left out: it reads like an instruction)';

/** Makes commits quotable: removes secrets before anything is cut, and hidden characters and tags. */
export async function createCiter(commits: Iterable<Commit>, cleaner: Cleaner): Promise<Citer> {
  const known = new Map<string, Cited>();
  for (const commit of commits) {
    if (!known.has(commit.id)) known.set(commit.id, await citedOf(commit, cleaner));
  }
  return (commit) => {
    const cited = known.get(commit.id);
    if (cited === undefined) throw new Error(`Commit ${commit.id} is quoted without having been cleaned.`);
    return cited;
  };
}

/** Tells whether a text reads like an instruction to a model; comments and hidden characters are taken out anyway. */
export function isInstruction(text: string): boolean {
  return findSuspicious(text).some(({ code }) => code !== 'hidden-text' && code !== 'comment');
}

async function citedOf({ id, at, subject, body }: Commit, cleaner: Cleaner): Promise<Cited> {
  const harmless = async (raw: string) => {
    return isInstruction(raw) ? undefined : sanitiseForModel(await cleaner.text(raw));
  };
  const line = await harmless(oneLine(subject));
  return {
    shortId: id.slice(0, 10),
    day: at.slice(0, 10),
    subject: line === undefined ? WITHHELD : clampPhrase(line, SUBJECT) || '(no subject)',
    body: (await harmless(body)) ?? '',
  };
}
