import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Ask, Reply } from './engine.ts';

/** The engine as the server sees it: a process that is there when it is needed. */
export interface EngineProcess {
  run(ask: Omit<Ask, 'call'>): Promise<CallToolResult>;
}

/** The engine's objects live shortly, and a large nursery would let them pile up. In megabytes. */
const NURSERY_MB = 2;

/** A call that two engines in a row did not survive is given up. */
const TRIES = 2;

interface Pending {
  ask: Ask;
  tries: number;
  settle(reply: Reply): void;
  fail(error: Error): void;
}

/** Prepares an engine; its process starts with the first call, and again when that one has ended. */
export function engineProcess(env: Record<string, string | undefined>, log: (line: string) => void): EngineProcess {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | undefined;
  let calls = 0;

  function start(): ChildProcess {
    const started = fork(fileURLToPath(new URL('./mcp-engine.js', import.meta.url)), [], {
      env,
      execArgv: [`--max-semi-space-size=${NURSERY_MB}`],
      // Standard output belongs to the protocol.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (reply: Reply) => pending.get(reply.call)?.settle(reply));
    const gone = () => {
      if (child !== started) return;
      child = undefined;
      for (const one of pending.values()) send(one);
    };
    started.on('error', gone);
    started.on('exit', gone);
    // The client's closing of standard input is what ends the server.
    started.unref();
    started.channel?.unref();
    return started;
  }

  /** Sends a call, again where the engine ended before it answered: asking is harmless, and saving twice saves once. */
  function send(one: Pending): void {
    if (one.tries === TRIES) one.fail(new Error('The process behind it ended twice before it answered.'));
    else {
      one.tries++;
      child ??= start();
      child.send(one.ask);
    }
  }

  return {
    async run(ask) {
      const call = ++calls;
      try {
        const { result, bug } = await new Promise<Reply>((settle, fail) => {
          const one = { ask: { ...ask, call }, tries: 0, settle, fail };
          pending.set(call, one);
          send(one);
        });
        if (bug !== undefined) log(`git-mem mcp: ${bug}`);
        return result;
      } finally {
        pending.delete(call);
      }
    },
  };
}
