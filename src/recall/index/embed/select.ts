import type { Config } from '../../../config.ts';
import type { Environment } from '../../../user-folders.ts';
import type { Embedder } from './embedder.ts';

/** The configured embedder; undefined for the local vectors. Loads only what it needs, and sends nothing. */
export async function embedderOf(settings: Config['embed'], env: Environment): Promise<Embedder | undefined> {
  switch (settings.provider) {
    case 'local':
      return undefined;
    case 'ollama':
    case 'lmstudio':
    case 'openai':
    case 'voyage': {
      const { httpEmbedder } = await import('./http.ts');
      return httpEmbedder(settings.provider, settings, env);
    }
    case 'transformers': {
      const { transformersEmbedder } = await import('./transformers.ts');
      return transformersEmbedder(settings.model);
    }
    default:
      return settings.provider satisfies never;
  }
}
