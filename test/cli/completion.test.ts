import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';

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
    expect(complete('git-mem', 'completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
    expect(complete('git-mem', 'links', 'u')).toEqual(['update']);
  });

  it.each(['bash', 'zsh', 'fish'])('knows every command in %s', async (shell) => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['completion', shell]);
    const help = (await gitMem(repository, ['--help'])).stdout;
    const commands = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z][\w-]*)/gm)].map(
      ([, name]) => name,
    );
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout))).toEqual([]);
  });

  it('lists the shells it supports', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
