import * as z from 'zod/mini';
import { elide } from '../../capture/extract/elide.ts';
import type { Known } from '../../capture/extract/extractor.ts';
import { findJson } from '../../capture/extract/loose-json.ts';
import { looseText, looseWords, toText, unusable } from '../../capture/extract/loose-values.ts';
import type { Mode } from '../../capture/extract/mode.ts';
import type { ModelQuestion } from '../../capture/extract/model.ts';
import { fenced, fill, renderKnown, renderTypes, tagged } from '../../capture/extract/prompt.ts';
import type { JsonSchema, ProviderReply } from '../../capture/extract/provider.ts';
import { isObject } from '../../json.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { readTemplate } from '../../templates.ts';
import type { Comment, Discussion } from './discussion.ts';

/** Most records proposed for one pull request: each is a file that somebody reviews. */
export const MOST_RECORDS = 3;

/** Most characters of a comment, of all together, and the share of each of many: later ones count as much as earlier ones. */
const MOST = { comment: 3_000, all: 40_000, least: 300 } as const;

/** A record as a model proposes it. */
export interface Proposal {
  type: string;
  title: string;
  narrative: string;
  concepts: string[];
  files: string[];
  quotes: { comment: number; text: string }[];
}

/** A model's answer: proposals, or why there are none. */
export interface Distillate {
  proposals: Proposal[];
  skip: string;
}

/** What a model is asked about a discussion, whose texts are clean already. */
export function questionAbout(
  { title, comments }: Discussion,
  { files, known, types, mode, language, concepts }: Surroundings,
): ModelQuestion<Distillate> {
  const system = fill(readTemplate('prompts/pull-request.md'), {
    remember: mode.remember,
    language,
    most: String(MOST_RECORDS),
    types: renderTypes(mode, types),
    concepts: [...mode.concepts, ...concepts].join(', '),
  });
  const share = Math.max(MOST.least, Math.min(MOST.comment, Math.floor(MOST.all / Math.max(1, comments.length))));
  const said = comments.map((comment, i) => rendered(comment, i + 1, share)).join('\n');
  const user = [
    tagged('known', known.map(renderKnown)),
    `<discussion>\n${fenced(`${sanitiseForModel(title)}\n${elide(said, MOST.all)}`)}\n</discussion>\n`,
    `Files: ${fenced(files.map(sanitiseForModel).join(', ')) || 'none'}`,
  ].join('');
  return {
    system,
    user,
    schema: SCHEMA,
    wholeSchema: SCHEMA,
    read,
    corrected: ({ problem, answer }) => ({
      system,
      user: fill(readTemplate('prompts/repair.md'), { question: user, problem, answer: fenced(elide(answer, 400)) }),
    }),
  };
}

interface Surroundings {
  files: string[];
  known: Known[];
  types: readonly string[];
  mode: Mode;
  language: string;
  concepts: readonly string[];
}

/** Every line of a comment is indented, so that no text looks like the head of the next one. */
function rendered({ author, isOutsider, place, text }: Comment, at: number, most: number): string {
  const who = isOutsider ? `${author}, not of the project` : author;
  const lines = sanitiseForModel(elide(text, most)).split('\n');
  return [`[${at}] ${who}, in ${sanitiseForModel(place)}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    skip: TEXT,
    records: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: TEXT,
          title: TEXT,
          narrative: TEXT,
          concepts: TEXTS,
          files: TEXTS,
          quotes: {
            type: 'array',
            items: { type: 'object', properties: { comment: TEXT, text: TEXT }, required: ['comment', 'text'] },
          },
        },
        required: ['type', 'title', 'narrative', 'quotes'],
      },
    },
  },
};

const quote = z.object({
  comment: z.pipe(
    z.transform((value) => Number(/\d+/.exec(toText(value))?.[0])),
    z.number(),
  ),
  text: looseText,
});
const proposal = z.object({
  type: looseText,
  title: looseText.check(z.minLength(1)),
  narrative: looseText.check(z.minLength(1)),
  concepts: looseWords,
  files: looseWords,
  quotes: z.array(quote),
});

function read({ output, text }: ProviderReply): Distillate {
  const found = [output, ...findJson(text).map(({ value }) => value)];
  const shaped = found.find((value) => isObject(value) && ('records' in value || 'skip' in value));
  if (!isObject(shaped)) throw unusable('it holds no JSON object with "records" or "skip"');
  const items = Array.isArray(shaped.records) ? shaped.records : [];
  const parsed = items.map((item) => proposal.safeParse(item));
  const proposals = parsed.flatMap(({ data }) => data ?? []).slice(0, MOST_RECORDS);
  if (items.length > 0 && proposals.length === 0) {
    const issue = parsed[0]?.error?.issues[0];
    throw unusable(`records[0] ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is no record'}`);
  }
  return { proposals, skip: proposals.length > 0 ? '' : toText(shaped.skip) };
}
