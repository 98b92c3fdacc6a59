import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { hookCall } from '../support/hook-call.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const RETRIED = 'Uploads must be retried by the drain';
const NEVER = 'Uploads must not be retried by the drain';
const FILE = 'src/upload.ts';

/** A memory in which two records contradict each other by their titles, as the last sync found them. */
async function disputed() {
  const repository = createRepository();
  repository.write(FILE, 'export {};\n');
  await repository.call('init', '--yes');
  const add = async (title: string, ...more: string[]) => {
    const added = await repository.call('add', '--title', title, '--file-modified', FILE, '--json', ...more);
    const { id }: { id: string } = JSON.parse(added);
    return id;
  };
  const [one, other] = [await add(RETRIED), await add(NEVER)];
  await add('Invoices are rendered with Chromium');
  await repository.call('sync');
  return { ...repository, add, one, other };
}

async function listed(repository: TestRepository) {
  const { records }: { records: { id: string; disputed: boolean; disputed_by: string[] }[] } = JSON.parse(
    await repository.call('list', '--json'),
  );
  return records.filter(({ disputed }) => disputed).flatMap(({ disputed_by }) => disputed_by);
}

const started = (repository: TestRepository) => repository.call('context');

function reading({ root, env }: TestRepository) {
  const payload = { session_id: 's', cwd: root, tool_name: 'Read', tool_input: { file_path: join(root, FILE) } };
  return hookCall({ root, env }, 'claude-code', 'PreToolUse', payload);
}

it('records whose titles contradict each other are told with each other', async () => {
  const repository = await disputed();
  const { one, other } = repository;
  const lines = (await started(repository)).split('\n');
  expect(lines.find((line) => line.includes(`change: ${RETRIED}`))).toContain(`[disputed by ${other}: ${NEVER}]`);
  expect(lines.find((line) => line.includes(`change: ${NEVER}`))).toContain(`[disputed by ${one}: ${RETRIED}]`);
  expect(lines.find((line) => line.includes('Invoices'))).not.toContain('disputed');
  expect(await reading(repository)).toContain(`disputed by ${other}: ${NEVER}`);
  expect((await listed(repository)).sort()).toEqual([one, other].sort());
  expect(await repository.call('show', one)).toContain(`disputed by ${other}`);
  const digest = await repository.call('digest', '--since', '2020-01-01', '--json');
  // Which of the two is the later one depends on the second in which each was written.
  expect(digest).toMatch(/Against \\"Uploads must/);
});

it('what was replaced or retired since disputes nothing, without another comparison', async () => {
  const repository = await disputed();
  await repository.call('retire', repository.one, '--reason', 'Out of date.');
  expect(await started(repository)).not.toContain('disputed');
  expect(await reading(repository)).not.toContain('disputed');
  expect(await listed(repository)).toEqual([]);
});

it('a third record that names both ends a dispute', async () => {
  const repository = await disputed();
  await repository.add(
    'Who retries depends on the host',
    '--narrative',
    `See ${repository.one.slice(0, 4)} and ${repository.other}.`,
  );
  await repository.call('sync');
  expect(await started(repository)).not.toContain('disputed');
  expect(await listed(repository)).toEqual([]);
});

/** Makes one of the two look as if another clone had written it, and the notes as if no sync had seen it yet. */
async function fromAStranger(repository: TestRepository & { other: string }) {
  const records: { id: string; path: string }[] = JSON.parse(await repository.call('list', '--json')).records;
  const file = join(repository.root, records.find(({ id }) => id === repository.other)?.path ?? '');
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  repository.write(
    `.memory/observations/2026-11/20261120T200501Z-x-${idOf('x')}.md`,
    text.replace(repository.other, idOf('x')),
  );
  rmSync(join(repository.root, '.git/git-mem/tally'), { recursive: true });
  await repository.call('sync');
}

it('an unreviewed record casts no doubt on another', async () => {
  const repository = await disputed();
  await fromAStranger(repository);
  expect(await started(repository)).not.toContain('disputed');
  expect(await reading(repository)).not.toContain('disputed');
  expect(await listed(repository)).toEqual([]);
});

it("a stranger's record disputes ours once it was reviewed", async () => {
  const repository = await disputed();
  await fromAStranger(repository);
  expect(await listed(repository)).toEqual([]);
  repository.commit('The branch of a stranger is merged');
  await repository.call('sync');
  expect((await listed(repository)).sort()).toEqual([idOf('x'), repository.one].sort());
  expect(await started(repository)).toContain(`disputed by ${repository.one}: ${RETRIED}`);
});

it('the same with an index that holds untrusted records too', async () => {
  const repository = await disputed();
  repository.env.GIT_MEM_CACHE = 'minisearch';
  await fromAStranger(repository);
  repository.commit('The branch of a stranger is merged');
  await repository.call('sync');
  expect((await listed(repository)).sort()).toEqual([idOf('x'), repository.one].sort());
});

it('a dispute that was settled stays so when one of the two comes back', async () => {
  const repository = await disputed();
  const { one, other } = repository;
  await repository.add('Who retries depends on the host', '--narrative', `See ${one} and ${other}.`);
  await repository.call('retire', one, '--reason', 'Out of date.');
  await repository.call('sync');
  await repository.call('undo', one, '--reason', 'It was right.');
  await repository.call('sync');
  expect(await listed(repository)).toEqual([]);
});

it('what `git mem add` begins or ends is shown at once', async () => {
  const repository = createRepository();
  repository.write(FILE, 'export {};\n');
  await repository.call('init', '--yes');
  const add = (title: string, ...more: string[]) =>
    repository.call('add', '--title', title, '--file-modified', FILE, ...more);
  const [one = ''] = (await add(RETRIED)).split(' ');
  const [other = ''] = (await add(NEVER)).split(' ');
  expect((await listed(repository)).sort()).toEqual([one, other].sort());
  await add('Who retries depends on the host', '--narrative', `See ${one} and ${other}.`);
  expect(await listed(repository)).toEqual([]);
});

it('a record whose retirement was undone disputes others like before', async () => {
  const repository = await disputed();
  await repository.call('retire', repository.one, '--reason', 'Out of date.');
  await repository.add('Invoices need the fonts of the office');
  await repository.call('sync');
  expect(await listed(repository)).toEqual([]);
  await repository.call('undo', repository.one, '--reason', 'It was right.');
  await repository.call('sync');
  expect((await listed(repository)).sort()).toEqual([repository.one, repository.other].sort());
});

/** As if one of the two had come with a pull: no drain has compared it. */
function pulled({ root }: TestRepository, ids: string[]) {
  const folder = join(root, '.git/git-mem/tally');
  for (const name of readdirSync(folder)) {
    if (name.endsWith('-disputes.json')) rmSync(join(folder, name));
    if (!name.endsWith('-compared.json')) continue;
    const { compared, ...rest }: { compared: string[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    writeFileSync(
      join(folder, name),
      JSON.stringify({ ...rest, compared: compared.filter((id) => !ids.includes(id)) }),
    );
  }
}

it('what no drain has compared yet is told with what it contradicts', async () => {
  const repository = await disputed();
  const { one, other } = repository;
  pulled(repository, [other]);
  const lines = (await started(repository)).split('\n');
  expect(lines.find((line) => line.includes(`change: ${RETRIED}`))).toContain(`[disputed by ${other}: ${NEVER}]`);
  expect(lines.find((line) => line.includes(`change: ${NEVER}`))).toContain(`[disputed by ${one}: ${RETRIED}]`);
  expect(await reading(repository)).toContain(`disputed by ${other}: ${NEVER}`);
});

it('what no drain has compared yet is told without what a third record settles', async () => {
  const repository = await disputed();
  const { one, other } = repository;
  const third = await repository.add(
    'Who retries depends on the host',
    '--narrative',
    `See ${one.slice(0, 4)} and ${other.slice(0, 6)}.`,
  );
  pulled(repository, [one, other, third]);
  expect(await started(repository)).not.toContain('disputed');
  const read = await reading(repository);
  expect(read).toContain('Uploads must');
  expect(read).not.toContain('disputed');
});

it('only what is new is compared by a hook', async () => {
  const repository = await disputed();
  pulled(repository, []);
  expect(await started(repository)).not.toContain('disputed');
  expect(await reading(repository)).not.toContain('disputed');
});
