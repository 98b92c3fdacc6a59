import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageChecksum } from '../../src/setup/ci.ts';
import { removeFolder } from '../../src/setup/demo.ts';
import { install, megabytes, pack, type Tarball, walk } from '../support/package-walk.ts';
import { PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/scratch.ts';

const DIST = dirname(PROGRAM);

/** All that may ever be in the package. */
const BELONGING = [
  /^(?:LICENSE|README\.md|SECURITY\.md|package\.json)$/,
  /^dist\/(?:bin\.cjs(?:\.map)?|help\.txt|git-mem\.1)$/,
  /^dist\/(?:hook|brief|reply|quick|mcp|main|hub|anthropic|mcp-sdk)\.cjs(?:\.map|\.LEGAL\.txt)?$/,
  /^dist\/(?:THIRD-PARTY-LICENSES\.txt|sbom\.cdx\.json)$/,
  /^dist\/web\/(?:index\.html|(?:app|site|style)\.(?:js|css))(?:\.LEGAL\.txt)?$/,
  /^templates\/(?:[\w-]+\/)+[\w.-]+$/,
];

interface Component {
  type: string;
  group?: string;
  name: string;
  version?: string;
  purl: string;
  scope: string;
  'bom-ref': string;
  licenses?: { license?: { id: string }; expression?: string }[];
  hashes?: { alg: string; content: string }[];
}

/** The package, installed without a network, without scripts and without what is optional. */
let tarball: Tarball;
let folder: string;
let prefix: string;

beforeAll(() => {
  folder = temporaryFolder();
  tarball = pack(folder);
  prefix = join(folder, 'pre fix');
  // An empty cache: what npm could take from the machine's own would hide a dependency.
  const env = { npm_config_cache: join(folder, 'cache'), npm_config_userconfig: join(folder, 'npmrc') };
  install(tarball.path, prefix, { args: ['--offline', '--ignore-scripts', '--omit=optional'], env });
  return () => removeFolder(folder);
});

describe('the package', () => {
  it('works from init to uninstall: offline, no scripts, no native module, dash, LANG=C, blanks in every path', () => {
    const place = join(folder, 'a place  with spaces');
    const variant = { folder: place, prefix, nodeFolder: dirname(process.execPath), shell: ['dash'] };
    const walked = walk({ ...variant, env: { HOME: join(place, 'my home'), LANG: 'C', LC_ALL: 'C' } });
    expect(walked.failure).toBeUndefined();
    expect(walked).toMatchObject({ steps: 14, index: expect.stringMatching(/^MiniSearch/) });
  });

  it('has the checksum that the generated CI jobs ask for', () => {
    expect(packageChecksum(`${join(prefix, 'lib/node_modules/git-mem')}/`)).toBe(packageChecksum());
  });

  it('installs a manual page, which is what `git mem --help` shows', () => {
    const page = readFileSync(join(prefix, 'share/man/man1/git-mem.1'), 'utf8');
    const commands = [...page.matchAll(/^\.SS "git mem ([\w\\-]+)/gm)].map(([, name]) => name);
    const help = readFileSync(join(DIST, 'help.txt'), 'utf8');
    const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*)(?:\|\w+)? /gm)].map(([, name]) => name);
    expect(
      listed.filter((name) => name !== 'help' && name !== 'git' && !commands.includes(name?.replaceAll('-', '\\-'))),
    ).toEqual([]);
    expect(page).toContain('.TH GIT-MEM 1');
    expect(page).toContain('colour what is printed (choices: \\(dqauto\\(dq');
  });

  it('adds no dependency, and little size', () => {
    const installed = join(prefix, 'lib/node_modules/git-mem');
    expect(readdirSync(installed)).not.toContain('node_modules');
    expect(megabytes(installed)).toBeLessThan(10);
  });

  it('contains what it needs and nothing else', () => {
    expect(tarball.files.filter((path) => !BELONGING.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const path of [
      'dist/bin.cjs',
      'dist/main.cjs',
      'dist/help.txt',
      'dist/git-mem.1',
      'dist/sbom.cdx.json',
      'templates/init/hook',
      'SECURITY.md',
    ]) {
      expect(tarball.files).toContain(path);
    }
  });

  it('reveals nothing about the machine that built it', () => {
    const places = [resolve('.'), homedir()].filter((place) => place.length > 1);
    const telling = tarball.files.filter((path) => {
      const text = readFileSync(path, 'utf8');
      return places.some((place) => text.includes(`${place}/`)) || /sourceMappingURL|\.\.\/node_modules\//.test(text);
    });
    // A record of other people's sessions is allowed to name their homes.
    expect(telling.filter((path) => path !== 'templates/demo/session.json')).toEqual([]);
  });

  it('includes the licence of every bundled package', () => {
    const text = readFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const { group, name, version } of inside()) {
      expect(text).toContain(`\n${group ? `${group}/` : ''}${name} ${version} (`);
    }
    expect(
      text.match(/Permission is hereby granted|Permission to use, copy|Apache License|public domain/g)?.length,
    ).toBeGreaterThan(inside().length * 0.9);
  });
});

describe('the bill of materials', () => {
  it('names every package that a bundle contains', () => {
    const named = new Set(inside().map(({ group, name }) => (group ? `${group}/${name}` : name)));
    expect(named.size).toBeGreaterThan(60);
    // By another way than the build's: what bundles keep of the places that their code came from.
    const kept = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:c?js|txt)$/.test(file) && !file.endsWith('LICENSES.txt'))
      .flatMap((file) => [...readFileSync(join(DIST, file), 'utf8').matchAll(KEPT)].map(([, a, b]) => a ?? b ?? ''));
    expect(new Set(kept).size).toBeGreaterThan(5);
    expect([...new Set(kept)].filter((name) => !named.has(name))).toEqual([]);
    // And by what the sources import: nothing that is bundled comes from nowhere.
    const doors = [
      'commander',
      'gray-matter',
      'js-yaml',
      'simple-git',
      'unified',
      'minisearch',
      'zod',
      'preact',
      'jsonc-parser',
    ];
    expect(doors.filter((name) => !named.has(name))).toEqual([]);
  });

  it('has the shape of CycloneDX 1.6, and says what the lockfile says', () => {
    const bill = JSON.parse(readFileSync(join(DIST, 'sbom.cdx.json'), 'utf8'));
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: 'git-mem', version, purl: `pkg:npm/git-mem@${version}` } },
    });
    const locked = Object.entries<{ version: string; integrity: string }>(
      JSON.parse(readFileSync('package-lock.json', 'utf8')).packages,
    );
    const refs = bill.components.map((one: Component) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies).toEqual([{ ref: bill.metadata.component['bom-ref'], dependsOn: refs }]);
    for (const { type, group, name, version, purl, licenses, hashes } of inside()) {
      const full = group ? `${group}/${name}` : name;
      expect(type).toBe('library');
      expect(purl).toBe(`pkg:npm/${full.replace('@', '%40')}@${version}`);
      expect(licenses?.[0]?.license?.id ?? licenses?.[0]?.expression, full).toMatch(/^[\w.() +-]+$/);
      const base64 = Buffer.from(hashes?.[0]?.content ?? '', 'hex').toString('base64');
      const lock = locked.find(([path, one]) => path.endsWith(`node_modules/${full}`) && one.version === version);
      expect(`${hashes?.[0]?.alg} ${base64}`, full).toBe(lock?.[1].integrity.replace('sha512-', 'SHA-512 '));
    }
  });

  it('has no time and no number that differs between builds', () => {
    const text = readFileSync(join(DIST, 'sbom.cdx.json'), 'utf8');
    expect(text).not.toMatch(/timestamp|serialNumber|\b20\d\d-\d\d-\d\dT/);
  });
});

describe('the release', () => {
  const path = '.github/workflows/release.yml';

  it('lets only the job that runs no tests sign and publish, and pins actions to commits', () => {
    const text = readFileSync(path, 'utf8');
    const { permissions, jobs } = load(text) as { permissions: object; jobs: Record<string, Job> };
    expect(permissions).toEqual({});
    expect(jobs.check?.permissions).toEqual({ contents: 'read' });
    expect(jobs.publish).toMatchObject({ needs: 'check', permissions: { contents: 'write', 'id-token': 'write' } });
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(actions.length).toBeGreaterThan(3);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const commands = jobs.publish?.steps.map(({ run }) => run ?? '').join('\n');
    expect(commands).toMatch(
      /npm ci --ignore-scripts\n(?:.*\n)*.*repository\.url=(?:.*\n)*npm publish --provenance --access public\n/,
    );
    expect(commands).toContain('dist/sbom.cdx.json');
    // Names of branches and tags are other people's words: they reach a shell as variables only.
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('names in SECURITY.md the test that guards each boundary, and the test exists', () => {
    const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/`((?:test|src|\.github)\/[^`]+)`/g)].map(
      ([, one = '']) => one,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !existsSync(one))).toEqual([]);
  });
});

interface Job {
  permissions: Record<string, string>;
  steps: { uses?: string; run?: string }[];
}

/** What bundles say of the packages that they contain: names of wrapped CommonJS files, and places of kept comments. */
const KEPT =
  /"node_modules\/(?:[^"]*\/node_modules\/)?((?:@[^/"]+\/)?[^/"]+)\/|^((?:@[\w-]+\/)?[a-z][\w.-]*)\/\S+\.m?[jt]s:$/gm;

/** The components that lie in the bundles. */
function inside(): Component[] {
  const { components }: { components: Component[] } = JSON.parse(readFileSync(join(DIST, 'sbom.cdx.json'), 'utf8'));
  return components.filter(({ scope }) => scope === 'required');
}
