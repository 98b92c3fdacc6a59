import type { Turn } from '../../../src/capture/extract/turn.ts';
import { edit, passing, proven, read, run, session, write } from './work.ts';

/** Sessions that deserve no record, in the shapes that real final messages have, and what each is of. */
export const QUIET: [what: string, turns: Turn[]][] = [
  [
    'a list of what was not found',
    session({
      prompt: 'is there anything in the repo that retries uploads?',
      calls: [read('src/upload.ts'), run('rg -n retry src', '')],
      reply:
        'I searched `src/` and the docs. I did not find:\n\n- a retry loop around `uploadPart()` in `src/upload.ts`\n- a dead letter queue for failed uploads\n- any setting that limits how often an upload is repeated',
    }),
  ],
  [
    'two options of a question',
    session({
      prompt: 'how could the importer survive a restart?',
      calls: [read('src/importer.ts')],
      reply:
        '## Options\n\n**Option 1: journal**\n- The importer writes every batch to a journal in `src/journal.ts` before it applies it\n- Restart replays the journal\n\n**Option 2: lease**\n- A lease row in Postgres holds the offset, so another worker takes over\n\nWhich way do you want to go?',
    }),
  ],
  [
    'an opinion',
    session({
      prompt: 'is the token bucket the reason for the 429s?',
      calls: [read('src/limit.ts')],
      reply:
        "I don't think the token bucket in `src/limit.ts` is the reason for the 429s. The refill runs every second because the timer is shared, and the gateway in front has a limit of its own that I did not see.",
    }),
  ],
  [
    'a diagnosis that nobody acted on',
    session({
      prompt: 'why does login fail for some users?',
      calls: [read('src/auth.ts')],
      reply:
        '## Root Cause\n\nThe most likely cause is the clock of the second node: `verify()` in `src/auth.ts` compares `iat` with the local time.\n\n| node | skew |\n|---|---|\n| a | 0 s |\n| b | 21 s |\n\nWant me to fix it?',
    }),
  ],
  [
    'advice',
    session({
      prompt: 'what can be a reason I cannot enable that?',
      reply:
        'Check **Organization Settings > Actions > General**: if it is set to read-only there, repository settings are greyed out.\n\n- Use a fine-grained token with Contents: write\n- Or install a GitHub App on the repositories that need it',
    }),
  ],
  [
    'a status',
    session({
      prompt: 'commit and push please',
      calls: [run('git push', 'main -> main')],
      reply:
        'Committed and pushed. CI will re-run on the new commit `1c9f791b`.\n\n- Branch `dev/fix` pushed\n- Build and full test suite verified green\n\nThe remote hook still reports the 13 vulnerabilities because they are counted against the **default branch**.',
    }),
  ],
  [
    'the report of a machine',
    session({
      promptFrom: 'machine',
      prompt: 'The agent finished: `src/pool.ts` leaks connections because release() is never called on timeout.',
      reply:
        'The sub-agent reports that `src/pool.ts` leaks connections because `release()` is never called on timeout.',
    }),
  ],
  [
    'what a machine decided',
    session({
      promptFrom: 'machine',
      prompt: 'Decision of the review: we keep the pool in `src/pool.ts` instead of a queue, because it is shared.',
      reply: 'Noted.',
    }),
  ],
  [
    'pasted output',
    session({
      prompt:
        'remote: Permission to acme/app.git denied to github-actions[bot].\nfatal: unable to access: The requested URL returned error: 403\nWarning: Failed to push after 3 attempts',
      reply:
        'The token identifies as `github-actions[bot]`, so it is used, and it has no write access to the repository.',
    }),
  ],
  [
    'pasted output that decides something',
    session({
      prompt:
        'Traceback (most recent call last):\n  File "jobs.py", line 41, in run\nBatchError: we decided to drop the batch since the queue is full',
      calls: [edit('src/jobs.py', 'LIMIT = 10', 'LIMIT = 20')],
      reply: 'I raised the limit. I have not run the tests.',
    }),
  ],
  [
    'edits that nothing proves',
    session({
      prompt: 'make the banner blue',
      calls: [edit('src/banner.css', 'color: red', 'color: blue')],
      reply:
        'The colour of the banner in `src/banner.css` lost against the red of the theme, which is loaded after it.',
    }),
  ],
  [
    'a licence',
    session({
      prompt: 'can you add a standard MIT license?',
      calls: [write('LICENSE', 'MIT License')],
      reply: 'Created `LICENSE` with the standard MIT license, copyright 2026 Acme Inc.',
    }),
  ],
  [
    'a turn that was cut off',
    session({ prompt: 'move the settings into one package', calls: proven('src/settings.ts'), interrupted: true }),
  ],
  [
    'work that was put back',
    session(
      {
        prompt: 'the cache serves the wrong language, fix it',
        calls: proven(),
        reply:
          'The cache key in `src/cache.ts` lacked the locale, so pages of one language were served to all. It has it now.',
      },
      {
        prompt: 'no, revert that please',
        calls: [run('git checkout -- src/cache.ts', ''), passing()],
        reply: 'Reverted, `src/cache.ts` is as it was.',
      },
    ),
  ],
  [
    'what the agent saved itself',
    session({
      prompt: 'the cache serves the wrong language, fix it',
      calls: proven(),
      reply: 'The cache key in `src/cache.ts` lacked the locale, so pages of one language were served to all.',
      saved: true,
    }),
  ],
];
