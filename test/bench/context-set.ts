import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A recorded session of Claude Code on one issue. */
export interface PastSession {
  /** As its lines name it, and so what git-mem calls it. */
  id: string;
  repository: string;
  issue: string;
  /** Paths in the repository that it edited or wrote with the tools for that. */
  edited: string[];
  log: string;
}

/** A later task: an issue, and the files that the patch which resolved it edits. */
export interface Task {
  id: string;
  repository: string;
  text: string;
  files: string[];
  /** One of the benchmark's smaller selection. */
  isLite: boolean;
}

/** The tasks whole, and the smaller selection of them; its other folders hold the same files once more. */
const TASKS = ['SWEContextBench Full', 'SWEContextBench Lite'] as const;
const SESSIONS = 'SWEContextBench Lite Past Experience';

/** Where the sessions ran, as their logs spell it: the checkout, or the folder around it. */
const PLACE = /(?:~\/desktop|\.)\/swebench_9_15(?:\/testbed)?/g;

const taskSchema = z.object({ instance_id: z.string(), problem_statement: z.string(), patch: z.string() });

const lineSchema = z.object({
  sessionId: z.string().optional(),
  message: z.object({ content: z.unknown() }).optional(),
});

const callSchema = z.object({
  type: z.literal('tool_use'),
  name: z.enum(['Edit', 'MultiEdit', 'Write']),
  input: z.object({ file_path: z.string() }),
});

/** Reads SWE-ContextBench from a checkout of it; undefined where the folder does not hold it. */
export function readContextSet(folder: string): { sessions: PastSession[]; tasks: Task[] } | undefined {
  const cases = join(folder, 'cases');
  if (![...TASKS, SESSIONS].every((name) => existsSync(join(cases, name)))) return undefined;
  const sessions = filesOf(join(cases, SESSIONS)).map(sessionIn);
  const [whole, lite] = TASKS.map((name) => filesOf(join(cases, name)).map(taskIn));
  const selected = new Set(lite?.map(({ id }) => id));
  return { sessions, tasks: (whole ?? []).map((task) => ({ ...task, isLite: selected.has(task.id) })) };
}

/** The log as if the session had run in another checkout. */
export function movedTo(root: string, { log }: PastSession): string {
  return log.replace(PLACE, root);
}

/** Tells whether a session edited a file that resolves the task, in another issue than the task's own. */
export function bearsOn({ repository, issue, edited }: PastSession, task: Task): boolean {
  return repository === task.repository && issue !== task.id && task.files.some((path) => edited.includes(path));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.jsonl?$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function taskIn(text: string): Omit<Task, 'isLite'> {
  const { instance_id: id, problem_statement, patch } = taskSchema.parse(JSON.parse(text));
  const files = [...patch.matchAll(/^--- a\/(.+)$/gm)].map(([, path = '']) => path.trim());
  return { id, repository: repositoryOf(id), text: problem_statement, files };
}

function sessionIn(log: string): PastSession {
  const issue = /instance_id:\s{1,4}([\w.-]+)/.exec(log)?.[1] ?? '';
  const edited = new Set<string>();
  let id = '';
  for (const line of log.split('\n')) {
    const parsed = lineSchema.safeParse(objectIn(line)).data;
    id ||= parsed?.sessionId ?? '';
    const content = parsed?.message?.content;
    for (const part of Array.isArray(content) ? content : []) {
      const path = callSchema.safeParse(part).data?.input.file_path;
      if (path !== undefined) edited.add(path.replace(PLACE, '.').replace(/^(?:\.\/)?(?:testbed\/)?/, ''));
    }
  }
  return { id, repository: repositoryOf(issue), issue, edited: [...edited], log };
}

/** OWNER__NAME-NUMBER without the number. */
function repositoryOf(issue: string): string {
  return issue.replace(/-\d+$/, '');
}

function objectIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line that is cut off: git-mem reports it, too, and reads on.
    return undefined;
  }
}
