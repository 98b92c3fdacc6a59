import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import * as z from 'zod';
import type { CorpusDocument } from './corpus.ts';

/** Away from the port that claude-mem uses by itself, so that no memory of the person who runs this is touched. */
const PORT = 38_779;
const BATCH = 500;
/** Of a pasted issue its worker takes no more in an address. */
const LONGEST = 2000;

const answerSchema = z.object({ content: z.array(z.object({ text: z.string() })) });
const healthSchema = z.object({ pid: z.number(), version: z.string() });

/** A worker of claude-mem with a home and a database of its own. */
export interface ClaudeMemWorker {
  pid: number;
  version: string;
  /** Its plugin, as `CLAUDE_PLUGIN_ROOT` names it for its hooks. */
  plugin: string;
  env: NodeJS.ProcessEnv;
  /** Imports documents as observations of a project. */
  bring(project: string, documents: CorpusDocument[]): Promise<void>;
  /** The documents of its full-text search for a question, best first. */
  search(project: string, question: string, limit: number): Promise<string[]>;
  stop(): void;
}

/**
 * Starts the worker of an installed claude-mem (`npm install claude-mem bun` in `installed`), with SQLite alone: its
 * vectors need Python and a model from the network, its telemetry is switched off.
 */
export async function startClaudeMem(installed: string, folder: string): Promise<ClaudeMemWorker> {
  const plugin = join(installed, 'node_modules', 'claude-mem', 'plugin');
  const script = join(plugin, 'scripts', 'worker-service.cjs');
  if (!existsSync(script)) throw new Error(`There is no claude-mem in ${installed}.`);
  const data = join(folder, 'claude-mem');
  for (const path of [data, join(folder, 'home', '.claude')]) mkdirSync(path, { recursive: true });
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    PATH: `${join(installed, 'node_modules', '.bin')}:${process.env.PATH}`,
    CLAUDE_CONFIG_DIR: join(folder, 'home', '.claude'),
    CLAUDE_PLUGIN_ROOT: plugin,
    CLAUDE_MEM_DATA_DIR: data,
    CLAUDE_MEM_WORKER_HOST: '127.0.0.1',
    CLAUDE_MEM_WORKER_PORT: String(PORT),
    CLAUDE_MEM_CHROMA_ENABLED: 'false',
    CLAUDE_MEM_TELEMETRY: '0',
    DO_NOT_TRACK: '1',
  };
  const tell = (word: string) => spawnSync('bun', [script, word], { env, cwd: folder, stdio: 'ignore' });
  tell('start');
  const { pid, version } = healthSchema.parse(await healthWithin(30));
  const documents = new Map<number, string>();
  return {
    pid,
    version,
    plugin,
    env,
    stop: () => void tell('stop'),
    async bring(project, some) {
      for (let i = 0; i < some.length; i += BATCH) await post(importOf(project, some.slice(i, i + BATCH)));
      const db = new Database(join(data, 'claude-mem.db'), { readonly: true });
      const rows = db.prepare<[], { id: number; session: string }>(
        'SELECT id, memory_session_id AS session FROM observations',
      );
      for (const { id, session } of rows.all()) documents.set(id, session.slice(session.lastIndexOf(' ') + 1));
      db.close();
    },
    async search(project, question, limit) {
      const asked = new URLSearchParams({ query: question.slice(0, LONGEST), project, limit: String(limit) });
      const answer = await fetch(`http://127.0.0.1:${PORT}/api/search/observations?${asked}`);
      const [{ text } = { text: '' }] = answerSchema.parse(await answer.json()).content;
      return [...text.matchAll(/^\| #(\d+) \|/gm)].map(([, id]) => documents.get(Number(id)) ?? '');
    },
  };
}

async function healthWithin(seconds: number): Promise<unknown> {
  for (let i = 0; i < seconds; i++) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/health`).catch(() => undefined);
    if (answer?.ok) return answer.json();
    await sleep(1000);
  }
  throw new Error('The worker of claude-mem did not start.');
}

async function post(body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`claude-mem refused an import: ${await answer.text()}`);
}

/** Each document with a session of its own, because claude-mem drops equal texts of one session. */
function importOf(project: string, documents: CorpusDocument[]): object {
  const some = documents.map((document) => ({ ...document, memory: `${project} ${document.id}` }));
  const time = (date: string) => ({ iso: new Date(date).toISOString(), epoch: Date.parse(date) });
  return {
    sessions: some.map(({ memory, date }) => ({
      content_session_id: `content ${memory}`,
      memory_session_id: memory,
      project,
      platform_source: 'claude',
      user_prompt: '',
      started_at: time(date).iso,
      started_at_epoch: time(date).epoch,
      completed_at: null,
      completed_at_epoch: null,
      status: 'completed',
    })),
    observations: some.map(({ memory, date, title, narrative, facts, concepts, files }) => ({
      memory_session_id: memory,
      project,
      text: null,
      type: 'change',
      title,
      subtitle: null,
      facts: JSON.stringify(facts),
      narrative,
      concepts: JSON.stringify(concepts),
      files_read: '[]',
      files_modified: JSON.stringify(files),
      prompt_number: 1,
      discovery_tokens: 0,
      created_at: time(date).iso,
      created_at_epoch: time(date).epoch,
    })),
  };
}
