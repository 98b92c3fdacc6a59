import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { remember } from '../../support/command.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const at = (time: string) => ({ generated: { by: 'test', at: time } });

export function createMemory(): TestRepository {
  const repository = createRepository();
  remember(repository, [
    {
      id: 'k3v9x2qd7m',
      type: 'bugfix',
      title: 'Clock skew',
      narrative: 'It *drifts*.',
      facts: ['30 seconds'],
      ...at('2026-11-20T10:00:00Z'),
    },
    {
      id: 'p8w2m4ta1c',
      type: 'decision',
      title: 'Postgres',
      supersedes: ['7h2c9d4e1f'],
      ...at('2026-11-19T10:00:00Z'),
    },
    { id: '7h2c9d4e1f', type: 'decision', title: 'Redis', ...at('2026-10-19T10:00:00Z') },
    { id: 'rrrrrrrrrr', title: 'Taken back', ...at('2026-10-18T10:00:00Z') },
  ]);
  const { stores } = openWorkspace(repository.root, repository.env);
  const mark = { kind: 'mark' as const, type: 'redact' as const, targets: ['rrrrrrrrrr'], reason: '' };
  stores.team.put({ ...mark, id: 'mmmmmmmmmm', ...at('2026-11-20T11:00:00Z') });
  stores.private.put({ kind: 'prompt', id: 'qqqqqqqqqq', text: 'Why is it slow?', ...at('2026-11-20T12:00:00Z') });
  return repository;
}

export const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
