import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitMem } from './support/command-line.ts';
import { createRepository } from './support/repository.ts';

const PAGES = [
  ...'README.md CONTRIBUTING.md SECURITY.md AGENTS.md CODE_OF_CONDUCT.md src/README.md test/README.md'.split(' '),
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Targets of links and pictures, without those of the web. */
function linksIn(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:srcset|src)="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image,
  );
  return targets.filter((target): target is string => target !== undefined && !/^https?:/.test(target));
}

/** The anchors that a code host makes of headings. */
function anchorsIn(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('links to existing targets', () => {
    const broken = linksIn(text).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names existing commands and options', () => {
    const unknown = commandsIn(text).filter(({ name, options }) => {
      const help = helps.get(name);
      return help === undefined || options.some((option) => !help.includes(option));
    });
    expect(unknown).toEqual([]);
  });
});

it('keeps to what a newcomer reads: a README of 8 KB, a glossary of 30 terms', () => {
  expect(Buffer.byteLength(readFileSync('README.md'))).toBeLessThanOrEqual(8000);
  const [, glossary = ''] = readFileSync('docs/how-it-works.md', 'utf8').split('## Glossary');
  const terms = glossary.match(/^\| (?!term |---).*$/gm) ?? [];
  expect(terms.length).toBeGreaterThan(10);
  expect(terms.length).toBeLessThanOrEqual(30);
});

it('has commands to check', () => {
  const named = PAGES.flatMap((page) => commandsIn(readFileSync(page, 'utf8')));
  expect(named.length).toBeGreaterThan(80);
});

/** The help of each command; hooks are answered before the command line is, and `help` is not in its own list. */
const helps = new Map<string, string>([
  ['hook', ''],
  ['help', '--all'],
]);

beforeAll(async () => {
  const repository = createRepository('repository', () => {});
  const { stdout } = await gitMem(repository, ['help', '--all']);
  const names = [
    ...stdout
      .slice(stdout.indexOf('Start:'), stdout.indexOf('Examples:'))
      .matchAll(/^ {2}([a-z][\w-]*)(?:\|([\w-]+))?/gm),
  ];
  for (const [, name = '', alias] of names) {
    const help = (await gitMem(repository, [name, '--help'])).stdout;
    for (const spelling of [name, ...(alias ? [alias] : [])]) helps.set(spelling, help);
  }
});

/** Each `git mem NAME ...` that stands as code in a text, with its long options. */
function commandsIn(text: string): { name: string; options: string[] }[] {
  const code = [...text.matchAll(/```(?:sh|console)\n([\s\S]*?)```|`([^`\n]+)`/g)].flatMap(([, block, span]) =>
    (block ?? span ?? '').split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, '')),
  );
  return code.flatMap((line) =>
    [...line.matchAll(/\bgit[ -]mem ([a-z][\w-]*)((?:(?!&&|\|\||[;|]).)*)/g)].map(([, name = '', rest = '']) => ({
      name,
      options: rest.match(/--[a-z][\w-]*/g) ?? [],
    })),
  );
}
