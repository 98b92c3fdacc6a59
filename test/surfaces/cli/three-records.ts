import { blobId, idOf } from '../../../src/memory/id.ts';
import type { Mark, MarkType } from '../../../src/memory/record.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { markOf, observationOf, put, summaryOf } from '../../support/written-records.ts';

/** Keys that scripts rely on; more may be added. */
export const SHARED = [
  ...'id kind type title subtitle concepts files_read files_modified session prompt_number'.split(' '),
  ...'branch commit created discovery_tokens read_tokens extractor path store trust freshness'.split(' '),
  ...['supersedes', 'superseded_by', 'pinned', 'retired', 'disputed'],
];
export const SUMMARY = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];

export const decision = observationOf({
  id: 'k3v9x2qd7m',
  type: 'decision',
  title: 'Sessions live in Postgres',
  subtitle: 'Redis has no failover here',
  concepts: ['storage'],
  files_modified: ['src/session.ts'],
  files_read: ['docs/adr.md'],
  anchors: { 'src/session.ts': blobId('session\n') },
  session: '65939976-74e7-49bb-921b-c8315e7665e8',
  prompt_number: 3,
  branch: 'feature/auth',
  commit: 'a'.repeat(40),
  extractor: 'anthropic/claude-haiku-4-5',
  discovery_tokens: 12_840,
  narrative: 'Redis was rejected.',
  facts: ['No failover.', 'Postgres is there already.'],
});
export const bugfix = observationOf({
  id: 'p8w2m4ta1c',
  type: 'bugfix',
  title: 'JWT rejected',
  generated: { by: 'test', at: '2026-10-05T08:00:00Z' },
});
export const session = summaryOf({
  id: '7h2c9d4e1f',
  title: 'Harden the login',
  files_edited: ['src/session.ts'],
  completed: 'Moved the sessions.',
});

/** Two observations and a summary, one of them in the private store. */
export function filled(atEnd?: (remove: () => void) => void): TestRepository {
  const repository = createRepository('repository', atEnd);
  repository.write('src/session.ts', 'session\n');
  put(repository, decision);
  put(repository, session);
  put(repository, bugfix, 'private');
  return repository;
}

export function mark(type: MarkType, targets: string[]): Mark {
  return markOf({ id: idOf(type, ...targets), type, targets });
}
