import { describe, expect, it } from 'vitest';
import { codePages } from '../../src/review/code-links.ts';

describe('the page of a repository on its code host', () => {
  it.each([
    ['git@github.com:acme/courier.git', 'https://github.com/acme/courier/blob'],
    ['ssh://git@github.com:22/acme/courier.git/', 'https://github.com/acme/courier/blob'],
    ['https://ada:hunter2@github.com/acme/courier.git', 'https://github.com/acme/courier/blob'],
    ['https://hunter2@gitlab.com/group/sub/courier', 'https://gitlab.com/group/sub/courier/-/blob'],
    ['git@gitlab.com:123/sub/courier.git', 'https://gitlab.com/123/sub/courier/-/blob'],
    ['https://codeberg.org/acme/courier.git', 'https://codeberg.org/acme/courier/src/commit'],
    ['git@bitbucket.org:acme/courier.git', 'https://bitbucket.org/acme/courier/src'],
  ])('by its remote %s', (remote, files) => {
    expect(codePages({}, remote)?.files).toBe(files);
  });

  it.each([
    ...['/srv/git/courier.git', '../courier', 'C:\\git\\courier', 'c:/git/courier', 'file:///srv/git/courier.git'],
    // An alias of SSH, whose host only its configuration knows.
    'git@github-work:acme/courier.git',
    // Its name does not say what runs there.
    'https://github.example.org/acme/courier.git',
    'https://gitlab.example.org/acme/courier.git',
    'https://github.com.example.org/acme/courier.git',
    // What is neither a name nor a path of one is never part of an address.
    'https://github.com/acme/courier)[x](javascript:alert',
    'https://me:se/cret@github.com/acme/courier.git',
    '',
  ])('is not known by %s', (remote) => {
    expect(codePages({}, remote)).toBeUndefined();
  });

  it('is what a CI run says, wherever that is', () => {
    const remote = 'https://git.example.org/acme/courier.git';
    const run = { GITHUB_SERVER_URL: 'https://git.example.org', GITHUB_REPOSITORY: 'acme/courier' };
    const page = 'https://git.example.org/acme/courier';
    expect(codePages(run, remote)).toEqual({ files: `${page}/blob`, commits: `${page}/commit` });
    expect(codePages({ ...run, GITEA_ACTIONS: 'true' }, remote)).toBeUndefined();
    expect(codePages({ CI_PROJECT_URL: page }, remote)).toEqual({
      files: `${page}/-/blob`,
      commits: `${page}/-/commit`,
    });
  });
});
