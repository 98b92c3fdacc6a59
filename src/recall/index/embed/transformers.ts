import { GitMemError, messageOf } from '../../../errors.ts';
import { type Embedder, purposed } from './embedder.ts';
import { unit } from './latent.ts';

const PACKAGE = '@huggingface/transformers';
const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';
/** Texts embedded at once: their tokens are in memory together. */
const BATCH = 16;

type Extractor = (texts: string[], options: object) => Promise<{ data: ArrayLike<number>; dims: number[] }>;

/** A model that runs in this process if the user installed transformers.js; loaded with the first text. */
export function transformersEmbedder(model: string): Embedder {
  const name = model || DEFAULT_MODEL;
  let extract: Promise<Extractor> | undefined;
  return {
    name: `transformers/${name}`,
    async embed(texts, purpose, signal) {
      extract ??= load(name);
      const run = await extract;
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted();
        const batch = texts.slice(at, at + BATCH).map((text) => purposed(name, purpose, text));
        const { data, dims } = await run(batch, { pooling: 'mean', normalize: true });
        const width = dims.at(-1) ?? 0;
        batch.forEach((_, i) => {
          const vector = Float32Array.from({ length: width }, (__, d) => data[i * width + d] ?? 0);
          vectors.push(unit(vector) ?? vector);
        });
      }
      return vectors;
    },
    async probe() {
      // Imports the package only: the model may have to be downloaded first, and a probe must not start that.
      await guarded(importPackage);
    },
  };
}

function load(model: string): Promise<Extractor> {
  return guarded(async () => {
    const { pipeline } = await importPackage();
    return pipeline('feature-extraction', model);
  });
}

async function importPackage() {
  // A variable, because bundlers and the type checker would require a package that most users do not have.
  const specifier: string = PACKAGE;
  return import(specifier);
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new GitMemError('provider', `transformers.js does not load: ${messageOf(error).split('\n')[0]}`, {
      hint: `Install it beside git-mem (npm install ${PACKAGE}), or set embed.provider to local.`,
      cause: error,
    });
  }
}
