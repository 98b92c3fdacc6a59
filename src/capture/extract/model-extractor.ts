import type { Tokens } from './budget.ts';
import { filesOf } from './cited-files.ts';
import type { Extraction, Extractor } from './extractor.ts';
import { createModel, type ModelOptions, type ModelQuestion } from './model.ts';
import { buildPrompt, buildRepair, type PromptSources } from './prompt.ts';
import { isTruncated } from './provider.ts';
import { parseReply, type Reply, type ReplyScope } from './reply.ts';
import { REPLY_SCHEMA, WHOLE_REPLY_SCHEMA } from './reply-schema.ts';

export interface ModelExtractorOptions extends ModelOptions {
  sources: PromptSources;
}

/**
 * An extractor that asks a model about a part of a session. Rejects with ProviderError if there is no usable answer, for
 * whatever reason.
 */
export function createModelExtractor({ sources, ...options }: ModelExtractorOptions): Extractor {
  const { log = () => {} } = options;
  const model = createModel(options);
  return {
    async extract(turns, context): Promise<Extraction> {
      const spent: Tokens = { input: 0, output: 0 };
      const prompt = await buildPrompt(turns, context, sources);
      const open = turns.map((turn) => (turn.saved ? undefined : turn.key));
      const scope: ReplyScope = { types: context.types, ids: prompt.ids, files: filesOf(turns), turns: open };
      const question: ModelQuestion<Reply> = {
        ...prompt,
        schema: REPLY_SCHEMA,
        wholeSchema: WHOLE_REPLY_SCHEMA,
        read: ({ output, text, stopReason }) => parseReply(output, text, scope, isTruncated(stopReason)),
        corrected: (failure) => buildRepair(prompt, failure, sources),
      };
      const { observations, summary, skip } = await model.ask(question, context.signal, spent);
      if (skip !== undefined) log(`${model.name} found nothing to keep: ${skip}`);
      return { observations, summary: summary ?? context.summary, extractor: model.name, spent };
    },
  };
}
