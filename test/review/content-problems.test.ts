import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';

const PATH = '.memory/observations/2026-11/20261120T200501Z-x-k3v9x2qd7m.md';
const TIME = 'generated: {by: "test", at: "2026-11-20T20:05:01Z"}';
const at = (time: string) =>
  `kind: observation\ntype: change\ntitle: The limit is ten\ngenerated: {by: "test", at: "${time}"}`;

describe('git mem check', () => {
  it.each<[what: string, text: string, codes: string[]]>([
    ['an empty record', '---\n---\n', ['empty']],
    ['a record without a title', `---\nkind: observation\ntype: change\n${TIME}\n---\n\nText.\n`, ['no-title']],
    ['one without a kind', `---\ntype: change\ntitle: The limit is ten\n${TIME}\n---\n`, ['no-kind']],
    [
      'an unknown type',
      `---\nkind: observation\ntype: bugfx\ntitle: The limit is ten\n${TIME}\n---\n`,
      ['unknown-type'],
    ],
    [
      'a title of 121 characters',
      `---\nkind: observation\ntype: change\ntitle: ${'é'.repeat(121)}\n${TIME}\n---\n`,
      ['long-title'],
    ],
    ['a title of 120', `---\nkind: observation\ntype: change\ntitle: ${'é'.repeat(120)}\n${TIME}\n---\n`, []],
    ['a date that is none', `---\n${at('yesterday')}\n---\n`, ['bad-date']],
    ['a date to come', `---\n${at('2999-01-01T00:00:00Z')}\n---\n`, ['bad-date']],
    ['a type of the team', `---\nkind: observation\ntype: runbook\ntitle: The limit is ten\n${TIME}\n---\n`, []],
  ])('explains the problem with %s', async (_, text, codes) => {
    const repository = createRepository();
    repository.write('.memory/config.yaml', 'types: [runbook]\n');
    repository.write(PATH, text);
    const { code, stdout } = await gitMem(repository, ['check', '--json']);
    const problems: { code: string; level: string; path: string }[] = JSON.parse(stdout).problems;
    const errors = problems.filter(({ level }) => level === 'error');
    expect(errors.map((problem) => problem.code)).toEqual(codes);
    expect(errors.every(({ path }) => path === PATH)).toBe(true);
    expect(code).toBe(codes.length === 0 ? 0 : 1);
  });
});
