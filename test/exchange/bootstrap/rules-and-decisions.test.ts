import { describe, expect, it } from 'vitest';
import { recordsOf } from './quoted.ts';

describe('the title of a requirement', () => {
  const titlesOf = async (guide: string) =>
    (await recordsOf({ Makefile: 'lint:\n\tshellcheck run\n', 'CONTRIBUTING.md': guide })).map(({ title }) => title);

  it.each([
    [
      'the first whole rule that fits',
      '## Tests\n\nA test must name the behaviour that it is about, in one sentence that somebody who has never seen any of the code at all understands.\n\nAlways add a test for a bug.\n',
      'Always add a test for a bug',
    ],
  ])('is %s', async (_, guide, title) => {
    expect(await titlesOf(guide)).toContain(title);
  });

  it('is no heading: where all rules are too long there is no record', async () => {
    const guide =
      '## Docs\n\nDo not change the public documentation of a function unless its behaviour changes for its users too, and then say so in the notes of the next release.\n';
    expect(await titlesOf(guide)).toEqual(['Makefile: make lint, whose recipe is shellcheck run']);
  });

  it.each([
    ['a recommendation', 'A commit message should say what and why.'],
    ['a choice', 'Whether you prefer to rebase or merge your branch, never mind, do whatever you must.'],
    [
      'a demand that names nothing',
      'To have your code merged, there are some rules you must follow in a pull request.',
    ],
    ['a choice of a branch', 'First of all, you must decide on what branch your changes will be based.'],
    ['a remark', 'Our pull request checklist is our mandatory test.'],
    ['the first half of a list', 'Code must have both:\n\n- types\n- tests'],
    ['a quotation', 'A sample note:\n\n> You must import the old code first.'],
    ['what follows a condition', 'If you are unsure, ask. Do not add a test for that code.'],
    ['what encourages a beginner', 'Do not let a missing test stop your pull request!'],
    ['an item below a condition', 'When the API changes:\n\n- You must add a test for it first.'],
    ['what the reader may not want', 'Use `hidden` in a test if you do not want to include it in the docs.'],
    ['the title of an article', '[Do not push a pull request](https://example.com) by its author.'],
    ['good will', 'Whenever we decide to make a breaking change we must ensure we do our best to manage the change.'],
    ['an item of some releases', 'For releases between 3.0 and 4.0:\n\n- The public API must be compatible'],
    ['a policy that is elsewhere', 'If your code does not follow the policy, the pull request will be closed.'],
    ['an item below an item', '- Names of tests\n  - You must use the present tense in tests.'],
  ])('is not made of %s', async (_, sentence) => {
    expect(await titlesOf(`## Commits\n\n${sentence}\n`)).toEqual([
      'Makefile: make lint, whose recipe is shellcheck run',
    ]);
  });

  it('is not taken from pages that hosts of agents read by themselves', async () => {
    expect(await recordsOf({ 'AGENTS.md': '## Tests\n\nAlways add a test for a bug.\n' })).toEqual([]);
  });

  it('does not repeat a command that is already recorded', async () => {
    const rule = '- You must run `make lint` before a commit.';
    expect(await titlesOf(`## Style\n\n${rule}\n`)).toEqual([
      'CONTRIBUTING.md, "Style": You must run make lint before a commit',
    ]);
  });
});

describe('requirements for a change', () => {
  it('are quoted by section, without small talk and optional advice', async () => {
    const records = await recordsOf({
      'CONTRIBUTING.md':
        '# Contributing\n\nThank you, please feel free to ask about tests.\n\n## Reporting bugs\n\nYou must include a test version.\n\n## Dependencies\n\nDo not add a dependency for what the\nstandard library does.\n\nTools that do not follow this exist.\n',
    });
    expect(records.map(({ title, facts }) => [title, facts])).toEqual([
      [
        'Do not add a dependency for what the standard library does',
        ['CONTRIBUTING.md:11: Do not add a dependency for what the standard library does.'],
      ],
    ]);
    // A section may be about releases or plugins alone, so nothing is said of how far it reaches.
    expect(records[0]?.narrative).toMatch(/^The section "Dependencies" \(CONTRIBUTING\.md:9\) says: "/);
  });

  it('are no agreement that a person signs', async () => {
    const guide = 'Before code can be accepted all contributors must sign the Contributor License Agreement.';
    expect(await recordsOf({ 'CONTRIBUTING.md': `# Contributing\n\n## Work\n\n${guide}\n` })).toEqual([]);
  });

  it('are quoted from a policy, whatever it is about', async () => {
    const records = await recordsOf({ 'AI_POLICY.md': '# AI policy\n\nContributors must disclose the model.\n' });
    expect(records.map(({ facts }) => facts)).toEqual([['AI_POLICY.md:3: Contributors must disclose the model.']]);
  });
});

describe('a policy on models', () => {
  it.each([['Purely agentic contributions are not accepted.'], ['No media made by a model is allowed.']])(
    'is quoted from a section of a guide: %s',
    async (rule) => {
      const [record] = await recordsOf({
        'CONTRIBUTING.md': `# Contributing\n\n## AI-assisted contributions\n\n${rule}\n`,
      });
      expect(record?.title).toBe(rule.slice(0, -1));
    },
  );

  it('is one record, wherever it is repeated', async () => {
    const page =
      '# AI policy\n\nYou must name the model in the commit message.\n\n## Rules on AI\n\nNever commit code of a model unread.\n';
    const guide = '# Contributing\n\n## Use of AI\n\nYou must read the code of a model before a commit.\n';
    expect(await recordsOf({ 'AI_POLICY.md': page, 'CONTRIBUTING.md': guide })).toHaveLength(1);
  });
});

describe('decisions', () => {
  const adr = (status: string, what: string) =>
    `# 3. ${what}\n\n## Status\n\n${status}\n\n## Context\n\nTwo services write.\n\n## Decision\n\nWe use ${what} for everything.\n`;

  it('are taken from decision records that are in force or were rejected', async () => {
    const records = await recordsOf({
      'docs/adr/0003-queues.md': adr('Accepted', 'queues'),
      'docs/adr/0004-files.md': adr('Superseded by 5', 'files'),
      'docs/adr/0005-pipes.md': adr('Rejected', 'pipes'),
      'docs/adr/0006-threads.md': adr('Accepted, later superseded by 7', 'threads'),
      'docs/adr/0008-wires.md': adr('~~Proposed~~ Accepted', 'wires'),
      'docs/adr/template.md': adr('Accepted', 'a title'),
    });
    expect(records.map(({ title }) => title)).toEqual([
      '3. wires: We use wires for everything (Accepted)',
      '3. pipes: We use pipes for everything (Rejected)',
      '3. queues: We use queues for everything (Accepted)',
    ]);
    expect(records.at(-1)?.narrative).toBe(
      'docs/adr/0003-queues.md has under "Decision": "We use queues for everything." (docs/adr/0003-queues.md:13). Its status: "Accepted".',
    );
  });

  it('are the newest three and the oldest two of the topmost folder', async () => {
    const files = [2, 3, 4, 5, 6, 7, 10].map((i) => [`docs/adr/${i}-x.md`, adr('Accepted', `way ${i}`)]);
    const deeper = { 'packages/a/docs/adr/1-x.md': adr('Accepted', 'way 1') };
    const records = await recordsOf({ ...Object.fromEntries(files), ...deeper });
    expect(records.map(({ files_read: [path] }) => path?.slice(9, -5))).toEqual(['10', '7', '6', '3', '2']);
  });

  it.each([
    ['Mempool', 'Implement it following the design in the next section.', []],
    ['Hooks', 'Chosen option: 3', []],
    ['Modules', 'We will partly undo ADR 109.', []],
    ['Versions', 'Chosen option: Keep as is.', []],
    ['Events', 'N/A', []],
    ['T'.repeat(99), 'We allow this issue to exist.', []],
    ['Corruption', '- A2: Check for errors when opening a file\n- B1: Delete the file', []],
    ['Use an events bus', 'Solution number 1 - In memory</br>', ['Use an events bus (Accepted)']],
    ['Search', 'Chosen option: "Lunr".', ['Search: Chosen option: "Lunr" (Accepted)']],
  ])('say alone what was decided: %s, %s', async (title, decision, titles) => {
    const page = adr('Accepted', title)
      .replace(/We use .*/, decision)
      .replace('# 3. ', '# ');
    expect((await recordsOf({ 'docs/adr/3-x.md': page })).map((record) => record.title)).toEqual(titles);
  });

  it('have their title below the front matter', async () => {
    const page = adr('', 'queues').replace('## Status\n\n\n\n', '');
    const [record] = await recordsOf({
      'docs/adr/3-x.md': `---\n# Remove what is not needed\nstatus: accepted\n---\n\n${page}`,
    });
    expect(record?.title).toBe('3. queues: We use queues for everything (accepted)');
  });

  it('are as many as say something, not as many as were looked at', async () => {
    const files = [1, 2, 3, 4].map((i) => [`docs/adr/${i}-x.md`, adr('Accepted', `way ${i}`)]);
    const empty = [5, 6, 7].map((i) => [
      `docs/adr/${i}-x.md`,
      adr('Accepted', 'x').replace(/We use .*/, 'Chosen option: 3'),
    ]);
    expect(await recordsOf(Object.fromEntries([...files, ...empty]))).toHaveLength(4);
  });

  it('are quoted from the section that has them, whole, and not where they announce a list', async () => {
    const page = (heading: string) =>
      `# Use Lunr for search\n\n* Status: accepted\n\n## Decision Drivers\n\n* Works offline\n* Is fast and known\n\n## ${heading}\n\nChosen option: "Lunr". It is small\n\n* and it works\n`;
    const [search] = await recordsOf({ 'docs/adr/1-search.md': page('2. Decision Outcome') });
    expect([search?.title, search?.narrative]).toEqual([
      'Use Lunr for search: Chosen option: "Lunr" (accepted)',
      'docs/adr/1-search.md has under "2. Decision Outcome": "Chosen option: "Lunr". It is small" (docs/adr/1-search.md:12). Its status: "accepted".',
    ]);
    const announced = page('Decision').replace('It is small', 'It is chosen because');
    expect(await recordsOf({ 'docs/adr/1-search.md': announced })).toEqual([]);
    for (const heading of ['Decision Makers', 'Decision criteria', 'Decision log']) {
      expect(await recordsOf({ 'docs/adr/1-search.md': page(heading) })).toEqual([]);
    }
  });

  it.each([
    ['app/docs/architecture/003-queues.md', 'Approved', 1],
    ['docs/architecture/adr-003-queues.md', 'Accepted', 1],
    ['doc/architecture/decisions/0003-queues.md', 'Accepted', 1],
    ['docs/architecture-decision-log/0003-queues.md', 'Accepted', 1],
    ['docs/decisions/0003-queues.md', '', 0],
    ['docs/decisions/0003-queues.md', 'Not accepted', 0],
    ['rfcs/0003-queues.md', 'Accepted', 0],
  ])('are found at %s with the status "%s": %d', async (path, status, count) => {
    const text = status === '' ? adr('', 'queues').replace('## Status\n\n\n\n', '') : adr(status, 'queues');
    expect(await recordsOf({ [path]: text })).toHaveLength(count);
  });
});
