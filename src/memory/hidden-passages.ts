import { sections, sectionsOf } from './body.ts';
import type { MemoryRecord } from './record.ts';
import { passagesIn, passagesOf, searchableAmong } from './redaction.ts';

// A summary repeats what its session's records say. Once one of them is hidden, the summary does not show what it said
// either: compared as in redaction, by letters and digits. Paraphrases are not found.

/** What hidden records say: as whole passages, or anywhere in a longer sentence. */
export interface HiddenPassages {
  whole: ReadonlySet<string>;
  within: readonly string[];
}

/** The passages of hidden records that no live one contains. */
export function hiddenPassages(hidden: readonly MemoryRecord[], live: readonly MemoryRecord[]): HiddenPassages {
  const said = (records: readonly MemoryRecord[]) =>
    records.flatMap((record) => [...passagesOf(record), ...('title' in record ? passagesIn(record.title) : [])]);
  const whole = new Set(hidden.length === 0 ? [] : said(hidden));
  if (whole.size > 0) for (const passage of said(live)) whole.delete(passage);
  return { whole, within: searchableAmong(whole) };
}

/** Replaces a summary's title if a hidden record said it. */
const NO_TITLE = '(what came of it no longer holds)';

/** A record without sentences of hidden ones; the same object if it has none, or is not a summary. */
export function withoutHidden<R extends MemoryRecord>(record: R, hidden: HiddenPassages): R {
  if (record.kind !== 'summary' || hidden.whole.size === 0) return record;
  const isHidden = (text: string) => {
    const [passage = ''] = passagesIn(text);
    return hidden.whole.has(passage) || hidden.within.some((one) => passage.includes(one));
  };
  const left = (text: string) => {
    if (!isHidden(text) && !sentencesIn(text).some(isHidden)) return text;
    const open = sentencesIn(text).filter((sentence) => !isHidden(sentence));
    const rest = open.join('').trim();
    // A passage of several lines is in none of them.
    return isHidden(rest) ? '' : rest;
  };
  const title = isHidden(record.title) ? NO_TITLE : record.title;
  const told = sectionsOf(record, left);
  const isSame = title === record.title && sections().every(([name]) => told[name] === record[name]);
  return isSame ? record : { ...record, title, ...told };
}

/** Whether a summary's title, which its file name repeats, was replaced. */
export function isWithoutTitle(record: MemoryRecord): boolean {
  return record.kind === 'summary' && record.title === NO_TITLE;
}

/** The sentences and lines of a text, with their separators. */
function sentencesIn(text: string): string[] {
  return text.split(/(?<=\n)|(?<=[.!?…]\s)|(?<=[。！？])/u);
}
