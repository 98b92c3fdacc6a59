import { clampSentences } from '../../memory/clamp.ts';
import { oneLine } from '../../memory/record.ts';
import { type Block, blocksOf } from './blocks.ts';

/** The first sentences of a message within `max` characters, on one line, without code and tables. */
export function firstWords(message: string, max: number): string {
  let text = '';
  let before: Block | undefined;
  for (const block of blocksOf(message)) {
    if (text.length >= max) break;
    text = before === undefined ? block.text : `${text}${markBetween(before, block)} ${block.text}`;
    before = block;
  }
  return clampSentences(oneLine(text), max);
}

/** The separator between two blocks on one line, so that they do not read as one sentence. */
function markBetween(before: Block, block: Block): string {
  if (/[.!?:;,…。！？]["'”»)*`]*$/u.test(before.text)) return '';
  return before.kind === 'item' && block.kind === 'item' ? ';' : '.';
}
