import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch.ts';

/** One call, as the program received it. */
export interface SeenRun {
  args: string[];
  input: string;
  env: Record<string, string>;
  cwd: string;
}

export interface ClaudeProgram {
  /** An environment in which `claude`, or what it is called, is this program. */
  env: Record<string, string>;
  runs(): SeenRun[];
}

/** What `claude` does, once it has read its input: JavaScript, with `print` and `input`. */
export function installClaude(...script: string[]): ClaudeProgram {
  return installProgram('claude', ...script);
}

/** The same under another name. */
export function installProgram(name: string, ...script: string[]): ClaudeProgram {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  const seen = join(folder, 'seen');
  mkdirSync(bin);
  mkdirSync(join(folder, 'home'));
  const acts = script.map((act) => `() => { ${act} }`).join(',\n');
  const source = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const input = readFileSync(0, 'utf8');
const print = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value));
const before = existsSync(${JSON.stringify(seen)}) ? readFileSync(${JSON.stringify(seen)}, 'utf8').split('\\n').length - 1 : 0;
const run = { args: process.argv.slice(2), input, env: process.env, cwd: process.cwd() };
appendFileSync(${JSON.stringify(seen)}, JSON.stringify(run) + '\\n');
const acts = [${acts}];
acts[Math.min(before, acts.length - 1)]();
`;
  writeFileSync(join(bin, name), source);
  chmodSync(join(bin, name), 0o755);
  return {
    env: { PATH: bin, HOME: join(folder, 'home') },
    runs: () =>
      existsSync(seen)
        ? readFileSync(seen, 'utf8')
            .split('\n')
            // A program that is still running may be writing its line, which ends with a line feed.
            .slice(0, -1)
            .map((line) => JSON.parse(line))
        : [],
  };
}

/** The act of answering this text, as `claude -p --output-format json` does. */
export function answering(text: string, more: Record<string, unknown> = {}): string {
  return `print(${JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    result: text,
    stop_reason: 'end_turn',
    session_id: '0b3f7c1e-2d4a-4f5b-8c6d-7e8f9a0b1c2d',
    usage: { input_tokens: 10, cache_creation_input_tokens: 1000, cache_read_input_tokens: 190, output_tokens: 300 },
    ...more,
  })})`;
}
