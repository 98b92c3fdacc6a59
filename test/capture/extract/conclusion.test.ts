import { describe, expect, it } from 'vitest';
import { conclusionOf } from '../../../src/capture/extract/conclusion.ts';
import { asideOf, headlineOf } from '../../../src/capture/extract/headline.ts';

describe('the conclusion of an answer', () => {
  it.each([
    [
      'status and an offer around it',
      'All tests pass.\n\nThe parser kept the byte order mark, so the first key never matched. Want me to commit?',
      'The parser kept the byte order mark, so the first key never matched.',
    ],
    [
      'a lead, a list and code',
      'Here is what I did:\n\n- changed a\n- changed b\n\n```ts\nThis is code.\n```\n\n| a | b |\n\nThe cache is keyed by blob id now.',
      'The cache is keyed by blob id now.',
    ],
    ['nothing but courtesy', 'Done. All tests pass. Let me know if you need anything else.', ''],
    ['a plan', 'I have everything I need. Let me write the report.', ''],
    ['a report elsewhere', 'Report written to docs/report.md.', ''],
    [
      'Turkish',
      'Tamamlandı. Tüm testler geçti. Sorgu artık dizini kullanıyor, bu yüzden liste iki kat hızlı. Devam edeyim mi?',
      'Sorgu artık dizini kullanıyor, bu yüzden liste iki kat hızlı.',
    ],
    [
      'German',
      'Fertig. Der Parser ließ die Bytefolgemarke stehen, deshalb passte der erste Schlüssel nie. Soll ich committen?',
      'Der Parser ließ die Bytefolgemarke stehen, deshalb passte der erste Schlüssel nie.',
    ],
    [
      'Chinese',
      '好的。解析器保留了字节顺序标记，所以第一个键永远不匹配。需要我提交吗？',
      '解析器保留了字节顺序标记，所以第一个键永远不匹配。',
    ],
  ])('is found beside %s', (_, message, expected) => {
    expect(conclusionOf(message, 300)).toBe(expected);
  });

  it('is whole sentences within its limit', () => {
    const sentence = `The index is ${'very '.repeat(20)}large.`;
    expect(conclusionOf(`${sentence} ${sentence} ${sentence}`, 300)).toBe(`${sentence} ${sentence}`);
  });

  it('leaves out no short sentence between two others, and marks what it leaves out', () => {
    expect(conclusionOf('The first key was sent to the server. It failed. Only the second one is accepted.', 300)).toBe(
      'The first key was sent to the server. It failed. Only the second one is accepted.',
    );
    expect(
      conclusionOf('İlk anahtar sunucuya gönderildi. Reddedildi. Yalnız ikinci anahtar kabul ediliyor.', 300),
    ).toBe('İlk anahtar sunucuya gönderildi. Reddedildi. Yalnız ikinci anahtar kabul ediliyor.');
    expect(conclusionOf('There are three kinds of tests.\n\n- unit\n- smoke\n\nOnly the smoke test saw it.', 300)).toBe(
      'There are three kinds of tests. […] Only the smoke test saw it.',
    );
    expect(conclusionOf('There are three kinds of tests.\n\n```\nunit\n```\n\nThey never saw it at all.', 300)).toBe(
      'There are three kinds of tests.',
    );
  });

  it('leaves out what follows a question with it', () => {
    const offer = 'Shall I release it too?\n\nThe tag is pushed with `git push --tags`.';
    expect(conclusionOf(`The key is read once. ${offer}`, 300)).toBe('The key is read once.');
    expect(
      conclusionOf('Why only once? The server keeps it for the session.\n\nThe key is read by the server.', 300),
    ).toBe('The key is read by the server.');
  });

  it('ends no sentence with the three dots of a name', () => {
    const menu = 'The menu has Open With... / Reveal in Finder / Rename and nothing else.';
    expect(conclusionOf(`${menu} It is native.`, 300)).toBe(`${menu} It is native.`);
  });

  it('is cut at a clause with an ellipsis where its first sentence is too long', () => {
    const begun = 'Created `launch.json` with a configuration for each command of the program';
    const names = Array.from({ length: 40 }, (_, n) => `\`command ${n}\``).join(', ');
    expect(conclusionOf(`${begun} (${names}). Each runs alone.`, 120)).toBe(`${begun}…`);
  });

  it('is a lead or a list entry that tells of something done where there is no sentence', () => {
    expect(conclusionOf('Fixed the login of two functions with the command line:\n\n- `a`\n- `b`', 300)).toBe(
      'Fixed the login of two functions with the command line…',
    );
    expect(
      conclusionOf(
        '## Summary\n\n1. **Removed the reuse of ids** in `prepare`\n   - Before: reused\n\nNote: `end` keeps its id.',
        300,
      ),
    ).toBe('Removed the reuse of ids in `prepare`');
    expect(
      conclusionOf('All looks correct. Here is a summary:\n\n- `a.ts:15` — Copied both of the parsers\n- `b.ts`', 300),
    ).toBe('`a.ts:15` — Copied both of the parsers');
    expect(conclusionOf('Here is the list:\n\n- two copies of the parser\n- one cache too many', 300)).toBe('');
  });

  it('tells of a first thing done in a list that follows, before remarks, and only once', () => {
    const list = '- Moved the key to the new reader.\n- `pytest` passes.\n\n';
    expect(conclusionOf(`It is on branch \`key\`.\n\nWhat changed:\n${list}The linter has not run yet.`, 300)).toBe(
      'It is on branch `key`. […] Moved the key to the new reader… The linter has not run yet.',
    );
    expect(conclusionOf(`Implemented and published:\n\n${list}Note: the linter has not run.`, 300)).toBe(
      'Implemented and published: Moved the key to the new reader…',
    );
    expect(conclusionOf(`The last release of the library did this:\n\n${list}It is not used here.`, 300)).not.toContain(
      '[…] Moved',
    );
  });

  it('joins a lead that opens the answer with what it announces', () => {
    expect(conclusionOf('The issues are:\n\n- two copies of the parser\n- one cache too many', 300)).toBe(
      'The issues are: two copies of the parser…',
    );
    expect(conclusionOf('Das ändert sich:\n\n**Die Liste ist sortiert**\n\nDer Rest steht weiter unten.', 300)).toBe(
      'Das ändert sich: Die Liste ist sortiert… Der Rest steht weiter unten.',
    );
    expect(conclusionOf('The class has a method for it:\n\n```ts\nread()\n```', 300)).toBe(
      'The class has a method for it…',
    );
  });

  it('leaves a short answer with its reason, and a sentence with the one that takes it back', () => {
    const no = 'No. The lock is taken by the reader.';
    expect([conclusionOf(no, 300), headlineOf(no)]).toEqual([no, 'The lock is taken by the reader.']);
    expect(conclusionOf('Nicht immer.\n\nDer Leser nimmt die Sperre selbst.', 300)).toBe(
      'Nicht immer. Der Leser nimmt die Sperre selbst.',
    );
    const both = 'The reader takes the lock. But not on Windows.';
    expect([conclusionOf(both, 300), headlineOf(both)]).toEqual([both, both]);
    expect(conclusionOf(`${both.replace('.', '.\n\n')} The writer waits for it.`, 40)).toBe('The writer waits for it.');
    expect(
      headlineOf(`The reader takes the lock. However, ${'it waits '.repeat(12)}. The writer needs none at all.`),
    ).toBe('The writer needs none at all.');
  });

  it.each([
    ['All clean: no findings at all. The fix was adding the second key to `sign`.', 'Adding the second key to `sign`.'],
  ])('prefers what was done to how it stands: %s', (text, title) => {
    expect(headlineOf(text)).toBe(title);
  });

  it.each([
    [
      'Bug: The id was reused by the next commit. Fix: Every commit gets an id of its own.',
      'Every commit gets an id of its own',
    ],
    ['Bug: The id was reused by the next commit.', ''],
    ['Done — pushed as `731d39d`.', ''],
    [
      'Addressed the review feedback. The parser keeps the byte order mark now.',
      'The parser keeps the byte order mark now',
    ],
    ['All findings and both recommendations are implemented and verified.', ''],
    ['Conflicts fixed — PR #533 is mergeable.', ''],
    ['Each runs with the debugger and asks for its arguments.', ''],
    ['I added regression coverage for those cases.', ''],
    ['The fix ensures that the helper of the system is asked.', 'Ensures that the helper of the system is asked'],
  ])('gives no title that leans on what is not there, or tells where the work was put: %s', (text, title) => {
    expect(headlineOf(text).replace(/\.$/, '')).toBe(title);
  });

  it('gives a title without the remark before it, and without an entry of the list that it announces', () => {
    expect(
      headlineOf('완료했습니다. `app` 아이콘을 `icon.png`와 동일한 초록색으로 변경했습니다: 색상: `#A95500`…'),
    ).toBe('`app` 아이콘을 `icon.png`와 동일한 초록색으로 변경했습니다');
    const files = 'Three files read it: the parser and both of its tests…';
    expect(headlineOf(files)).toBe(files);
  });

  it('prefers a sentence that says what was done to one that says that it was', () => {
    const done = 'A restauração do agente foi concluída com sucesso.';
    expect(headlineOf(`${done} O leitor usa agora a segunda chave do novo servidor.`)).toBe(
      'O leitor usa agora a segunda chave do novo servidor.',
    );
    expect(headlineOf(`${done} Tudo.`)).toBe(done);
    expect(headlineOf('All four readers have been updated. They read `key` first. Each `read()` asks twice.')).toBe(
      'All four readers have been updated.',
    );
  });

  it.each([
    [
      'Root cause: The reader took the lock of the writer and kept it.',
      'Root cause: The reader took the lock of the writer and kept it',
    ],
    ['Both are clean now: `a.ts:15` — Removed the unused `LIMIT` constant…', 'Removed the unused `LIMIT` constant…'],
    [
      'Pushed the branch, opened PR #17, and switched back to `main`.',
      'Pushed the branch, opened PR #17, and switched back to `main`',
    ],
    ['Each runs with the debugger and asks for its arguments.', ''],
  ])('gives what was said beside the work where no other title is: %s', (text, title) => {
    expect([headlineOf(text), asideOf(text).replace(/\.$/, '')]).toEqual(['', title]);
  });

  it('gives no title that ends in the middle of a sentence', () => {
    expect(headlineOf('Created `a.ts` — a module of pure functions with: `read()` and `write()`…')).toBe(
      'Created `a.ts` — a module of pure functions',
    );
  });

  it('gives a title that needs no sentence before it', () => {
    expect(
      headlineOf('Fix: It was the cache. This is why the list was empty. The cache is keyed by blob id now.'),
    ).toBe('The cache is keyed by blob id now.');
    expect(headlineOf('It was slow. […] The cache is keyed by blob id now.')).toBe(
      'The cache is keyed by blob id now.',
    );
    expect(headlineOf('This is why. The cache is keyed by blob id now.')).toBe('The cache is keyed by blob id now.');
  });
});
