import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changeNotes } from './change-notes.ts';
import { isContentless } from './prompt-sets.ts';

const texts = ['yes', 'okay, commit this and open a PR', 'yes, please do it', 'let’s go on', ''];
it.each(texts)('%s names nothing', (text) => {
  expect(isContentless(text)).toBe(true);
});

it.each(['can you fix linting', 'do 0.54.0', 'open a PR for the lease'])('%s names something', (text) => {
  expect(isContentless(text)).toBe(false);
});

it('a commit’s note asks for the commit and its twins, unless it repeats the title', () => {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-notes-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args]);
  const commit = (subject: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git('add', '-A');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', subject);
  };
  git('init', '-q', '-b', 'main');
  const note = '---\n"app": patch\n---\n\nPages of one language were served to everybody.\n';
  commit('fix(cache): put the locale into its key (#7)', { 'src/cache.ts': '1', '.changeset/red-cats.md': note });
  commit('[2.x] put the locale into its key', { 'src/cache.ts': '2' });
  commit('Retry uploads after a timeout', {
    'src/upload.ts': '1',
    'news/8.bugfix.rst': 'Uploads are retried after timeouts.',
  });
  commit('Version packages', { 'package.json': '{}' });

  const { documents, queries, relevant } = changeNotes(root);
  const titles = documents.map(({ title }) => title);
  expect(titles).toEqual([
    'Retry uploads after a timeout',
    'put the locale into its key',
    'put the locale into its key',
  ]);
  expect(queries.map(({ text }) => text)).toEqual(['Pages of one language were served to everybody.']);
  expect(documents.filter(({ id }) => relevant.get(queries[0]?.id ?? '')?.has(id)).map(({ files }) => files)).toEqual([
    ['src/cache.ts'],
    ['src/cache.ts'],
  ]);
});
