import { describe, expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import type { TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';

const BODY = 'Jitter keeps webhooks from retrying in step, because the queue dropped bursts.';

function commit(repository: TestRepository, subject: string, body = '', file = 'src/queue.ts'): string {
  repository.write(file, `${subject}\n`);
  repository.git('add', '-A');
  repository.git('commit', '-q', '--no-verify', '-m', subject, ...(body ? ['-m', body] : []));
  return repository.git('rev-parse', 'HEAD').trim();
}

async function search(repository: TestRepository, ...args: string[]) {
  const { stdout } = await gitMem(repository, ['search', '--json', ...args]);
  return JSON.parse(stdout);
}

const titles = async (repository: TestRepository, ...args: string[]) =>
  (await search(repository, ...args)).hits.map(({ title }: { title: string }) => title);

describe('git mem search', () => {
  it('finds commits whose bodies answer, and with --in history those whose subjects do', async ({ repository }) => {
    const id = commit(repository, 'Delay webhooks', `Some words of no use here at all.\n${BODY}`);
    commit(repository, 'Raise the jitter', '', 'src/jitter.ts');
    const { total, hits } = await search(repository, 'jitter');
    expect([total, hits]).toEqual([
      1,
      [
        {
          kind: 'commit',
          id,
          title: 'Delay webhooks',
          created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          author: expect.any(String),
          snippet: BODY,
          files: ['src/queue.ts'],
        },
      ],
    ]);
    expect((await titles(repository, 'jitter', '--in', 'history')).sort()).toEqual([
      'Delay webhooks',
      'Raise the jitter',
    ]);
    expect(await titles(repository, 'jitter', '--in', 'memory')).toEqual([]);
    expect(await titles(repository, 'jitter', '--type', 'bugfix')).toEqual([]);
    expect(await titles(repository, 'jitter', '--in', 'history', '--file', 'src/jitter.ts')).toEqual([
      'Raise the jitter',
    ]);
    expect(await titles(repository, 'jitter', '--until', '2001-01-01')).toEqual([]);
    expect((await gitMem(repository, ['search', 'jitter'])).stdout).toMatch(
      new RegExp(`^${id.slice(0, 8)} \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d commit +Delay webhooks\n +${BODY}\n$`),
    );
  });

  it('follows HEAD, also to another branch, and is rebuilt from nothing', async ({ repository }) => {
    commit(repository, 'Delay webhooks', BODY);
    expect(await titles(repository, 'jitter')).toEqual(['Delay webhooks']);
    repository.git('switch', '-q', '-c', 'other');
    commit(repository, 'Limit uploads', 'Uploads above twenty megabytes exhausted the sandbox.');
    expect(await titles(repository, 'sandbox uploads')).toEqual(['Limit uploads']);
    repository.git('switch', '-q', '-');
    expect(await titles(repository, 'sandbox uploads')).toEqual([]);
    repository.git('switch', '-q', 'other');
    expect(await titles(repository, 'sandbox uploads')).toEqual(['Limit uploads']);
    repository.git('switch', '-q', '-');
    repository.git('branch', '-D', 'other');
    repository.git('reflog', 'expire', '--expire=all', '--all');
    repository.git('gc', '-q', '--prune=now');
    expect(await titles(repository, 'sandbox uploads')).toEqual([]);
    expect(await titles(repository, 'jitter')).toEqual(['Delay webhooks']);
  });

  it('does not take generated messages for answers', async ({ repository }) => {
    const bodies = [
      'Bumps [jitter](https://example.com/jitter) from 1.2.0 to 1.3.0.\n- [Release notes](https://example.com/r)\n\n---\nupdated-dependencies:\n- dependency-name: jitter which was needed by the queue',
      '### Bug Fixes\n\n* **queue:** the jitter of webhooks was too small ([abc1234](https://example.com/abc1234))',
      'Reviewed-by: Jitter Person <jitter@example.com>',
      '> the jitter that somebody else wrote about in a quotation',
    ];
    for (const [i, body] of bodies.entries()) commit(repository, `Step ${i}`, body);
    expect(await titles(repository, 'jitter')).toEqual([]);
  });

  it('hides secrets', async ({ repository }) => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    commit(repository, 'Rotate the deploy token', `The pipeline of staging used the token ${secret} for deploys.`);
    const { hits } = await search(repository, 'staging pipeline');
    expect(hits[0].snippet).toContain('[redacted:');
    expect(JSON.stringify(hits)).not.toContain(secret);
    expect(await titles(repository, secret, '--in', 'history')).toEqual([]);
  });
});
