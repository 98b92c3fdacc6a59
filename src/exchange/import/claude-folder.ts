import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ImportSource } from './importer.ts';

/** Where Claude Code keeps what it knows of this checkout: transcripts, and below `memory/` its own notes. */
export function claudeFolder({ env, workspace }: ImportSource): string {
  const base = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  return join(base, 'projects', workspace.checkout.root.replace(/[^A-Za-z0-9]/g, '-'));
}
