import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { hasShell } from '../../support/shells.ts';

describe('git mem completion', () => {
  it('completes commands, options and choices in bash', async () => {
    const repository = createRepository();
    const script = join(repository.folder, 'completion.bash');
    writeFileSync(script, (await gitMem(repository, ['completion', 'bash'])).stdout);
    const complete = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _git_mem; echo "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `. '${script}'; ${ask}`], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.trim().split(' ');
    };
    expect(complete('git-mem', 'sal')).toEqual(['salvage']);
    expect(complete('git', 'mem', 'rem')).toEqual(['remember']);
    expect(complete('git-mem', '-C', 'list', 'list', '--fr')).toEqual(['--freshness']);
    expect(complete('git-mem', '--color', 'always', 'list', '--fr')).toEqual(['--freshness']);
    expect(complete('git-mem', '--color', '=', 'always', 'list', '--fr')).toEqual(['--freshness']);
    expect(complete('git-mem', 'completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
    expect(complete('git-mem', 'personal', 'i')).toEqual(['init']);
  });

  it.each(['bash', 'zsh', 'fish'])('knows every command in %s', async (shell) => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['completion', shell]);
    const help = (await gitMem(repository, ['help', '--all'])).stdout;
    const commands = [...help.slice(help.indexOf('Start:')).matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(35);
    expect(commands.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout))).toEqual([]);
  });

  it.skipIf(!hasShell('zsh'))(
    'finds the command behind -C and --color in zsh (skipped where no zsh is installed)',
    async () => {
      const script = (await gitMem(createRepository(), ['completion', 'zsh'])).stdout;
      // What zsh does in the line editor: it has the words, and takes what is offered.
      const offered = (...words: string[]) => {
        const given = `words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}`;
        const set = 'zstyle() { }; compadd() { print -r -- $*; }; _describe() { print -r -- commands; }; _files() { }';
        return spawnSync('zsh', ['-fc', `${set}; ${given}; ${script}`], { encoding: 'utf8' }).stdout;
      };
      expect(offered('git-mem', 'li')).toBe('commands\n');
      expect(offered('git-mem', 'personal', 'i')).toMatch(/^-- init /);
      expect(offered('git-mem', '-C', 'list', 'personal', 'i')).toMatch(/^-- init /);
      expect(offered('git-mem', '--color=always', '-C', '.', 'li')).toBe('commands\n');
    },
  );

  it.skipIf(!hasShell('fish'))('completes what bash does in fish (skipped where no fish is installed)', async () => {
    const repository = createRepository();
    const script = join(repository.folder, 'git-mem.fish');
    writeFileSync(script, (await gitMem(repository, ['completion', 'fish'])).stdout);
    const complete = (line: string) => {
      const command = `source ${script}; complete -C '${line}'`;
      // With the settings of nobody, but with the completions that fish ships: `git` has some.
      const env = { ...process.env, ...repository.env, HOME: repository.folder, XDG_CONFIG_HOME: repository.folder };
      const { stdout } = spawnSync('fish', ['-c', command], {
        encoding: 'utf8',
        env,
        cwd: repository.folder,
      });
      return stdout.split('\n').map((one) => one.split('\t')[0]);
    };
    expect(complete('git-mem sal')).toContain('salvage');
    expect(complete('git-mem personal i')).toEqual(['init', '']);
    expect(complete('git-mem completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(complete('git-mem -C list --color always personal i')).toEqual(['init', '']);
    expect(complete('git-mem -C list list --fr')).toContain('--freshness');
    expect(complete('git-mem --color=always sal')).toContain('salvage');
    expect(complete('git mem personal i')).toEqual(['init', '']);
    expect(complete('git -C . mem list --fr')).toContain('--freshness');
  });
});
