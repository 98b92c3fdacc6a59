import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { embeddingError, startEmbeddingsApi, vectorsBy } from '../support/embeddings-api.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { itSqlite } from '../support/sqlite.ts';
import { observationOf, put } from '../support/written-records.ts';

const TOPICS = 20;

/** A word of letters only for a number, so that no two of them are spelt alike. */
const word = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    .slice(0, 9);

/** Two records on each topic, which cite a file that no other cites. */
function memory(base: string, titleOf: (topic: number, side: number) => string): TestRepository {
  const repository = createRepository();
  const folder = join(repository.env.HOME ?? '', '.config', 'git-mem');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), `embed: {provider: openai, model: toy, base_url: "${base}"}\n`);
  for (let i = 0; i < 2 * TOPICS; i++) {
    const topic = i % TOPICS;
    const id = `${String.fromCharCode(97 + Math.floor(i / 10))}${i % 10}aaaaaaaa`.replace(/[ilou]/g, 'z');
    put(
      repository,
      observationOf({ id, title: titleOf(topic, i < TOPICS ? 0 : 1), files_read: [`src/${word(`file ${topic}`)}.c`] }),
    );
  }
  return repository;
}

async function sync({ call }: TestRepository) {
  return JSON.parse(await call('sync', '--json')).vectors as { weight: number | null; problem: string | null };
}

/** Both records of a topic by words of their own; the words that they share are those of other topics. */
const misleading = (topic: number, side: number) =>
  `${word(`${side} ${topic}`)} ${[1, 2, 3].map((far) => word(`shared ${(topic + side * 7 + far) % TOPICS}`)).join(' ')}`;

/** Both records of a topic by words of it, some of them also those of its neighbours. */
const telling = (topic: number) => [0, 1, 2, 3, 4, 5].map((far) => word(`shared ${(topic + far) % TOPICS}`)).join(' ');

/** Knows which topic a text is about. */
const knowing = (text: string) => {
  const vector = Array.from({ length: TOPICS }, (_, topic) =>
    Number([0, 1].some((side) => text.includes(word(`${side} ${topic}`)))),
  );
  return [...vector, 0.1];
};

/** Knows nothing: a direction for each text. */
const guessing = (text: string) =>
  [...createHash('sha256').update(text).digest()].slice(0, 8).map((byte) => byte - 127.5);

itSqlite('a model that adds to word matches gains weight, and the answers show it', async () => {
  const api = await startEmbeddingsApi(vectorsBy(knowing));
  const repository = memory(api.base, misleading);
  const { weight } = await sync(repository);
  expect(weight).toBeGreaterThan(0.2);
  const { hits } = JSON.parse(await repository.call('search', misleading(4, 0), '--json', '--limit', '2'));
  expect(hits.map(({ title }: { title: string }) => title).sort()).toEqual([misleading(4, 0), misleading(4, 1)].sort());
  const asked = api.calls.length;
  expect((await sync(repository)).weight).toBe(weight);
  expect(api.calls.length).toBe(asked);
});

itSqlite('a model that guesses weighs less', async () => {
  const api = await startEmbeddingsApi(vectorsBy(guessing));
  expect((await sync(memory(api.base, telling))).weight).toBeLessThan(0.2);
});

itSqlite('a failure is reported with its reason, and tried again', async () => {
  const api = await startEmbeddingsApi(vectorsBy(knowing));
  const repository = memory(api.base, misleading);
  api.answer = (response, request) => {
    const isQuestion = request.body.input.length === 40 && !request.body.input[0]?.includes('src/');
    (isQuestion ? embeddingError(500, 'oops') : vectorsBy(knowing))(response, request);
  };
  expect(await sync(repository)).toMatchObject({ weight: null, problem: expect.stringContaining('500') });
  api.answer = vectorsBy(knowing);
  expect((await sync(repository)).weight).toBeGreaterThan(0.2);
});
