import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ImportSource } from './importer.ts';

/** Where Claude Code keeps its data about this checkout: transcripts, and its own notes in `memory/`. */
export function claudeFolder({ env, workspace }: ImportSource): string {
  const base = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  return join(base, 'projects', workspace.checkout.root.replace(/[^A-Za-z0-9]/g, '-'));
}
