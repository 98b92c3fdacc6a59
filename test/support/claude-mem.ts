import { createHash } from 'node:crypto';
import { openDatabase } from './sqlite.ts';

/** The contents of a generated claude-mem database. */
export interface ClaudeMemPlan {
  project: string;
  observations: number;
  /** Top of the repository, for absolute paths. */
  root: string;
  /** Column names of the first versions: `claude_session_id`, `sdk_session_id`, and neither tokens nor prompt numbers. */
  early?: boolean;
}

/** Observations of one session, and the prompts that led to them. */
const PER_SESSION = 20;
const PER_PROMPT = 5;

const START = Date.parse('2025-10-01T08:00:00Z');
const TYPES = ['decision', 'bugfix', 'feature', 'refactor', 'discovery', 'change'];
const TOPICS = [
  'token clock skew',
  'cache eviction',
  'retry backoff',
  'schema migration',
  'path encoding',
  'log rotation',
];

/** Writes a database with claude-mem's schema at `path`: sessions, observations, summaries, prompts, and one stranger. */
export function writeClaudeMem(path: string, { project, observations, root, early = false }: ClaudeMemPlan): void {
  const db = openDatabase(path);
  const [content, memory] = early
    ? ['claude_session_id', 'sdk_session_id']
    : ['content_session_id', 'memory_session_id'];
  const newer = early ? '' : ', prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0';
  db.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, ${content} TEXT UNIQUE NOT NULL, ${memory} TEXT UNIQUE,
      project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
      completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active');
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, ${memory} TEXT NOT NULL, project TEXT NOT NULL,
      text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
      files_read TEXT, files_modified TEXT${newer}${early ? '' : ', content_hash TEXT'},
      created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, ${memory} TEXT NOT NULL, project TEXT NOT NULL,
      request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
      notes TEXT${newer}, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, ${content} TEXT NOT NULL, prompt_number INTEGER NOT NULL,
      prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE pending_messages (id INTEGER PRIMARY KEY, body TEXT);
    CREATE VIRTUAL TABLE observations_fts USING fts5(title, content='observations', content_rowid='id');`);
  const insert = (table: string, row: Record<string, unknown>) =>
    db
      .prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
      .run(...Object.values(row));
  db.transaction(() => {
    for (let i = 0; i < observations; i++) {
      const nth = Math.floor(i / PER_SESSION);
      const [session, own] = [uuidOf(`memory ${nth}`), uuidOf(`content ${nth}`)];
      const at = START + i * 60_000;
      const time = { created_at: new Date(at).toISOString(), created_at_epoch: at };
      const number = 1 + Math.floor((i % PER_SESSION) / PER_PROMPT);
      const counted = early ? {} : { prompt_number: number, discovery_tokens: 1000 + i };
      const topic = TOPICS[i % TOPICS.length] ?? '';
      if (i % PER_SESSION === 0) {
        insert('sdk_sessions', {
          [content]: own,
          [memory]: session,
          project,
          user_prompt: `Look into ${topic}`,
          status: 'completed',
          started_at: time.created_at,
          started_at_epoch: at,
          completed_at: null,
          completed_at_epoch: null,
        });
        insert('session_summaries', {
          [memory]: session,
          project,
          request: `Mend ${topic} ${nth}`,
          investigated: `How ${topic} works.`,
          learned: `The cause of ${topic} is a missing bound.`,
          completed: 'The bound is there.',
          notes: `Note ${nth}`,
          next_steps: 'Measure it.',
          files_read: '["src/a.ts"]',
          files_edited: `["${root}/src/b.ts"]`,
          ...counted,
          ...time,
        });
      }
      if (i % PER_PROMPT === 0) {
        insert('user_prompts', {
          [content]: own,
          prompt_number: number,
          prompt_text: `Why does ${topic} fail? (${i})`,
          ...time,
        });
      }
      insert('observations', {
        [memory]: session,
        project,
        text: null,
        type: TYPES[i % TYPES.length],
        title: `Bound the ${topic} of module ${i}`,
        subtitle: `Part ${i} had no bound, so ${topic} grew without end`,
        facts: JSON.stringify([
          `Module ${i} reads its limit from src/limits.ts.`,
          `The test for ${topic} failed before.`,
        ]),
        narrative: `The ${topic} of module ${i} was unbounded. A limit of ${i} was put in where the list is made, and the caller says so when it is reached. ${'It was measured before and after. '.repeat(6)}`,
        concepts: JSON.stringify([topic.split(' ')[0], 'gotcha']),
        files_read: JSON.stringify(['src/limits.ts', '/etc/hosts', `${root}/src/clock.ts`]),
        files_modified: JSON.stringify([`${root}/src/module-${i}.ts`, '../outside.ts']),
        ...counted,
        ...(early ? {} : { content_hash: `hash-${i}` }),
        ...time,
      });
    }
    const time = { created_at: new Date(START).toISOString(), created_at_epoch: START };
    insert('observations', { [memory]: 'elsewhere', project: 'another', type: 'change', title: 'Not ours', ...time });
  })();
  db.close();
}

/** What looks random and is the same each time, because secrets are told from ids by how they look. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
