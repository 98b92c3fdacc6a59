import { readFileSync } from 'node:fs';
import { type Result, readResult } from './results.ts';

export const PAGE = 'docs/benchmarks.md';

/** A line of the template in whose place the figures of these benchmarks are put. */
const FIGURES = /^\{\{figures of (.+)\}\}\n/gm;

/** The page of all figures: the prose of its template, with the rows of what is stored and, at `{{runs}}`, when each was run. */
export function renderPage(template = readTemplate(), read: (name: string) => Result | undefined = readResult): string {
  const rows = (names: string) => names.split(' ').flatMap((name) => rowsOf(name, read(name)));
  const runs = namesShown(template).map((name) => runOf(name, read(name)));
  return template.replace(FIGURES, (_, names: string) => rows(names).join('')).replace('{{runs}}\n', runs.join(''));
}

/** The benchmarks that the template shows. */
export function namesShown(template = readTemplate()): string[] {
  return [...template.matchAll(FIGURES)].flatMap(([, names = '']) => names.split(' '));
}

function readTemplate(): string {
  return readFileSync('test/bench/page.template', 'utf8');
}

function rowsOf(name: string, result: Result | undefined): string[] {
  let before = '';
  return (result?.figures ?? []).map(({ promise, bound, value, holds, note }) => {
    // What several rows are about is said once.
    const [about = ''] = /^.*?: (?=.)/.exec(promise) ?? [];
    const what = about !== '' && about === before ? `... ${promise.slice(about.length)}` : promise;
    before = about;
    const measured = `${holds ? value : `**${value}**`}${note ? ` (${note})` : ''}`;
    const limit = bound
      .replace(/^<= 0$/, '0')
      .replace('<=', '≤')
      .replace('>=', '≥');
    return row(what, limit, measured, result?.busy ? `${name}, busy` : name);
  });
}

function runOf(name: string, result: Result | undefined): string {
  if (result === undefined) return row(name, 'not stored yet', '', '');
  return row(name, result.date, result.machine, result.busy ? 'busy' : '');
}

function row(...cells: string[]): string {
  return `${cells.map((cell) => `| ${cell.replaceAll('|', '\\|')} `.replace('|  ', '| ')).join('')}|\n`;
}
