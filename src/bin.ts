#!/usr/bin/env node
/** The program: hooks first, because an agent waits for them; everything else loads the command line. */
import { recordEvent } from './hook/record.ts';
import { wakeDrain } from './hook/wake.ts';

const [command, ...rest] = process.argv.slice(2);

async function hook(): Promise<void> {
  // Whatever goes wrong from here on, the host sees success and silence.
  process.on('uncaughtException', () => process.exit(0));
  process.stdout.on('error', () => {});
  const { stdin, env } = process;
  const outcome = await recordEvent({ args: rest, stdin, cwd: process.cwd(), env, now: new Date() });
  if (outcome?.reply) process.stdout.write(await (await import('./hook/brief.ts')).sessionStartReply(outcome, env));
  if (outcome?.wake) wakeDrain(outcome.root, env);
}

async function commandLine(): Promise<void> {
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(process.argv.slice(2), process);
}

void (command === 'hook' ? hook() : commandLine());
