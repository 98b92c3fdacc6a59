import { claudeMem, claudeMemJson } from './claude-mem.ts';
import { claudeMemory } from './claude-memory.ts';
import type { Importer } from './importer.ts';
import { agentsMd, memoryBank, notes, serena } from './markdown-tools.ts';

/**
 * Every memory that can be imported, in the order of `git mem import --help`; jsonl, our own format, is handled
 * separately.
 */
export const IMPORTERS: readonly Importer[] = [
  claudeMem,
  claudeMemJson,
  claudeMemory,
  agentsMd,
  serena,
  memoryBank,
  notes,
];
