import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from './command-line.ts';
import type { TestRepository } from './repository.ts';

/** Stands for any text in a line of a transcript, and alone in a line for any lines. */
const ANY = '…';

const DAY_MS = 86_400_000;

/** Puts names in the place of what varies from run to run, and back. */
export interface Mask {
  hide(text: string): string;
  resolve(text: string): string;
  /** An id that the transcript chose, which is shown as it is. */
  known(id: string): void;
  /** The ids of `$1`, `$2` and so on. */
  ids(): string[];
  variables(): Record<string, string>;
}

/** Hides places, times, and the ids of the records that the commands write. */
export function createMask({ root, folder, env }: TestRepository, secret: string): Mask {
  const chosen = new Set<string>();
  const numbered: string[] = [];
  const places = { ROOT: root, HOME: env.HOME ?? '', FOLDER: folder, CHECKOUT: process.cwd(), SECRET: secret };
  const nameOf = (id: string) => {
    if (id === '') return '';
    if (!numbered.includes(id)) numbered.push(id);
    return `$${numbered.indexOf(id) + 1}`;
  };
  return {
    hide(text) {
      const ids = [...numbered, ...idsBelow(folder)].filter((id) => !chosen.has(id));
      const whole = (start: string) => ids.find((id) => id.startsWith(start));
      let hidden = text;
      for (const [name, value] of Object.entries(places)) hidden = hidden.replaceAll(value, `$${name}`);
      return withoutTimes(hidden)
        .replace(/(?<![0-9a-z])[0-9a-z]{10}(?![0-9a-z])/g, (id) => (ids.includes(id) ? nameOf(id) : id))
        .replace(/(?<=^(?:[\w-]+:)?)[0-9a-z]{4,9}(?= )/gm, (start) => nameOf(whole(start) ?? '') || start)
        .replace(/-[0-9a-z]{4}(?=-\$\d+\.md)/g, '')
        .replace(/(?<![\w-])(?=[a-f]*\d)(?:[0-9a-f]{8}|[0-9a-f]{10}|[0-9a-f]{12}|[0-9a-f]{40})(?![\w-])/g, (hash) =>
          chosen.has(hash) ? hash : '$HASH',
        )
        .replaceAll('\x1b', '\\e');
    },
    resolve(text) {
      return text
        .replace(/\$(\d)/g, (name, n) => numbered[n - 1] ?? name)
        .replace(/\$([A-Z]+)/g, (name, place: keyof typeof places) => places[place] ?? name);
    },
    known: (id) => void chosen.add(id),
    ids: () => numbered,
    variables: () => places,
  };
}

function idsBelow(folder: string): string[] {
  const stores = readdirSync(folder).flatMap((name) => [
    join(folder, name, '.memory'),
    join(folder, name, '.git/git-mem/private'),
    join(folder, name, '.local/share/git-mem/personal/.memory'),
  ]);
  return stores.flatMap((store) => {
    try {
      const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
      return names.flatMap((name) => /-([0-9a-z]{10})\.md$/.exec(name)?.[1] ?? []);
    } catch {
      return []; // There is no such store.
    }
  });
}

/** Only the times of this run vary; those of the records that a transcript gives are years away. */
function withoutTimes(text: string): string {
  const isNow = (at: number) => Math.abs(at - Date.now()) < 2 * DAY_MS;
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, (time) => {
      const at = Date.parse(time.endsWith('Z') ? time : `${time.replace(' ', 'T')}Z`);
      return isNow(at) ? '$TIME' : time;
    })
    .replace(/\d{4}-\d\d\/20\d{6}T\d{6}Z/g, (path) => {
      const [, year, month, day] = /\/(\d{4})(\d\d)(\d\d)/.exec(path) ?? [];
      const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
      return isNow(at) ? '$MONTH/$TIME' : path;
    })
    .replace(/\d{4}-\d\d-\d\d(?![\dT/])/g, (day) => (isNow(Date.parse(day)) ? '$DAY' : day))
    .replace(/\d{4}-\d\d(?=\/\*-\w+\.md)/g, '$MONTH')
    .replace(/\d+ (?=ms\b|KB\b)/g, 'N ')
    .replace(/(?<="(?:took_ms|size|bytes)": ?)[\d.]+/g, 'N');
}

/** Standard output, errors behind `!` and an exit code that is not 0 behind `?`; empty lines are left out. */
export function shownOutput({ code, stdout, stderr }: Ran, mask: Mask): string[] {
  const marked = (prefix: string, text: string) =>
    mask
      .hide(text)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `${prefix} ${line.trimEnd()}`);
  return [...marked(' ', stdout), ...marked('!', stderr), ...(code === 0 ? [] : [`? ${code}`])];
}

/** Whether output is what a transcript expects, which may leave parts open. */
export function isSameOutput(expected: string[], actual: string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0;
  if (first.slice(2) === ANY) {
    const prefix = first.slice(0, 2);
    for (let skipped = 0; skipped <= actual.length; skipped++) {
      if (isSameOutput(rest, actual.slice(skipped))) return true;
      if (!actual[skipped]?.startsWith(prefix)) return false;
    }
    return false;
  }
  return actual[0] !== undefined && isSameLine(first, actual[0]) && isSameOutput(rest, actual.slice(1));
}

function isSameLine(expected: string, actual: string): boolean {
  const parts = expected.split(ANY);
  let at = 0;
  for (const part of parts) {
    const found = actual.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return actual.startsWith(parts[0] ?? '') && actual.endsWith(parts.at(-1) ?? '');
}

/** The words of a command as a shell reads them, without what it would expand. */
export function wordsOf(text: string): string[] {
  const words = text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double, single) => single ?? double.replace(/\\(.)/g, '$1')),
  );
}
