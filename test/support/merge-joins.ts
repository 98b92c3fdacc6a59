import { spawnSync } from 'node:child_process';
import type { Join } from './merge-trials.ts';

/** Runs git and returns its stdout; throws JoinFailed on a non-zero exit code. */
export type Git = (...args: string[]) => string;

/** What git said when it did not do what it was asked to. */
export class JoinFailed extends Error {}

/** Git in `root`, with these settings for every call. */
export function gitIn(root: string, env: Record<string, string | undefined>, config: string[] = []): Git {
  const settings = config.flatMap((entry) => ['-c', entry]);
  return (...args) => {
    const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new JoinFailed(`git ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
}

/**
 * Brings all `tips` together in the checked-out place. Where commits are made anew, those of the default branch, the
 * first tip, are not: nobody rewrites it.
 */
export function joinTips(git: Git, tips: string[], { way, order }: Join): void {
  const [main = '', ...others] = tips;
  const sorted = (list: string[]) => list.toSorted((a, b) => keyOf(a) - keyOf(b));
  const keyOf = (tip: string) => order[tips.indexOf(tip)] ?? 0;
  const [first = '', ...rest] = way === 'merge' || way === 'octopus' ? sorted(tips) : [main, ...sorted(others)];
  git('checkout', '--quiet', '--force', '--detach', first);
  switch (way) {
    case 'merge':
      for (const tip of rest) git('merge', '--quiet', '--no-edit', tip);
      return;
    case 'octopus':
      git('merge', '--quiet', '--no-edit', ...rest);
      return;
    case 'rebase':
      for (const tip of rest) {
        const onto = git('rev-parse', 'HEAD').trim();
        git('checkout', '--quiet', '--detach', tip);
        git('rebase', '--quiet', onto);
      }
      return;
    case 'squash':
      for (const tip of rest) {
        git('merge', '--quiet', '--squash', tip);
        git('commit', '--quiet', '--allow-empty', '--message', 'Squashed');
      }
      return;
    case 'cherry-pick':
      for (const tip of rest) {
        const commits = git('rev-list', '--reverse', '--topo-order', `HEAD..${tip}`).split('\n').filter(Boolean);
        // Both let pass what another branch brought already.
        if (commits.length > 0) git('cherry-pick', '--allow-empty', '--keep-redundant-commits', ...commits);
      }
      return;
    default:
      way satisfies never;
  }
}

/** Leaves whatever a failed join left unfinished. */
export function abandonJoin(git: Git): void {
  for (const command of ['rebase', 'cherry-pick']) {
    try {
      git(command, '--quit');
    } catch {
      // Nothing of this kind was going on.
    }
  }
  git('reset', '--quiet', '--hard');
}
