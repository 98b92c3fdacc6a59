import { describe, expect, it } from 'vitest';
import type { Draft, Extraction, Known } from '../../../src/capture/extract/extractor.ts';
import { createRulesExtractor } from '../../../src/capture/extract/rules/rules.ts';
import type { Turn } from '../../../src/capture/extract/turn.ts';
import { contextOf } from '../../support/turns.ts';
import { QUIET } from './quiet-sessions.ts';
import { commit, edit, failing, passing, proven, run, session, write } from './work.ts';

async function extracted(turns: Turn[], earlier: Known[] = []): Promise<Extraction> {
  return createRulesExtractor().extract(turns, contextOf({ earlier }));
}

async function drafts(turns: Turn[]): Promise<Draft[]> {
  return (await extracted(turns)).observations;
}

const all = ({ title, subtitle, narrative, facts }: Draft) => [title, subtitle, narrative, ...facts].join('\n');

describe('the rules make no record of', () => {
  it.each(QUIET)('%s', async (_, turns) => {
    expect(await drafts(turns)).toEqual([]);
  });
});

describe('a record from the rules', () => {
  it('comes from edits and a check that failed before, with the cause as its title and both as its evidence', async () => {
    const [draft, ...more] = await drafts(
      session({
        prompt: 'the cache serves the wrong language, fix it',
        calls: proven(),
        reply:
          'All tests pass now.\n\n## Summary\n\nThe cache key lacked the locale, so pages of one language were served to all.\n\n**Fix (1 file):**\n1. **`src/cache.ts`** - the key now holds URL and locale\n2. **`test/cache.test.ts`** - covers two languages\n\n```ts\nconst key = url;\n```\n\nWant me to commit this?',
      }),
    );
    expect(more).toEqual([]);
    expect(draft).toMatchObject({
      turn: 'turn-1',
      type: 'bugfix',
      title: 'The cache key lacked the locale, so pages of one language were served to all',
      files_modified: ['src/cache.ts'],
    });
    expect(draft?.facts).toContain('`npm test` failed first, then passed.');
    expect(draft && all(draft)).not.toMatch(/All tests pass|Want me|const key/);
  });

  it('has a commit’s subject as its title and the body as its text, without trailers', async () => {
    const [draft] = await drafts(
      session(
        {
          prompt: 'the start message is gone',
          calls: [edit('src/hooks.ts', 'additionalContext', 'systemMessage and additionalContext'), passing()],
          reply: "All passing. Here's what happened:\n\nThe message went to the agent only.",
        },
        {
          prompt: 'commit this',
          calls: [
            commit(
              'Restore the start message for the user\n\nThe format fix moved it from systemMessage to additionalContext,\nwhich only the agent sees. Now both fields are set.\n\nCo-Authored-By: Agent <agent@example.com>',
            ),
          ],
          reply: 'Committed as `1a2b3c4`. The remaining unstaged files are local state.',
        },
      ),
    );
    expect(draft).toMatchObject({ title: 'Restore the start message for the user', files_modified: ['src/hooks.ts'] });
    expect(draft && all(draft)).toContain(
      'moved it from systemMessage to additionalContext, which only the agent sees',
    );
    expect(draft?.facts).toEqual(['Committed as 1a2b3c4.']);
    expect(draft && all(draft)).not.toMatch(/Co-Authored|unstaged/);
  });

  it('is not made from a commit that the agent only announces', async () => {
    const turns = session({
      prompt: 'add it to the changelog and commit everything',
      calls: [edit('CHANGELOG.md', '', 'tolerate clock skew'), commit('fix: tolerate clock skew between the nodes')],
      reply: 'Committed as "fix: tolerate clock skew between the nodes" with the changelog entry.',
    });
    expect(await drafts(turns)).toEqual([]);
  });

  it('has an approved plan’s context and decision', async () => {
    const [draft] = await drafts(
      session({
        prompt:
          'Implement the following plan:\n\n# Fix: record a failed version check\n\n## Context\n\nWhen `fetchLatest()` fails, `lastCheck` stays old, so every command tries again and waits two seconds.\n\n## Decision\n\nSave `lastCheck` right after the request, whether it failed or not.\n\n## Verification\n\n1. `npm test` passes\n2. No new tests needed',
        calls: [edit('src/version.ts', 'if (error) return', 'save(lastCheck)'), passing()],
        reply: 'All 8 tests pass. `lastCheck` is saved before the error is looked at.',
      }),
    );
    expect(draft?.title).toBe('Fix: record a failed version check');
    expect(draft && all(draft)).toContain('every command tries again and waits two seconds');
    expect(draft && all(draft)).toContain('Save `lastCheck` right after the request');
    expect(draft && all(draft)).not.toContain('No new tests');
  });

  it('quotes a user’s decision verbatim', async () => {
    const said = 'we keep the sessions in Postgres instead of Redis, because Redis has no failover here.';
    const [draft] = await drafts(session({ prompt: `Thanks. ${said}`, reply: 'Understood.' }));
    expect(draft).toMatchObject({ type: 'decision', narrative: said });
    for (const open of [
      'should we keep the sessions in Postgres instead of Redis?',
      'maybe we keep the sessions in Postgres instead of Redis, not sure',
      'if it is slow we use Redis instead of Postgres',
    ]) {
      expect(await drafts(session({ prompt: open, reply: 'Let us see.' })), open).toEqual([]);
    }
  });

  it('quotes whole sentences and leaves out questions, doubts, advice and sentences that depend on them', async () => {
    const [draft] = await drafts(
      session({
        prompt: 'uploads are slow, fix it',
        calls: [failing(), edit('src/upload.ts', 'uploadPart(one)', 'uploadPart(four) in parallel'), passing()],
        reply:
          'The upload sent its parts one after the other in `src/upload.ts`. It sends four at once now, down from 8 s to 2 s. This might also help the importer. It could be raised to eight. You should check the quota. I left the tests of the importer alone.',
      }),
    );
    expect(draft && all(draft)).toContain('It sends four at once now, down from 8 s to 2 s.');
    expect(draft && all(draft)).not.toMatch(/might|could be raised|quota|left the tests/);
  });

  it('does not report a check as failed that only passed after its tests were written', async () => {
    const [draft] = await drafts(
      session({
        prompt: 'the same-repository check is bypassed by a trailing slash',
        calls: [
          edit('src/validate.ts', 'a === b', 'normalise(a) === normalise(b)'),
          edit('test/validate.test.ts', '', 'rejects a trailing slash'),
          passing(),
        ],
        reply:
          '`validateEndpoints` now normalises both URLs before it compares them, so a trailing slash is no way around.',
      }),
    );
    expect(draft?.facts).toEqual(['`npm test` passed.']);
  });
});

describe('a session extracted by the rules', () => {
  it('gives four records at most, one per turn, the last ones of many', async () => {
    const turns = session(
      ...Array.from({ length: 12 }, (_, n) => ({
        prompt: `module ${n} drops a row, fix it`,
        calls: proven(`src/module${n}.ts`),
        reply: `The loop of module ${n} in \`src/module${n}.ts\` ended one row early, so the last row was dropped.`,
      })),
    );
    const found = await drafts(turns);
    expect(found.map(({ turn }) => turn)).toEqual(['turn-9', 'turn-10', 'turn-11', 'turn-12']);
  });

  it('keeps only the conclusion of a diagnosis', async () => {
    const found = await drafts(
      session(
        {
          prompt: 'the sync fails on an empty target',
          calls: [failing(), edit('src/refs.ts', 'decode(body)', 'decode(trim(body))'), passing()],
          reply: 'The server sends blank lines before the refs, so `decode()` in `src/refs.ts` trims the body now.',
        },
        {
          prompt: 'it still fails with the same message',
          calls: [failing(), edit('src/refs.ts', 'decode(trim(body))', 'decode(withoutHeader(body))'), passing()],
          reply:
            'The decoder did not strip the service header in `src/refs.ts`; a body with the header alone now counts as an empty remote.',
        },
      ),
    );
    expect(found).toHaveLength(1);
    expect(found[0] && all(found[0])).toContain('service header');
    expect(found[0] && all(found[0])).not.toContain('blank lines');
  });

  it('keeps a fix that a later turn only touched in passing', async () => {
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'];
    const found = await drafts(
      session(
        {
          prompt: 'move to version 3 of the parser',
          calls: [failing(), ...files.map((path) => edit(path, 'new Parser()', 'Parser.empty')), passing()],
          reply:
            'Parser version 3 is no drop-in: the constructors of `Parser` are gone, and the zero value takes their place.',
        },
        {
          prompt: 'lint complains about src/a.ts',
          calls: [edit('src/a.ts', 'string(cap)', 'cap')],
          reply: 'Removed the redundant conversion in `src/a.ts`.',
        },
      ),
    );
    expect(found.map(({ turn }) => turn)).toEqual(['turn-1']);
  });

  it('records once what the agent repeats after a sub-agent', async () => {
    const reply = 'The table in `src/limits.ts` lists every limit of the importer with its unit.';
    const found = await drafts(
      session(
        {
          prompt: 'list the limits',
          calls: [failing(), write('src/limits.ts', 'export const LIMITS = {}'), passing()],
          reply,
        },
        { prompt: 'The table is written.', promptFrom: 'machine', reply },
      ),
    );
    expect(found).toHaveLength(1);
  });

  it('closes a killed turn with the one that finishes it, including its files', async () => {
    const killed = { prompt: 'The wrong language is served, find out why', calls: proven().slice(0, -1), reply: '' };
    const reply = 'The cache key lacked the locale, so pages of one language were served to all.';
    for (const calls of [[passing()], [commit('Add the locale to the cache key')]]) {
      const [one, ...others] = await drafts(session(killed, { prompt: 'go on', calls, reply }));
      expect(one).toMatchObject({ turn: 'turn-2', files_modified: ['src/cache.ts'] });
      expect(one && all(one)).toContain('The cache key lacked the locale');
      expect(others).toEqual([]);
    }
    expect(await drafts(session(killed, { prompt: 'go on', reply }))).toEqual([]);
    // Who answered finished: a check that passes later is another matter.
    const answered = { ...killed, reply: 'I changed the key.' };
    expect(await drafts(session(answered, { prompt: 'go on', calls: [passing()], reply }))).toEqual([]);
  });

  it('replaces its earlier records on the same files after a resume', async () => {
    const before: Known = {
      id: 'k3v9x2qd7m',
      type: 'bugfix',
      title: 'The key has the locale',
      narrative: '',
      facts: [],
      files_modified: ['src/cache.ts'],
    };
    const other: Known = { ...before, id: 'p8w2m4ta1c', files_modified: ['src/other.ts'] };
    const turns = session({
      prompt: 'the key collides, fix it',
      calls: proven(),
      reply: 'The cache key joined URL and locale without a separator, so two pages shared one key.',
    });
    const { observations } = await extracted(turns, [before, other]);
    expect(observations.map(({ supersedes }) => supersedes)).toEqual([['k3v9x2qd7m']]);
  });

  it('is summarised by its records and commits, and by the check that fails at its end', async () => {
    const turns = session(
      {
        prompt: 'The cache serves the wrong language. Fix it.',
        calls: proven(),
        reply: 'The cache key lacked the locale, so pages of one language were served to all. Shall I commit this?',
      },
      { prompt: 'yes', calls: [commit('Add the locale to the cache key')], reply: 'Committed.' },
      {
        prompt: 'and now the docs build',
        calls: [run('npm run build', '3 errors', false)],
        reply: 'Shall I look into it?',
      },
    );
    const { summary } = await extracted(turns);
    expect(summary).toMatchObject({
      request: 'The cache serves the wrong language.',
      completed: ['Add the locale to the cache key.'],
      next_steps: ['`npm run build` failed when the session ended.'],
    });
    expect(JSON.stringify(summary)).not.toContain('Shall I');
  });

  it('has no next step that a later turn completed', async () => {
    const { summary } = await extracted(
      session(
        { prompt: 'the docs build is broken', calls: [run('npm run build', '3 errors', false)], reply: 'Not yet.' },
        { prompt: 'go on', calls: [edit('docs/conf.ts', 'a', 'b'), run('npm run build', 'done')], reply: 'It builds.' },
      ),
    );
    expect(summary?.next_steps).toEqual([]);
  });

  it('keeps a user’s decision whose words a later turn uses about something else', async () => {
    const said = 'we keep the sessions in Postgres instead of Redis, because Redis has no failover here.';
    const found = await drafts(
      session(
        { prompt: said, reply: 'Understood.' },
        {
          prompt: 'the sessions page no longer lists those in Redis, fix it',
          calls: proven('src/page.ts'),
          reply:
            'The page in `src/page.ts` no longer keeps Redis sessions instead of Postgres ones in its list, which was wrong.',
        },
      ),
    );
    expect(found.map(({ narrative }) => narrative)).toContain(said);
  });
});
