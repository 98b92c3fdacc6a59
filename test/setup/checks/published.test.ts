import { expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';

const CARGO = '[package]\nname = "x"\nversion = "1.0.0"\n';
const HATCH = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n';
const IGNORED = '# ours\n.claude/\n.mcp.json\n.memory\n';

const cases: [string, Record<string, string>, string | undefined][] = [
  [
    'a package without files',
    { 'package.json': '{"name": "x", "version": "1.0.0"}' },
    'npm pack would contain .claude, .mcp.json.',
  ],
  ['a private package', { 'package.json': '{"name": "x", "version": "1.0.0", "private": true}' }, undefined],
  ['a package with files', { 'package.json': '{"name": "x", "version": "1.0.0", "files": ["lib"]}' }, undefined],
  [
    '.npmignore',
    { 'package.json': '{"name": "x", "version": "1.0.0"}', '.npmignore': '.*\n!.mcp.json\n' },
    'npm pack would contain .mcp.json.',
  ],
  ['a crate', { 'Cargo.toml': CARGO }, 'cargo package would contain .claude, .mcp.json, .memory.'],
  ['a crate that excludes', { 'Cargo.toml': `${CARGO}exclude = [\n  "/.claude/**",\n  ".m*",\n]\n` }, undefined],
  ['a crate that includes', { 'Cargo.toml': `${CARGO}include = ["src/**"]\n` }, undefined],
  ['Hatch', { 'pyproject.toml': HATCH }, 'The sdist of Hatch would contain .claude, .mcp.json, .memory.'],
  [
    'Hatch with a list',
    { 'pyproject.toml': `${HATCH}[tool.hatch.build.targets.sdist]\nexclude = ["/docs"]\nonly-include = ["src"]\n` },
    undefined,
  ],
  [
    'Docker',
    { Dockerfile: 'FROM scratch\nCOPY --chown=a . .\n' },
    'A Docker image would contain .claude, .mcp.json, .memory.',
  ],
  [
    'Docker with .dockerignore',
    { Dockerfile: 'FROM scratch\nADD [".", "/app"]\n', '.dockerignore': IGNORED },
    undefined,
  ],
  ['Docker of a folder', { Dockerfile: 'FROM scratch\nCOPY src /app\n' }, undefined],
  [
    'archives',
    { '.gitattributes': '/tests export-ignore\n/.claude export-ignore\n' },
    'git archive would contain .mcp.json.',
  ],
];

it.for(cases)('says what would be published with %s', async ([, files, message], { repository }) => {
  await gitMem(repository, ['init', '--yes', '--host', 'claude-code']);
  for (const [path, text] of Object.entries(files)) repository.write(path, text);
  const { checks } = JSON.parse((await gitMem(repository, ['doctor', '--json'])).stdout);
  const found = checks.filter(({ name }: { name: string }) => name === 'published');
  expect(found.map((check: { message: string }) => check.message)).toEqual(message === undefined ? [] : [message]);
});
