import { agentsMd } from './agents-md.ts';
import { claudeMem } from './claude-mem.ts';
import { claudeMemJson } from './claude-mem-json.ts';
import { claudeMemory } from './claude-memory.ts';
import type { Importer } from './importer.ts';
import { memoryBank } from './memory-bank.ts';
import { notes } from './notes.ts';
import { okf } from './okf.ts';
import { serena } from './serena.ts';
import { transcripts } from './transcripts.ts';

/** Every memory that can be imported, as `git mem import --help` lists them; jsonl, our own, is read by itself. */
export const IMPORTERS: readonly Importer[] = [
  claudeMem,
  claudeMemJson,
  claudeMemory,
  agentsMd,
  serena,
  memoryBank,
  okf,
  transcripts,
  notes,
];
