import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFallback, type Layout, layoutOf } from '../../../src/memory/store/layout.ts';
import { bundle } from '../../support/bundle.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('place', () => checkout());

const printLayout = await bundle(`
  import { layoutOf } from './src/memory/store/layout.ts';
  const [root, commonDir] = process.argv.slice(2);
  console.log(JSON.stringify(layoutOf({ root, gitDir: commonDir, commonDir }, process.env)));
`);

function checkout(folder = scratchFolder()) {
  const root = join(folder, 'repo');
  const commonDir = join(root, '.git');
  mkdirSync(commonDir, { recursive: true });
  return { folder, root, gitDir: commonDir, commonDir };
}

describe('the paths of a checkout', () => {
  it('are the committed folder and one in the git folder that only its owner can enter', ({ place }) => {
    const layout = layoutOf(place, { HOME: join(place.folder, 'home') });
    expect(layout).toMatchObject({
      memory: join(place.root, '.memory'),
      state: join(place.commonDir, 'git-mem'),
      private: join(place.commonDir, 'git-mem', 'private'),
    });
    expect(statSync(layout.state).mode & 0o777).toBe(0o700);
    expect(isFallback(layout, place, { HOME: join(place.folder, 'home') })).toBe(false);
    // A linter that looks into .git would complain about private records.
    expect(JSON.parse(readFileSync(join(layout.state, '.markdownlint.json'), 'utf8'))).toEqual({ default: false });
  });

  it('are moved by GIT_MEM_STATE, which is relative to the top of the checkout', ({ place }) => {
    expect(layoutOf(place, { GIT_MEM_STATE: join(place.folder, 'state') }).state).toBe(join(place.folder, 'state'));
    expect(layoutOf(place, { GIT_MEM_STATE: 'build/state' }).state).toBe(join(place.root, 'build', 'state'));
  });

  it('are in the git folder again when GIT_MEM_STATE is empty', ({ place }) => {
    expect(layoutOf(place, { GIT_MEM_STATE: '' }).state).toBe(join(place.commonDir, 'git-mem'));
  });
});

describe('where the git folder cannot be written', () => {
  // Root may write anywhere by its modes; no one can make a folder below a file.
  function blocked() {
    const place = checkout();
    rmSync(place.commonDir, { recursive: true });
    writeFileSync(place.commonDir, '');
    return place;
  }

  it('state goes to the XDG state folder, one folder a repository', () => {
    const place = blocked();
    const env = { XDG_STATE_HOME: join(place.folder, 'xdg'), HOME: '/nonexistent' };
    const layout = layoutOf(place, env);
    expect(layout.state).toMatch(new RegExp(`^${join(place.folder, 'xdg', 'git-mem')}/repo-[0-9a-z]{10}$`));
    expect(layout.private).toBe(join(layout.state, 'private'));
    expect(layout.otherStates).toEqual([join(place.commonDir, 'git-mem')]);
    expect(statSync(layout.state).mode & 0o777).toBe(0o700);
    expect(isFallback(layout, place, env)).toBe(true);
    expect(layoutOf(blocked(), env).state).not.toBe(layout.state);
  });

  it('state goes below HOME when XDG_STATE_HOME is missing, or relative and so invalid', () => {
    const place = blocked();
    const expected = join(place.folder, 'home', '.local', 'state', 'git-mem');
    for (const XDG_STATE_HOME of [undefined, '', 'relative']) {
      expect(layoutOf(place, { XDG_STATE_HOME, HOME: join(place.folder, 'home') }).state).toContain(expected);
    }
  });

  it('the default path is named in the error when there is no fallback either', () => {
    const place = blocked();
    const env = { XDG_STATE_HOME: join(place.commonDir, 'below'), HOME: join(place.commonDir, 'below') };
    expect(layoutOf(place, env).state).toBe(join(place.commonDir, 'git-mem'));
  });

  it('events that a sandboxed hook left in the fallback folder are not forgotten', ({ place }) => {
    const env = { XDG_STATE_HOME: join(place.folder, 'xdg') };
    const inside = layoutOf(place, env);
    rmSync(place.commonDir, { recursive: true });
    writeFileSync(place.commonDir, '');
    const sandboxed = layoutOf(place, env);
    expect(inside.otherStates).toEqual([sandboxed.state]);
    expect(sandboxed.otherStates).toEqual([inside.state]);
  });

  it('state avoids a folder that somebody else created, as anybody can below /tmp', ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root can give a folder to somebody else');
    const place = checkout();
    const env = { XDG_STATE_HOME: join(place.folder, 'state') };
    writeFileSync(join(place.commonDir, 'git-mem'), 'in the way');
    const { state } = layoutOf(place, env);
    expect(state.startsWith(env.XDG_STATE_HOME)).toBe(true);
    chownSync(state, 65534, 65534);
    expect(layoutOf(place, env)).toMatchObject({ state: join(place.commonDir, 'git-mem'), otherStates: [] });
  });

  it('state moves out of a git folder that is mounted read-only, as in some sandboxes', ({ skip }) => {
    const place = checkout();
    mkdirSync(join(place.commonDir, 'git-mem'));
    const script = 'mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" || exit 99; exec "$0" "$1" "$3" "$2"';
    const env = { ...process.env, XDG_STATE_HOME: join(place.folder, 'xdg'), GIT_MEM_STATE: '' };
    const args = ['--mount', 'sh', '-c', script, process.execPath, printLayout, place.commonDir, place.root];
    const child = spawnSync('unshare', args, { env, encoding: 'utf8' });
    if (child.error || child.status === 99 || child.stderr.includes('unshare failed')) {
      skip('no right to make a mount namespace here');
    }
    const layout: Layout = JSON.parse(child.stdout);
    expect(layout.state).toContain(join(place.folder, 'xdg', 'git-mem', 'repo-'));
    expect(layout.otherStates).toEqual([join(place.commonDir, 'git-mem')]);
  });
});
