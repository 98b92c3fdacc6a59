import { describe, expect, it } from 'vitest';
import { ADVICE, titleProblem } from '../../src/memory/telling-title.ts';

describe('a title', () => {
  it.each([
    'Sessions live in Postgres',
    "JWT is rejected when the issuer's clock runs ahead",
    'Fixed the race between drain and hook by renaming after fsync',
    'Retrying inside the transaction deadlocks: refuted',
    'src/auth.ts accepts tokens that are 30 s early',
    'All tests pass on Node 24 only with --no-opt',
    'npm ci needs 4 GB since the viewer bundle',
    'Der Importer schneidet Batches nach zehn Zeilen ab',
    'インポーターは十行で切る',
    'Next.js caches fetches of a layout across requests',
    'Why uploads stop at 25 MB: the gateway cuts them',
    'Why do uploads stop at 25 MB: the gateway cuts them',
    'How sessions end decides what the rules report',
    'Can be called from any thread',
    'connect() resolves at ready, not at connect',
    'Is it safe to retry: no, the endpoint charges twice',
    'Never force push',
    'cache.py is called lrucache.py now',
  ])('that is informative is accepted: %s', (title) => {
    expect(titleProblem(title)).toBeUndefined();
  });

  it.each([
    ['Done', 'fewer than 3 words'],
    ['Fixed the issue', 'little more than'],
    ['All tests pass now', 'little more than'],
    ['All 42 tests are passing again', 'little more than'],
    ['The task is now complete and ready for review', 'little more than'],
    ['Implemented the requested changes successfully', 'little more than'],
    ['I have fixed the login bug', 'little more than'],
    ['Let me check the token store first', 'going to be done'],
    ['Next steps for the token store', 'going to be done'],
    ['Next: move the queue to Redis', 'going to be done'],
    ['TODO(queue): move retries to Redis', 'going to be done'],
    ['Should tokens expire after an hour?', 'question'],
    ['Warum bricht der Import ab?', 'question'],
    ['Why does the importer drop rows', 'question'],
    ['Should we raise the upload limit', 'question'],
    ['src/auth.ts', 'only names files'],
    ['Updated src/auth.ts and src/clock.ts', 'only names files'],
    ['`./src/recall/briefing.ts`', 'only names files'],
    ['', 'fewer than 3 words'],
    ['- - - - - -', 'fewer than 3 words'],
  ])('that is uninformative is refused, with the next step: %j', (title, reason) => {
    const problem = titleProblem(title);
    expect(problem).toContain(reason);
    expect(problem).toMatch(/Write what is true now/);
  });

  it('of a summary is refused with an example of one', () => {
    const problem = titleProblem('All tests pass now', ADVICE.summary);
    expect(problem).toMatch(
      /^The title says little more than that work was done\. Write the session's outcome, such as "/,
    );
    const [, example = ''] = problem?.match(/"(.*)"/) ?? [];
    expect(titleProblem(example)).toBeUndefined();
  });

  it('is checked in linear time', () => {
    for (const piece of ['a/', '"\'(', 'word ', '. ', '語']) titleProblem(piece.repeat(100_000));
  });
});
