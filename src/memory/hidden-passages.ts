import { sections, sectionsOf } from './body.ts';
import type { MemoryRecord } from './record.ts';
import { passagesIn, passagesOf, searchableAmong } from './redaction.ts';

// A summary repeats in words of its own what its session's records say. Once one of them is hidden, what it said is not
// told by the summary either: compared as redaction does it, by letters and digits. Other words for it are not found.

/** What records say that are hidden: as it stands, or anywhere in a longer sentence. */
export interface HiddenPassages {
  whole: ReadonlySet<string>;
  within: readonly string[];
}

/** The passages of hidden records that no live one says too. */
export function hiddenPassages(hidden: readonly MemoryRecord[], live: readonly MemoryRecord[]): HiddenPassages {
  const said = (records: readonly MemoryRecord[]) =>
    records.flatMap((record) => [...passagesOf(record), ...('title' in record ? passagesIn(record.title) : [])]);
  const whole = new Set(hidden.length === 0 ? [] : said(hidden));
  if (whole.size > 0) for (const passage of said(live)) whole.delete(passage);
  return { whole, within: searchableAmong(whole) };
}

/** Stands for the title of a summary that is what a hidden record said. */
const NO_TITLE = '(what came of it no longer holds)';

/** A record without the sentences that hidden ones said; the same object if it is no summary or says none of them. */
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
    // What goes over several lines is in none of them.
    return isHidden(rest) ? '' : rest;
  };
  const title = isHidden(record.title) ? NO_TITLE : record.title;
  const told = sectionsOf(record, left);
  const isSame = title === record.title && sections().every(([name]) => told[name] === record[name]);
  return isSame ? record : { ...record, title, ...told };
}

/** Tells whether the title of a summary was taken out, which its file's name repeats. */
export function isWithoutTitle(record: MemoryRecord): boolean {
  return record.kind === 'summary' && record.title === NO_TITLE;
}

/** The sentences and lines of a text, with what parts them. */
function sentencesIn(text: string): string[] {
  return text.split(/(?<=\n)|(?<=[.!?…]\s)|(?<=[。！？])/u);
}
