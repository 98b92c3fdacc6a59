import { oneLine } from '../../memory/record.ts';
import { clampSentences } from './clamp.ts';
import { blocksOf } from './rules/blocks.ts';

/** The first sentences of a message within `max` characters, on one line, without code and tables. */
export function firstWords(message: string, max: number): string {
  let text = '';
  for (const block of blocksOf(message)) {
    if (text.length >= max) break;
    text = text === '' ? block.text : `${text} ${block.text}`;
  }
  return clampSentences(oneLine(text), max);
}
