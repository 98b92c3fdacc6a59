import { GitMemError, messageOf } from '../../errors.ts';
import type { Embedder } from './embedder.ts';
import { unit } from './latent.ts';

const PACKAGE = '@huggingface/transformers';
const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';
const BATCH = 16;

type Extractor = (texts: string[], options: object) => Promise<{ data: ArrayLike<number>; dims: number[] }>;

/** A model that runs in this process, where the user has installed transformers.js; throws GitMemError 'provider'. */
export async function transformersEmbedder(model: string): Promise<Embedder> {
  const name = model || DEFAULT_MODEL;
  const extract = await load(name);
  return {
    name: `transformers/${name}`,
    async embed(texts, _purpose, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted();
        const batch = texts.slice(at, at + BATCH);
        const { data, dims } = await extract(batch, { pooling: 'mean', normalize: true });
        const width = dims.at(-1) ?? 0;
        batch.forEach((_, i) => {
          const vector = Float32Array.from({ length: width }, (__, d) => data[i * width + d] ?? 0);
          vectors.push(unit(vector) ?? vector);
        });
      }
      return vectors;
    },
  };
}

async function load(model: string): Promise<Extractor> {
  try {
    // By a variable: bundlers and the type checker would insist on a package that most do not have.
    const specifier: string = PACKAGE;
    const { pipeline } = await import(specifier);
    return await pipeline('feature-extraction', model);
  } catch (error) {
    throw new GitMemError('provider', `transformers.js does not load: ${messageOf(error).split('\n')[0]}`, {
      hint: `Install it beside git-mem (npm install ${PACKAGE}), or set embed.provider to local.`,
      cause: error,
    });
  }
}
