import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../../src/capture/extract/extractor.ts';
import { createRulesExtractor } from '../../../src/capture/extract/rules/rules.ts';
import type { Turn } from '../../../src/capture/extract/turn.ts';
import { contextOf } from '../../support/turns.ts';
import { commit, failing, passing, proven, session } from './work.ts';

const CAUSE = 'The cache key lacked the locale, so pages of one language were served to all.';

async function extracted(...turns: Partial<Turn>[]) {
  const { observations, summary } = await createRulesExtractor().extract(session(...turns), contextOf({}));
  return { draft: observations[0], summary };
}

/** A record of a message that says the cause first. */
async function draftOf(text: string) {
  const { draft } = await extracted({ prompt: 'wrong language', calls: proven(), reply: `${CAUSE}\n\n${text}` });
  return draft;
}

describe('a summary from the rules', () => {
  it('lists a cause as learned, because nobody completed it', async () => {
    const { summary } = await extracted({ prompt: 'Wrong language.', calls: proven(), reply: CAUSE });
    expect(summary).toMatchObject({ learned: [CAUSE], completed: [] });
  });

  it.each(['I put the locale into the cache key of each page', 'Added the locale to the cache key of each page'])(
    'lists what somebody did as completed: %s',
    async (said) => {
      const { summary } = await extracted({ prompt: 'Wrong language.', calls: proven(), reply: `${said}.` });
      expect(summary).toMatchObject({ learned: [], completed: [`${said}.`] });
    },
  );

  it('lists a commit as completed', async () => {
    const { summary } = await extracted(
      { prompt: 'Wrong language.', calls: proven(), reply: CAUSE },
      { prompt: 'commit', calls: [commit('Put the locale into the cache key')] },
    );
    expect(summary).toMatchObject({ learned: [], completed: ['Put the locale into the cache key.'] });
  });

  it('lists a plan as completed', async () => {
    const prompt = `Implement the following plan:\n\n# Keep languages of the cache apart\n\n## Context\n\n${CAUSE}\n`;
    const { summary } = await extracted({ prompt, calls: proven(), reply: 'The key of `src/cache.ts` has it.' });
    expect(summary).toMatchObject({ learned: [], completed: ['Keep languages of the cache apart.'] });
  });

  it('lists what is still open in a resumed session, until it is done', async () => {
    const rules = createRulesExtractor();
    const sumUp = async (before: SessionSummary | undefined, turn: Partial<Turn>) =>
      (await rules.extract(session(turn), contextOf({ ...(before && { summary: before }) }))).summary;
    const stopped = await sumUp(undefined, { prompt: 'Wrong language.', calls: [failing()] });
    const talked = await sumUp(stopped, { prompt: 'thanks so far', reply: 'You are welcome.' });
    expect(talked?.next_steps).toEqual(['`npm test` failed when the session ended.']);
    const mended = await sumUp(talked, { prompt: 'go on', calls: [...proven(), passing()], reply: CAUSE });
    expect(mended?.next_steps).toEqual([]);
  });

  it('drops a resumed session’s points that have been replaced', async () => {
    const known = { type: 'bugfix', narrative: '', facts: [] };
    const earlier = [
      { ...known, id: 'k3v9x2qd7m', title: 'The cache mixes up its keys', files_modified: ['src/cache.ts'] },
      { ...known, id: 'p8w2m4ta1c', title: 'The banner is cached twice', files_modified: ['src/banner.ts'] },
    ];
    const learned = earlier.map(({ title }) => `${title}.`);
    const before = { request: '', investigated: [], learned, completed: [], next_steps: [], notes: [] };
    const turns = session({ prompt: 'still wrong', calls: proven(), reply: CAUSE });
    const { summary } = await createRulesExtractor().extract(turns, contextOf({ earlier, summary: before }));
    expect(summary?.learned).toEqual(['The banner is cached twice.', CAUSE]);
  });

  it('does not quote a request that only introduces the text pasted below it', async () => {
    const prompt = 'I got this feedback, what do you think of it:\n\nThe cache serves the wrong language.';
    const { summary } = await extracted({ prompt, calls: proven(), reply: CAUSE });
    expect(summary?.request).toBe('');
  });
});

describe('a record from the rules', () => {
  it('has no number without its words as its subtitle', async () => {
    const draft = await draftOf('With locale: ~135ms (100ms is the url timeout of the cache)');
    expect(draft?.subtitle).not.toContain('~135ms');
  });

  it('has no sentence about its tests or its wording as its subtitle', async () => {
    const draft = await draftOf('I also added tests of the locale in the cache key to `test/cache.test.ts`.');
    expect(draft?.subtitle).not.toContain('added tests');
  });

  it('does not mistake the user’s consent for the problem', async () => {
    const { draft } = await extracted(
      { prompt: 'is it the key?', reply: 'It is.' },
      { prompt: "yeah, let's add the locale to the key", calls: proven(), reply: CAUSE },
    );
    expect(draft?.subtitle).toBe('');
  });

  it('separates a file from the text below it in a list item', async () => {
    const draft = await draftOf('- [src/cache.ts](/home/src/cache.ts:1)\n  Holds the locale in the cache key.');
    expect(draft?.facts[0]).toBe('src/cache.ts: Holds the locale in the cache key.');
  });

  it.each(['I committed the change.', "I've now pushed it to the branch.", 'Pushed the fix to origin/main.'])(
    'does not mention what happened to the finished work: %s',
    async (said) => {
      const { draft } = await extracted({ prompt: 'wrong language', calls: proven(), reply: `${CAUSE} ${said}` });
      expect(draft?.title).toContain('The cache key lacked the locale');
      expect(JSON.stringify(draft)).not.toContain(said);
    },
  );

  it.each([
    'I committed the fix with the lock file because CI installs from it.',
    'I pushed the check of the locale down into the key.',
    'We merged both lookups into one of the cache key.',
  ])('mentions what was done to the code: %s', async (said) => {
    const draft = await draftOf(said);
    expect([`${draft?.subtitle}.`, draft?.narrative].join(' ')).toContain(said);
  });

  it('has a title that names the work itself, not the part of a sentence that does not', async () => {
    const reply =
      'Pages return early there; the url and the locale are joined in the cache key, and no page of another language is served to anybody by it.\n\nThe locale is in the cache key with the url.';
    const { draft } = await extracted({ prompt: 'wrong language', calls: proven(), reply });
    expect(draft?.title).toBe('The locale is in the cache key with the url');
  });
});

describe('the subtitle of the rules', () => {
  it.each([
    ['pages of the shop have the wrong language', 'pages of the shop have the wrong language'],
    ['still failing, that was not it', ''],
  ])('is the symptom in the prompt, and no answer to the agent: %s', async (prompt, subtitle) => {
    const { draft } = await extracted({ prompt, calls: proven(), reply: CAUSE });
    expect(draft?.subtitle).toBe(subtitle);
  });
});

describe('the narrative of the rules', () => {
  it.each([
    ['the title', [{ prompt: 'wrong language', calls: proven(), reply: `${CAUSE} It is a part of it now.` }]],
    [
      'the subtitle',
      [
        {
          prompt: 'x',
          calls: [...proven(), commit('Keep the languages apart')],
          reply: `${CAUSE} It is a part of it now.`,
        },
      ],
    ],
  ])('begins with no reference to what only %s says', async (where, turns) => {
    const { draft } = await extracted(...turns);
    expect(where === 'the title' ? draft?.title : draft?.subtitle).toBe(CAUSE.replace(/\.$/, ''));
    expect(draft?.narrative).toBe(`${CAUSE} It is a part of it now.`);
  });
});
