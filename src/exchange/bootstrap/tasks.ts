import { LIMITS } from '../../memory/record.ts';
import { commandFinding, type Finding, factOf, fittingTitle, type Page, placeOf, type Quote } from './page.ts';
import { type Purpose, purposeIn, purposeOf } from './purposes.ts';

/** A task declared in a file: the command that starts it, and what it runs. */
interface Task {
  name: string;
  command: string;
  declared: Quote;
  /** Each line of its recipe; undefined where the file does not say, or only in part. */
  recipe: Quote[] | undefined;
  /** Nothing else belongs to it. */
  isAlone: boolean;
}

/** A makefile's target, but not a variable. */
const TARGET = /^([A-Za-z][\w.-]*)\s*::?(?![=:]|\s*(?:export\s+)?[\w.]+\s*[:+?]?=)/;

/** Readers of task files, by the file's name at the top of the repository. */
const KINDS: [file: RegExp, read: (page: Page, files: ReadonlySet<string>) => Task[]][] = [
  [/^package\.json$/, packageScripts],
  [/^composer\.json$/, (page) => jsonBlock(page, 'scripts', 'composer ')],
  [/^deno\.jsonc?$/, (page) => jsonBlock(page, 'tasks', 'deno task ')],
  [/^(?:GNU)?[Mm]akefile$/, (page) => matching(page, TARGET, 'make ')],
  [/^\.?[Jj]ustfile$/, (page) => matching(page, /^@?([a-z][\w-]*)(?:\s+\*[\w-]+)?\s*:(?!=)/, 'just ')],
  [/^[Tt]askfile\.ya?ml$/, (page) => matching(page, /^ {2}([a-z][\w:-]*):\s*$/, 'task ')],
  [/^Rakefile$/, (page) => matching(page, /^(?:task|\w+::\w*Task\.new)\s*\(?\s*:?["']?([a-z]\w*)/, 'rake ')],
  [/^tox\.ini$/, (page) => matching(page, /^\[testenv:([\w.-]+)\]/, 'tox -e ')],
];

export function declaresTasks(path: string): boolean {
  return KINDS.some(([file]) => file.test(path));
}

const NAME = /^(?:build|compile|tests?|check|lint|clippy|vet|style|type-?check|types|format|fmt|setup|bootstrap)$/;

/** Tasks named after their purpose, as findings; `files` are the paths of the branch, which show the package manager. */
export function findTasks(page: Page, files: ReadonlySet<string>) {
  const tasks = KINDS.filter(([file]) => file.test(page.path)).flatMap(([, read]) => read(page, files));
  const first = tasks.filter(({ name }, i) => NAME.test(name) && tasks.findIndex((one) => one.name === name) === i);
  return first.flatMap((task) => {
    const texts = (task.recipe ?? []).map(({ text }) => text);
    const runs = texts.flatMap((text) => purposeOf(text) ?? []);
    const purpose = runs.includes('format') ? 'format' : purposeIn(task.name);
    const isEndless = /\bwatch|\bserve\b|no test specified/.test([task.declared.text, ...texts].join(' '));
    if (purpose === undefined || isEndless) return [];
    return [{ purpose, command: task.command, finding: findingOf(task, purpose) }];
  });
}

/** A recipe is quoted whole or not at all. */
function findingOf({ command, declared, recipe = [], isAlone }: Task, purpose: Purpose): Finding {
  const isWhole = recipe.length < LIMITS.facts && recipe.every((line) => factOf(line).endsWith(line.text));
  const said = isWhole ? recipe.map(({ text }) => `\`${text}\``).join(', then ') : '';
  const name = `${declared.path}: ${command}`;
  const titles = isAlone && isWhole && recipe[0] && !recipe[1] ? [`${name}, whose recipe is ${recipe[0].text}`] : [];
  const isElsewhere = isWhole && recipe.some(({ line }) => line !== declared.line);
  return commandFinding({
    subject: purpose,
    quotes: [declared, ...(isElsewhere ? recipe : [])],
    title: fittingTitle([...titles, name], LIMITS.title),
    narrative: `${placeOf(declared)} declares \`${command}\`${said && said.length < 400 ? `, whose recipe is ${said}` : ''}.`,
    concepts: ['how-to', purpose],
  });
}

/** Beside another language's manifest the package is only a part, such as the script of a web page. */
const OTHER = ['mix.exs', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'setup.py', 'Gemfile', 'pom.xml', 'composer.json'];

function packageScripts(page: Page, files: ReadonlySet<string>): Task[] {
  if (OTHER.some((file) => files.has(file))) return [];
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
function jsonBlock({ path, lines }: Page, key: string, run: string): Task[] {
  const start = lines.findIndex((line) => line.trimStart().startsWith(`"${key}"`));
  if (start < 0) return [];
  const names = lines.flatMap((line) => /^\s*"([^"]+)"\s*:/.exec(line)?.[1] ?? []);
  const tasks: Task[] = [];
  for (let i = start + 1; i < lines.length && !/^\s*\}/.test(lines[i] ?? ''); i++) {
    const [, name, body] = /^\s*"([^"]+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)")?/.exec(lines[i] ?? '') ?? [];
    if (name === undefined) continue;
    const declared = { path, line: i + 1, text: (lines[i] ?? '').trim() };
    const recipe = body === undefined ? undefined : [{ ...declared, text: body.replaceAll('\\"', '"') }];
    const isAlone = !names.includes(`pre${name}`) && !names.includes(`post${name}`);
    tasks.push({ name, command: `${run}${name}`, declared, recipe, isAlone });
  }
  return tasks;
}

function matching({ path, lines }: Page, pattern: RegExp, run: string): Task[] {
  return lines.flatMap((text, i): Task[] => {
    const name = pattern.exec(text)?.[1];
    if (!name) return [];
    const rules = lines.filter((line) => line.split(':', 1)[0]?.trim().split(/\s+/).includes(name));
    const isAlone = rules.length === 1 && /:\s*(?:#.*)?$/s.test(text);
    const isRecipe = /^(?:make|just) /.test(run) && !text.endsWith('\\');
    const recipe = isRecipe ? recipeAfter(path, lines, i) : undefined;
    return [{ name, command: `${run}${name}`, declared: { path, line: i + 1, text: text.trim() }, recipe, isAlone }];
  });
}

/** The lines of a recipe, which are indented; undefined where a condition or a comment comes between them. */
function recipeAfter(path: string, lines: string[], at: number): Quote[] | undefined {
  const length = lines.slice(at + 1).findIndex((line) => /^\S/.test(line));
  const end = length < 0 ? lines.length : at + 1 + length;
  const isNext = (line: string) => /^(?:(?:ifn?(?:eq|def)|else|endif)\b|#)/.test(line);
  if (isNext(lines[end] ?? '') && (lines[end - 1] ?? '').trim() !== '') return undefined;
  return lines.slice(at + 1, end).flatMap((line, i) => {
    return line.trim() === '' ? [] : [{ path, line: at + 2 + i, text: line.trim() }];
  });
}
