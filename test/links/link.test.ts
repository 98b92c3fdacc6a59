import { describe, expect, it } from 'vitest';
import { readLinks } from '../../src/exchange/links/link.ts';

const env = { HOME: '/home/me', XDG_CACHE_HOME: '/var/cache/me' };
const read = (...entries: Parameters<typeof readLinks>[0]) => readLinks(entries, env);

describe('links in the settings', () => {
  it.each([
    ['~/src/platform', 'platform', { path: '/home/me/src/platform' }],
    ['/srv/lib/', 'lib', { path: '/srv/lib/' }],
    ['https://git.example.com/team/lib.git', 'lib', { url: 'https://git.example.com/team/lib.git' }],
    ['git@git.example.com:team/lib.git', 'lib', { url: 'git@git.example.com:team/lib.git' }],
    ['ssh://git.example.com/lib', 'lib', { url: 'ssh://git.example.com/lib' }],
    ['file:///srv/my lib.git', 'my-lib', { url: 'file:///srv/my lib.git' }],
  ])('%s is %s', (text, name, place) => {
    expect(read(text)).toMatchObject({ links: [{ name, place }], problems: [] });
  });

  it.each([
    ['src/platform', 'neither an absolute path nor one that begins with ~/'],
    ['~root/lib', 'neither an absolute path'],
    ['-u./x', 'neither an absolute path'],
    ['ext::sh -c "touch x"', 'not an https, ssh, git or file URL'],
    ['http://git.example.com/lib.git', 'not an https, ssh, git or file URL'],
    ['https:lib', 'not an https, ssh, git or file URL'],
    [{ name: 'lib' }, 'either a path or a url'],
    [{ path: '/a', url: 'https://b' }, 'either a path or a url'],
    [{ url: '/srv/lib' }, 'not an https, ssh, git or file URL'],
  ])('%j is refused with a reason, and the others take effect', (entry, reason) => {
    const { links, problems } = read(entry, '/srv/other');
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(links.map(({ name }) => name)).toEqual(['other']);
  });

  it('have their own names and folders', () => {
    const { links } = read('/a/lib', '/b/lib', { path: '/b/lib', at: '1a2b3c4' }, { path: '/c', name: 'lib' });
    expect(links.map(({ name }) => name)).toEqual(['lib', 'lib-2', 'lib-3', 'lib-4']);
    expect(new Set(links.map(({ folder }) => folder)).size).toBe(4);
    expect(links.every(({ folder }) => folder.startsWith('/var/cache/me/git-mem/links/'))).toBe(true);
  });

  it('show no password', () => {
    const { links, problems } = read('https://me:hidden@git.example.com/lib.git', 'http://me:hidden@x/lib');
    expect(links[0]?.source).toBe('https://git.example.com/lib.git');
    expect(JSON.stringify([links[0]?.source, links[0]?.name, problems])).not.toContain('hidden');
  });
});
