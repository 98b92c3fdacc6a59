import type { Provider, ProviderErrorClass } from '../../src/capture/extract/provider.ts';
import { createProgramProvider } from '../../src/capture/extract/providers/program.ts';
import { PROGRAMS } from '../../src/capture/extract/providers/programs.ts';
import { answering, installClaude } from './claude-program.ts';
import { type Reaction, startLoopback } from './loopback.ts';
import { PROTOCOLS } from './model-protocols.ts';
import { scratchFolder } from './scratch.ts';

/** A provider for a failing server or program; `calls` returns how often it was asked. */
export interface TroubledProvider {
  provider: Provider;
  calls(): number;
}

/** Every provider, each in whatever trouble a test wants. */
export const TROUBLED: {
  name: string;
  inTrouble(trouble: ProviderErrorClass, key: string): Promise<TroubledProvider>;
}[] = [
  ...PROTOCOLS.map((protocol) => ({
    name: protocol.name,
    async inTrouble(trouble: ProviderErrorClass, key: string): Promise<TroubledProvider> {
      const words = `The key ${key} is in trouble.`;
      const reactions: Record<ProviderErrorClass, Reaction> = {
        auth: protocol.unknownKey(words),
        quota: protocol.broke,
        'rate-limit': protocol.error(429, words, { 'retry-after': '7200' }),
        overloaded: protocol.error(503, words),
        transient: protocol.error(500, words),
        'bad-request': protocol.error(400, words),
        'invalid-output': protocol.said({ text: 'Sure, I can help.' }),
        declined: protocol.said({ text: '', isRefused: true }),
      };
      const server = await startLoopback(reactions[trouble]);
      return { provider: protocol.create(server.url, key, {}), calls: () => server.calls.length };
    },
  })),
  {
    name: 'claude-cli',
    async inTrouble(trouble) {
      const refusing = (text: string, more = {}) =>
        `${answering(text, { is_error: true, ...more })}; process.exitCode = 1`;
      const acts: Record<ProviderErrorClass, string> = {
        auth: refusing('Invalid API key · Please run /login'),
        quota: refusing("You've hit your session limit · resets 3pm"),
        // Its pace has no header: only a limit tells when it passes.
        'rate-limit': refusing('API Error: 429', { api_error_status: 429 }),
        overloaded: refusing('API Error: 529 Overloaded', { api_error_status: 529 }),
        transient: refusing('API Error: 500', { api_error_status: 500 }),
        'bad-request': refusing('API Error: 400', { api_error_status: 400 }),
        'invalid-output': answering('Sure, I can help.'),
        declined: answering('', { stop_reason: 'refusal' }),
      };
      const { env, runs } = installClaude(acts[trouble]);
      const options = { name: 'claude-cli', model: 'haiku', cwd: scratchFolder(), env };
      const provider = createProgramProvider(PROGRAMS['claude-cli'], options);
      return { provider, calls: () => runs().length };
    },
  },
];
