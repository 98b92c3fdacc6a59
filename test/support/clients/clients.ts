import { claudeCode } from './claude-code.ts';
import type { RealClient } from './client.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { factoryDroid } from './factory-droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { kimiCode } from './kimi-code.ts';
import { kilo, opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';

/** The clients that can be driven without an account. */
export const REAL_CLIENTS: readonly RealClient[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  copilot,
  cline,
  factoryDroid,
  qwenCode,
  kilo,
  pi,
  kimiCode,
];
