import { execFileSync } from 'node:child_process';

/** A record as its Markdown has it. */
export interface ParsedRecord {
  title: string;
  commit: string;
  at: string;
  pattern: string;
  anchors: Record<string, string>;
  files: string[];
  narrative: string;
  facts: string[];
  /** The commits that it names, by their first ten digits. */
  named: string[];
}

export function parsed(text: string): ParsedRecord {
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const json = <T>(key: string, none: T): T => {
    const line = new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1];
    return line === undefined ? none : JSON.parse(line);
  };
  const [narrative = '', facts = ''] = body.split(/^## Facts$/m);
  const lines = facts.split('\n').filter((line) => line.startsWith('- '));
  return {
    title: json('title', ''),
    commit: json('commit', ''),
    at: /generated: .*?at: "([^"]+)"/.exec(head)?.[1] ?? '',
    pattern: /pattern: "?([\w-]+)/.exec(head)?.[1] ?? '',
    anchors: json('anchors', {}),
    files: [...json<string[]>('files_modified', []), ...json<string[]>('files_read', [])],
    narrative: unescaped(narrative.trim()),
    facts: lines.map((line) => unescaped(line.slice(2))),
    named: [
      ...new Set(
        body.match(/\b(?=[0-9a-f]*\d)[0-9a-f]{10}\b(?= \(\d{4}-| of \d{4}-| on \d{4}-| changed| says)/g) ?? [],
      ),
    ],
  };
}

/** Markdown's own escapes, which the words behind them do not have. */
export function unescaped(text: string): string {
  return text.replace(/\\([\\`*_{}[\]()#+.!<>~|-])/g, '$1');
}

/** The parts of a text that survive redaction, sanitising and cutting: letters and digits. */
export function essence(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

export function questions(root: string) {
  const answers = new Map<string, string>();
  const ask = (...args: string[]): string => {
    const key = args.join('\0');
    const known = answers.get(key);
    if (known !== undefined) return known;
    let answer = '';
    try {
      answer = execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      answer = ''; // git knows nothing of it; what asked says that this is wrong.
    }
    answers.set(key, answer);
    return answer;
  };
  return {
    ask,
    message: (id: string) => ask('log', '-1', '--format=%B', id, '--'),
    subject: (id: string) => ask('log', '-1', '--format=%s', id, '--').trim(),
    day: (id: string) => {
      const [written = 0, committed = 0] = ask('log', '-1', '--format=%at %ct', id, '--').split(' ').map(Number);
      return new Date(Math.min(written, committed) * 1000).toISOString().slice(0, 10);
    },
    files: (id: string) => ask('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', '-m', id).split('\n'),
    commits: (path: string) =>
      ask('log', '--full-history', '--no-merges', '--format=%H', 'HEAD', '--', path).split('\n').filter(Boolean),
  };
}
