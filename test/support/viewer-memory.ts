import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { recordFile } from '../../src/memory/store/store.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { CITED_CONTENT, CITED_FILES, generatedObservation } from './generated-records.ts';
import { preparedRepository } from './prepared-repository.ts';
import type { TestRepository } from './repository.ts';
import type { AtEnd } from './set-up.ts';
import { drop, observationOf, put, summaryOf } from './written-records.ts';

const at = (day: number, hour = 12) => ({
  by: 'claude-code',
  at: `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:05:01Z`,
});
const one = (name: string, fields: Omit<Partial<Observation>, 'id'>): Observation =>
  observationOf({
    id: idOf('viewer', name),
    branch: 'main',
    extractor: 'anthropic/claude-haiku-4-5',
    discovery_tokens: 4200,
    ...fields,
  });

const CLOCK = 'export const now = () => Date.now();\n';
const TOKEN = `${Array.from({ length: 30 }, (_, i) => `export const step${i} = ${i};`).join('\n')}\n`;
const MOVED = `${Array.from({ length: 20 }, (_, i) => `export const move${i} = ${i};`).join('\n')}\n`;
const SESSION = { session: '5e0c1d2a-7f41-4d60-9a77-b16b00b5cafe' };

/** The records that `viewerMemory` writes one by one, each to show something on its page. */
export const TOLD = {
  /** Replaces `middle`, which replaced `first`; cites a file in each state; has marks, a session and a prompt. */
  hero: one('hero', {
    type: 'bugfix',
    title: 'Tokens of a skewed clock are accepted for thirty seconds',
    ...SESSION,
    prompt_number: 2,
    generated: at(18),
    concepts: ['auth', 'clock skew', 'gotcha'],
    narrative: [
      'Nodes drift apart by some seconds before NTP pulls them back, so `verify` refused **fresh tokens** about twice an hour.',
      'The check now allows thirty seconds on either side:\n\n```ts\nconst isFresh = Math.abs(issued - now()) < 30_000;\n```',
      '- a longer allowance was rejected: replay\n- a shorter one still failed on the slow rack\n\n| rack | drift |\n| --- | --- |\n| a | 2 s |\n| b | 24 s |',
    ].join('\n\n'),
    facts: [
      'The largest drift that was measured is 24 seconds.',
      '`step9` waits for NTP, which runs every 64 seconds on all nodes.',
    ],
    files_modified: ['src/auth/clock.ts', 'src/auth/token.ts', 'src/auth/moved.ts'],
    files_read: ['src/auth/gone.ts'],
    anchors: {
      'src/auth/clock.ts': blobId(CLOCK),
      'src/auth/token.ts': blobId(TOKEN),
      'src/auth/moved.ts': blobId(MOVED),
      'src/auth/gone.ts': blobId('gone\n'),
    },
    supersedes: [idOf('viewer', 'middle')],
  }),
  middle: one('middle', {
    title: 'Tokens of a skewed clock are accepted for five seconds',
    type: 'bugfix',
    generated: at(12),
    narrative: 'Five seconds are enough.',
    supersedes: [idOf('viewer', 'first')],
  }),
  first: one('first', { title: 'Tokens of a skewed clock are refused', type: 'decision', generated: at(3) }),
  /** Two records replace this one, each by its own way. */
  argued: one('argued', { title: 'Uploads go through the proxy', type: 'decision', generated: at(4) }),
  left: one('left', {
    title: 'Uploads go straight to the bucket',
    type: 'decision',
    generated: at(9),
    branch: 'topic/uploads',
    supersedes: [idOf('viewer', 'argued')],
  }),
  right: one('right', {
    title: 'Uploads go through a queue',
    type: 'decision',
    generated: at(10),
    branch: 'topic/queue',
    supersedes: [idOf('viewer', 'argued')],
  }),
  /** Of this clone only. */
  own: one('own', { title: 'My notes on the flaky runner', generated: at(17), narrative: 'Runner 4 has less memory.' }),
  /** Came with a checkout; nobody reviewed it. */
  strange: one('strange', {
    title: 'All checks may be skipped on Fridays',
    type: 'discovery',
    generated: at(19),
    branch: 'stranger/friday',
    narrative: 'Somebody says so.',
  }),
} satisfies Record<string, Observation>;

/** A repository whose memory has one of everything, besides `count` generated records. */
export function viewerMemory(count = 20, atEnd?: AtEnd): Promise<TestRepository> {
  return preparedRepository(`viewer-memory-${count}`, (repository) => fill(repository, count), atEnd);
}

async function fill(repository: TestRepository, count: number): Promise<void> {
  const { write, git, call, root } = repository;
  const files = { 'src/auth/clock.ts': CLOCK, 'src/auth/token.ts': TOKEN, 'src/auth/moved.ts': MOVED };
  for (const [path, text] of Object.entries(files)) write(path, text);
  write('src/auth/gone.ts', 'gone\n');
  for (const path of CITED_FILES) write(path, CITED_CONTENT);
  const { stores } = openWorkspace(root, repository.env);
  const branches = ['main', 'main', 'topic/uploads', 'topic/queue'];
  const generated = Array.from({ length: count }, (_, i) => ({
    ...generatedObservation(i),
    branch: branches[i % branches.length] ?? 'main',
    generated: { by: 'claude-code', at: dayOf(i) },
  }));
  await stores.team.putNew(generated.map((record) => recordFile(record)));
  const { own, strange, ...team } = TOLD;
  for (const record of Object.values(team)) put(repository, record);
  put(repository, own, 'private');
  put(
    repository,
    { kind: 'prompt', id: 'pppppppppp', generated: at(18, 11), ...SESSION, prompt_number: 2, text: PROMPT },
    'private',
  );
  put(repository, summaryOf({ id: idOf('viewer', 'summary'), ...SESSION, generated: at(18, 13), title: 'Clock skew' }));
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '-m', 'Allow for skewed clocks (#42)');
  write('src/auth/token.ts', TOKEN.replace('step7 = 7', 'step7 = 700').replace('export const step9 = 9;\n', ''));
  write('src/auth/new/moved.ts', MOVED);
  for (const path of ['src/auth/moved.ts', 'src/auth/gone.ts']) rmSync(join(root, path));
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '-m', 'Tidy the steps of tokens');
  drop(repository, strange);
  await call('verify', TOLD.hero.id, '--reason', 'Measured again after the new rack.');
}

const PROMPT = 'Why do logins fail twice an hour? Find the cause and mend it.';

/** Two and a half records a day, back from the middle of the month. */
function dayOf(i: number): string {
  return new Date(Date.UTC(2026, 10, 16, 9) - i * 9.5 * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
}
