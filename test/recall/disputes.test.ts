import { describe, expect, it } from 'vitest';
import { type Claiming, disputesAmong, titleDisputes } from '../../src/recall/disputes/dispute.ts';
import { labelledPairs } from '../support/labelled-disputes.ts';

function record(
  id: string,
  title: string,
  { narrative = '', files = ['src/cache.ts'], supersedes = [] as string[] } = {},
) {
  const at = `2026-11-01T00:00:0${id.length % 10}Z`;
  const claiming: Claiming = {
    id,
    title,
    narrative,
    facts: [],
    files_modified: files,
    files_read: [],
    supersedes,
    generated: { by: 'cli', at },
  };
  return claiming;
}

const disputeBetween = (one: Claiming, other: Claiming) => disputesAmong([one, other])[0];

describe('two records', () => {
  it.each([
    ['denied', 'Uploads must be retried by the drain', 'Uploads must not be retried by the drain'],
    ['over', 'The cache uses the LRU list for eviction', 'The LRU list for eviction was removed from the cache'],
    ['contrary', 'Session resume works over HTTPS remotes', 'Session resume fails over HTTPS remotes'],
    ['value', 'The fetch timeout is 30 seconds in CI', 'The fetch timeout is 90 seconds in CI'],
    ['default', 'Postgres is the default store', 'SQLite is the default store'],
    ['other', 'Sessions live in Redis', 'Sessions live in Postgres'],
    ['means', 'Audit events are exported by cron', 'Audit events are exported by the webhook relay'],
    ['count', 'The gateway starts with four workers', 'The gateway starts with a single worker'],
    ['cause', 'Nightly backups fail because the disk is full', 'Nightly backups failed due to an expired token'],
    ['cause', 'Login timeouts are caused by the proxy', 'Login timeouts were a DNS problem'],
    ['left out', 'The export contains draft invoices', 'Draft invoices are left out of the export'],
    ['place', 'Session cookies are stored in the browser', 'Session cookies live in Redis'],
    ['pinned', 'node/pty is pinned at v1.2.11', 'node/pty goes to v1.3.1'],
    ['lifespan', 'Draft invoices expire after 2 hours', 'Draft invoices are kept for 7 days'],
    ['units', 'The fetch timeout is 90 seconds in CI', 'The fetch timeout is 2 minutes in CI'],
  ])('contradict each other: %s', (_, earlier, later) => {
    const found = disputeBetween(record('a', earlier), record('bb', later));
    expect(found?.ids).toEqual(['a', 'bb']);
    expect([found?.why.earlier, found?.why.later]).toEqual([earlier, later]);
  });

  it.each([
    ['The drain does not retry uploads', 'The watcher reads the spool'],
    ['Public remotes need no credentials', 'Private remotes need credentials'],
    ['The reader opens the file', 'The writer closes the file'],
    ['Records use short ids', 'Records use UTC times'],
    ['The fetch timeout is 30 seconds', 'The push timeout is 90 seconds'],
    ['The parser rejects unknown keys', 'The parser has a test for unknown keys'],
    ['Jobs without a deadline run at night', 'Jobs with a deadline run at once'],
    ['Tests fail on Windows because of long paths', 'Tests fail on macOS because of the sandbox'],
    ['Audit events are exported by cron', 'Audit events are archived by the janitor'],
    ['Uploads must not be retried by the worker', 'Uploads must not be retried by the gateway'],
    ['The gateway starts with four workers', 'The gateway starts with two listeners'],
    ['Draft invoices expire after 2 hours', 'Draft invoices are saved every 10 seconds'],
    ['Session cookies are stored in the browser', 'Session cookies are signed in the gateway'],
    ['Backups fail because the disk is full', 'Backups fail because the disk of the replica is slow'],
  ])('stand beside each other: %s', (earlier, later) => {
    expect(disputeBetween(record('a', earlier), record('bb', later))).toBeUndefined();
  });

  it('of which one builds on the other dispute nothing', () => {
    const earlier = record('aaaaaaaaaa', 'Uploads must be retried by the drain');
    const title = 'Uploads must not be retried by the drain';
    expect(disputeBetween(earlier, record('b', title))).toBeDefined();
    expect(disputeBetween(earlier, record('b', title, { supersedes: ['aaaaaaaaaa'] }))).toBeUndefined();
    expect(disputeBetween(earlier, record('b', title, { narrative: 'As aaaaaaaaaa found.' }))).toBeUndefined();
  });

  it('need a common file, or titles about one subject', () => {
    const earlier = record('a', 'Uploads must be retried by the drain', { files: ['src/one.ts'] });
    const later = record('bb', 'Uploads must not be retried by the drain', { files: ['src/two.ts'] });
    expect(disputeBetween(earlier, later)).toBeDefined();
    expect(disputeBetween(earlier, record('cc', 'The page must not be retried', { files: [] }))).toBeUndefined();
  });
});

describe('disputes among many records', () => {
  it('are found from either end of a pair', () => {
    const pair = [
      record('a', 'Uploads must be retried by the drain'),
      record('bb', 'Uploads must not be retried by the drain'),
    ];
    expect(disputesAmong(pair, new Set(['a']))).toHaveLength(1);
    expect(disputesAmong(pair.toReversed(), new Set(['bb']))).toHaveLength(1);
    expect(disputesAmong(pair, new Set(['ccc']))).toHaveLength(0);
  });

  it.each(['drain', 'worker', 'reader'])('are plain enough to be told where titles say what a %s does', (doer) => {
    const pair = [
      record('a', `Uploads must be retried by the ${doer}`),
      record('bb', `Uploads must not be retried by the ${doer}`),
    ];
    expect(titleDisputes(pair)).toEqual([['a', 'bb']]);
  });

  it('end when a third record names both', () => {
    const [one, other] = ['aaaaaaaaaa', 'bbbbbbbbbbb'];
    const pair = [
      record(one, 'Uploads must be retried by the drain'),
      record(other, 'Uploads must not be retried by the drain'),
    ];
    const third = record('cccccccccccc', 'Who retries depends on the host', { narrative: `See ${one} and ${other}.` });
    expect(disputesAmong(pair)).toHaveLength(1);
    expect(disputesAmong([...pair, third])).toEqual([]);
  });

  it.each([
    ['Without it the server held 10 MB less', 'The server and its child held 10 MB together'],
    ['No evidence that words give moves the line', 'The record with the most evidence comes first'],
  ])('are not seen where nothing is denied: %s', (earlier, later) => {
    expect(disputeBetween(record('a', earlier), record('bb', later))).toBeUndefined();
  });

  it('rarely name a harmless pair of real sessions', () => {
    for (const half of ['development', 'changes', 'test', 'written'] as const) {
      const pairs = labelledPairs(half);
      const flagged = pairs.filter(({ earlier, later }) => disputeBetween(earlier, later));
      expect(pairs.length).toBeGreaterThanOrEqual(60);
      expect(flagged.length).toBeGreaterThan(15);
      expect(flagged.filter(({ contradicts }) => contradicts).length / flagged.length).toBeGreaterThanOrEqual(0.9);
    }
  });
});
