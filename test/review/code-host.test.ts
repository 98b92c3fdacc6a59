import { describe, expect, it } from 'vitest';
import { codeHost, webPage } from '../../src/review/code-host.ts';

describe('the web page of a remote', () => {
  it.each([
    ['git@github.com:acme/courier.git', 'https://github.com/acme/courier'],
    ['ssh://git@github.com:22/acme/courier.git/', 'https://github.com/acme/courier'],
    ['https://ada:hunter2@github.com/acme/courier.git', 'https://github.com/acme/courier'],
    ['https://hunter2@git.example.org:8443/acme/courier', 'https://git.example.org:8443/acme/courier'],
    ['http://gitea:3000/acme/courier.git', 'http://gitea:3000/acme/courier'],
    ['ssh://git@gitlab.example.org:2222/group/sub/courier.git', 'https://gitlab.example.org/group/sub/courier'],
    ['git@bitbucket.org:acme/courier.git', 'https://bitbucket.org/acme/courier'],
    ['git@codeberg.org:acme/courier.git', 'https://codeberg.org/acme/courier'],
    ['git@ssh.dev.azure.com:v3/acme/Our%20Mail/courier', 'https://dev.azure.com/acme/Our%20Mail/_git/courier'],
    ['acme@vs-ssh.visualstudio.com:v3/acme/mail/courier', 'https://dev.azure.com/acme/mail/_git/courier'],
    ['https://acme@dev.azure.com/acme/Our%20Mail/_git/courier', 'https://dev.azure.com/acme/Our%20Mail/_git/courier'],
  ])('of %s', (remote, page) => {
    expect(webPage(remote)).toBe(page);
  });

  it.each([
    ...['/srv/git/courier.git', '../courier', 'C:\\git\\courier', 'c:/git/courier', 'file:///srv/git/courier.git'],
    // An alias of SSH, whose host only its configuration knows.
    'git@github-work:acme/courier.git',
    // What is neither a name nor a path of one is never part of an address.
    'https://github.com/acme/courier)[x](javascript:alert',
    'https://me:se/cret@github.com/acme/courier.git',
    '',
  ])('is unknown for %s', (remote) => {
    expect(webPage(remote)).toBeUndefined();
  });
});

describe('addresses on a code host', () => {
  it.each([
    ['https://github.com/a/b', '/blob/f00/src/x.ts', '/commit/f00'],
    ['https://gitlab.com/a/b', '/-/blob/f00/src/x.ts', '/-/commit/f00'],
    ['https://codeberg.org/a/b', '/src/commit/f00/src/x.ts', '/commit/f00'],
    ['https://bitbucket.org/a/b', '/src/f00/src/x.ts', '/commits/f00'],
    ['https://dev.azure.com/o/a/_git/b', '?path=/src/x.ts&version=GCf00', '/commit/f00'],
  ])('below %s', (page, file, commit) => {
    const host = codeHost(page);
    expect(host?.file('f00', 'src/x.ts')).toBe(page + file);
    expect(host?.commit('f00')).toBe(page + commit);
  });

  it('are of GitLab where its job says so, and none where the form is not known', () => {
    expect(codeHost('https://git.example.org/a/b', true)?.commit('f00')).toBe(
      'https://git.example.org/a/b/-/commit/f00',
    );
    expect(codeHost('https://bitbucket.example.org/a/b')).toBeUndefined();
  });
});
