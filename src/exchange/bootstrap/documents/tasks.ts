import type { Page } from './page.ts';

/** A task declared in a file: the command that starts it, and the line that declares it. */
export interface Task {
  name: string;
  command: string;
  /** From 1. */
  line: number;
}

/** Readers of task files, by the file's name at the top of the repository. */
const KINDS: [file: RegExp, read: (page: Page, files: ReadonlySet<string>) => Task[]][] = [
  [/^package\.json$/, packageScripts],
  [/^composer\.json$/, (page) => jsonBlock(page, 'scripts', 'composer ')],
  [/^deno\.jsonc?$/, (page) => jsonBlock(page, 'tasks', 'deno task ')],
  [/^(?:GNU)?[Mm]akefile$/, (page) => matching(page, /^([A-Za-z][\w.-]*)\s*:(?![=:])/, 'make ')],
  [/^[Jj]ustfile$|^\.justfile$/, (page) => matching(page, /^@?([a-z][\w-]*)(?:\s[^:=]*)?:(?!=)/, 'just ')],
  [/^[Tt]askfile\.ya?ml$/, (page) => matching(page, /^ {2}([a-z][\w:-]*):\s*$/, 'task ')],
  [
    /^Rakefile$/,
    (page) => matching(page, /^\s*(?:task|desc_task|\w+::\w*Task\.new)\s*\(?\s*:?["']?([a-z][\w:]*)/, 'rake '),
  ],
  [/^tox\.ini$/, (page) => [...whole(page, /^\[tox\]/, 'tox'), ...matching(page, /^\[testenv:([\w.-]+)\]/, 'tox -e ')]],
  [/^pyproject\.toml$/, pythonTasks],
  [/^noxfile\.py$/, (page) => matching(page, /^def (\w+)\(session/, 'nox -s ')],
  [/^magefile\.go$/, (page) => matching(page, /^func ([A-Z]\w*)\(\S*.*\) ?(?:error )?\{/, 'mage ', lowerFirst)],
];

export function declaresTasks(path: string): boolean {
  return KINDS.some(([file]) => file.test(path));
}

/** The tasks that a page declares; `files` are the paths at HEAD, which show the package manager. */
export function tasksIn(page: Page, files: ReadonlySet<string>): Task[] {
  return KINDS.filter(([file]) => file.test(page.path)).flatMap(([, read]) => read(page, files));
}

function packageScripts(page: Page, files: ReadonlySet<string>): Task[] {
  const manager = packageManager(page, files);
  const isShort = (name: string) => (name === 'test' ? manager !== 'bun' : !['npm', 'bun', 'pnpm'].includes(manager));
  return jsonBlock(page, 'scripts', '').map((task) => {
    return { ...task, command: `${manager} ${isShort(task.name) ? '' : 'run '}${task.name}` };
  });
}

function packageManager({ lines }: Page, files: ReadonlySet<string>): string {
  const said = /"packageManager"\s*:\s*"([a-z]+)@/.exec(lines.join('\n'))?.[1];
  if (said) return said;
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };
  return Object.entries(locks).find(([lock]) => files.has(lock))?.[1] ?? 'npm';
}

/** The entries of one object in a JSON file with one entry per line, as programs write it. */
function jsonBlock({ lines }: Page, key: string, run: string): Task[] {
  const start = lines.findIndex((line) => line.trimStart().startsWith(`"${key}"`));
  if (start < 0) return [];
  const tasks: Task[] = [];
  for (let i = start + 1; i < lines.length && !/^\s*\}/.test(lines[i] ?? ''); i++) {
    const name = /^\s*"([^"]+)"\s*:/.exec(lines[i] ?? '')?.[1];
    if (name) tasks.push({ name, command: `${run}${name}`, line: i + 1 });
  }
  return tasks;
}

function pythonTasks(page: Page): Task[] {
  const tox = [...whole(page, /^\[tool\.tox\]/, 'tox'), ...matching(page, /^\[tool\.tox\.env\.([\w-]+)\]/, 'tox -e ')];
  const runners: [string, string][] = [
    ['tool.poe.tasks', 'poe '],
    ['tool.pdm.scripts', 'pdm run '],
    ['tool.taskipy.tasks', 'task '],
    ['tool.hatch.envs.default.scripts', 'hatch run '],
  ];
  return [
    ...tox,
    ...runners.flatMap(([table, run]) => {
      const start = page.lines.findIndex((line) => line.trim() === `[${table}]`);
      if (start < 0) return [];
      const end = page.lines.findIndex((line, i) => i > start && line.startsWith('['));
      const block = { ...page, lines: page.lines.slice(0, end < 0 ? undefined : end) };
      return matching(block, /^([\w-]+)\s*=/, run).filter(({ line }) => line > start);
    }),
  ];
}

/** A program that runs all its tasks, including the tests, without arguments. */
function whole({ lines }: Page, pattern: RegExp, command: string): Task[] {
  const at = lines.findIndex((text) => pattern.test(text));
  return at < 0 ? [] : [{ name: 'test', command, line: at + 1 }];
}

function matching({ lines }: Page, pattern: RegExp, run: string, named = (name: string) => name): Task[] {
  const tasks = lines.flatMap((text, i) => {
    const name = pattern.exec(text)?.[1];
    return name ? [{ name: named(name), command: `${run}${named(name)}`, line: i + 1 }] : [];
  });
  return tasks.filter(({ name }, i) => tasks.findIndex((other) => other.name === name) === i);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
