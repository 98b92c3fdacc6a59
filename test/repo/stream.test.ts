import { describe, expect, it } from 'vitest';
import { streamGit } from '../../src/git/stream.ts';
import { createRepository } from '../support/repository.ts';

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('a stream of git output', () => {
  it('returns all of it, and passes git its input', async () => {
    const { root, env, git, write } = createRepository();
    write('a.txt', 'ä\n'.repeat(200_000));
    git('add', '--all');
    const id = git('rev-parse', ':a.txt').trim();
    expect(await textOf(streamGit(root, ['cat-file', 'blob', id], env))).toBe('ä\n'.repeat(200_000));
    expect(await textOf(streamGit(root, ['cat-file', '--batch-check'], env, `${id}\n`))).toContain(`${id} blob`);
  });

  it('ends with an error where git fails or is missing', async () => {
    const { root, env } = createRepository();
    await expect(textOf(streamGit(root, ['log', 'nowhere'], env))).rejects.toMatchObject({ code: 'git' });
    await expect(textOf(streamGit(root, ['log'], { ...env, PATH: '/nowhere' }))).rejects.toMatchObject({ code: 'git' });
  });
});
