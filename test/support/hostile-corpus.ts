import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { TestRepository } from './repository.ts';
import { drop, observationOf, summaryOf } from './written-records.ts';

/** A world from a hostile checkout. `outside` is a folder of records that nothing may read. */
export interface HostileCase {
  name: string;
  /** Puts it there; may give, also later, a function that closes what is open. */
  make(repository: TestRepository, outside: string): unknown;
  /** What `check` has to say of it: a code. */
  problem?: string;
}

const MONTH = '.memory/observations/2026-11';
const DEEP = 10_000;
const MB = 1024 * 1024;

/** The path of a file that has a record's name. */
function named(word: string): string {
  return `${MONTH}/20261120T200501Z-x-${idOf(word)}.md`;
}

function frontMatter(name: string, lines: string): HostileCase {
  const text = `---\nid: "${idOf(name)}"\nkind: observation\ntype: change\ntitle: "A record"\n${lines}\n---\n\nText.\n`;
  return { name, make: (repository) => repository.write(named(name), text) };
}

function body(name: string, text: string): HostileCase {
  return { name, make: (repository) => void drop(repository, observationOf({ id: idOf(name), narrative: text })) };
}

function bytes(name: string, content: Buffer, problem?: string): HostileCase {
  return {
    name,
    ...(problem && { problem }),
    make({ root }) {
      mkdirSync(join(root, MONTH), { recursive: true });
      writeFileSync(join(root, named(name)), content);
    },
  };
}

function link(name: string, path: string, target: (outside: string) => string, problem = 'link'): HostileCase {
  return {
    name,
    problem,
    make({ root }, outside) {
      rmSync(join(root, path), { recursive: true, force: true });
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target(outside), join(root, path));
    },
  };
}

function settings(name: string, text: string): HostileCase {
  return { name, make: (repository) => repository.write('.memory/config.yaml', text) };
}

const whole = encode(observationOf({ id: idOf('whole'), title: 'Whole' }));
const laughs = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`).join('\n');

/** Everything that was ever found to break something, and what could. */
export const HOSTILE_CORPUS: HostileCase[] = [
  { ...frontMatter('a billion laughs', `l0: &l0 ["ha"]\n${laughs}`), problem: 'bad-record' },
  frontMatter('anchors and merge keys', 'a: &a {b: c}\n<<: {d: e}'),
  { ...frontMatter('an alias', 'a: &a "b"\nc: *a'), problem: 'bad-record' },
  frontMatter(
    'keys that objects have',
    '__proto__: {id: "x"}\nconstructor: {prototype: {a: b}}\ntoString: "x"\nanchors: {"__proto__": "x"}',
  ),
  frontMatter(
    'paths that lead out',
    `files_modified: ["../outside/secret.md", ".git/config", "a/../../../etc/passwd"]\nfiles_read: ["../../etc/passwd", "/etc/passwd", "C:\\\\x", "a\\0b", "-rf", ":(top)"]\nanchors: {"../outside/secret.md": "${'a'.repeat(40)}", "/etc/passwd": "${'b'.repeat(40)}", "C:\\\\x": "", "a\\0b": "x"}`,
  ),
  { ...frontMatter('lists in lists', `a:\n  ${'- '.repeat(DEEP)}x`), problem: 'bad-record' },
  { ...frontMatter('deep brackets', `a: ${'['.repeat(DEEP)}${']'.repeat(DEEP)}`), problem: 'bad-record' },
  body('deep lists', Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}- x`).join('\n') + '- '.repeat(DEEP)),
  body('deep quotes', `${'> '.repeat(DEEP)}x`),
  body('deep brackets in prose', `${'['.repeat(DEEP)}${'*'.repeat(DEEP)}${'('.repeat(DEEP)}`),
  body('lone surrogates and controls', '\ud800 x \udfff \u0000 \u001b[2J \u202e \u2066 \ufeff \u0085'),
  body('a path in every form', 'caf\u00e9 cafe\u0301 \u{1f468}\u200d\u{1f469} ../../etc/passwd'),
  bytes(
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])]),
  ),
  bytes('NUL in the middle of everything', Buffer.from(whole.replaceAll('e', 'e\0'))),
  bytes('NUL in a title', Buffer.from(whole.replace('Whole', 'Wh\0ole'))),
  bytes('nothing but line ends of old', Buffer.from(whole.replaceAll('\n', '\r')), 'bad-record'),
  bytes('nothing but NUL', Buffer.alloc(100_000), 'bad-record'),
  bytes('a byte order mark and CRLF', Buffer.from(`\ufeff${whole.replaceAll('\n', '\r\n')}`)),
  {
    name: '100 MB',
    problem: 'size',
    make({ root }) {
      mkdirSync(join(root, MONTH), { recursive: true });
      // Sparse: nothing is written.
      const file = openSync(join(root, named('100 MB')), 'w');
      ftruncateSync(file, 100 * MB);
      closeSync(file);
    },
  },
  link('a record that is a link', named('linked file'), (outside) => join(outside, 'secret.md')),
  link('a record that is a password file', named('linked passwd'), () => '/etc/passwd'),
  link('a record that is a device', named('linked device'), () => '/dev/zero'),
  link('a record that leads to itself', named('loop'), () => `./${named('loop').split('/').at(-1)}`),
  link('a month that is a link', MONTH, (outside) => join(outside, '.memory/observations/2026-11')),
  link('a month that leads to itself', MONTH, () => '2026-11'),
  link('a kind that is a link', '.memory/observations', (outside) => join(outside, '.memory/observations')),
  link('marks that are a link', '.memory/marks', (outside) => join(outside, '.memory/observations')),
  link('a memory that is a link', '.memory', (outside) => join(outside, '.memory')),
  link('settings that are a link', '.memory/config.yaml', (outside) => join(outside, 'secret.md')),
  {
    name: 'a pipe in the place of a record',
    problem: 'link',
    make({ root }) {
      mkdirSync(join(root, MONTH), { recursive: true });
      execFileSync('mkfifo', [join(root, named('pipe'))]);
    },
  },
  {
    name: 'pipes in the place of folders and settings',
    problem: 'link',
    make({ root }) {
      for (const path of ['.memory/observations', '.memory/config.yaml']) {
        rmSync(join(root, path), { recursive: true, force: true });
        execFileSync('mkfifo', [join(root, path)]);
      }
    },
  },
  {
    name: 'a socket',
    problem: 'link',
    async make({ root }) {
      mkdirSync(join(root, MONTH), { recursive: true });
      const server = createServer();
      // A socket's path has at most 107 bytes, so it is made near and moved.
      const near = join(root, 's');
      await new Promise<void>((done) => server.listen(near, done));
      renameSync(near, join(root, named('socket')));
      return () => server.close();
    },
  },
  {
    name: 'a summary of paths that lead out',
    make(repository) {
      const paths = ['../../etc/passwd', '/etc/passwd', '../outside/secret.md', '-rf', ':(top)', '.git/config'];
      const fields = { title: 'A session', files_edited: paths, files_read: paths };
      drop(repository, summaryOf({ id: idOf('paths of a summary'), ...fields }));
    },
  },
  {
    name: 'names of the same letters, in every normal form and case',
    problem: 'stray',
    make(repository) {
      const name =
        storePath(observationOf({ id: idOf('same'), title: 'Same' }))
          .split('/')
          .at(-1) ?? '';
      for (const word of ['\u00c5\ud55c\ufb01\u00df\u0130', 'Stra\u00dfe', '\u212b', 'ǆ', 'ﬃ', 'Σς']) {
        const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => word.normalize(form));
        for (const form of forms.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()])) {
          repository.write(`${MONTH}/${name.replace('same', form)}`, whole);
          repository.write(`.memory/${form}/2026-11/${name}`, whole);
        }
      }
      for (const folder of ['Observations', 'OBSERVATIONS'])
        repository.write(`.memory/${folder}/2026-11/${name}`, whole);
      repository.write('.memory/Config.yaml', 'commit: manual\n');
    },
  },
  {
    name: 'names that are no UTF-8, and as long as names can be',
    make({ root }) {
      const folder = join(root, MONTH);
      mkdirSync(folder, { recursive: true });
      const name = named('bytes').split('/').at(-1) ?? '';
      for (const byte of [0x01, 0x80, 0xc0, 0xff]) {
        const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([byte, 0x2d]), Buffer.from(name)]);
        writeFileSync(odd, whole);
      }
      writeFileSync(join(folder, name.replace('-x-', `-${'x'.repeat(255 - name.length + 1)}-`)), whole);
    },
  },
  {
    name: 'names in every form',
    problem: 'file-name',
    make(repository) {
      const record = observationOf({ id: idOf('form'), title: 'Form' });
      const name = storePath(record).split('/').at(-1) ?? '';
      const odd = [
        'caf\u00e9',
        'cafe\u0301',
        'a\nb',
        '-rf',
        '--help',
        'a\u001b[2Jb',
        '\u202egpj',
        ' ',
        'a\\b',
        ':(top)',
        '*',
      ];
      for (const word of odd) repository.write(`${MONTH}/${word}.md`, whole);
      repository.write(`${MONTH}/${name.replace('form', 'caf\u00e9')}`, encode(record));
      repository.write(`${MONTH}/${name.replace('form', 'cafe\u0301')}`, encode(record));
      repository.write(`${MONTH}/${name.toUpperCase()}`, encode(record));
      repository.write(`${MONTH}/${name.replace('form', 'a\nb')}`, encode(record));
      repository.write(`${MONTH.toUpperCase()}/${name}`, encode(record));
    },
  },
  {
    name: 'folders in the place of records',
    make({ root }) {
      mkdirSync(join(root, named('folder'), 'deeper'), { recursive: true });
      // In the place of the folder that is written to this month, and of the one of the next.
      for (const ahead of [0, 32]) {
        const month = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 7);
        writeFileSync(join(root, '.memory/observations', month), 'a file');
      }
    },
  },
  {
    name: 'a file in the place of all observations',
    make({ root }) {
      rmSync(join(root, '.memory/observations'), { recursive: true, force: true });
      writeFileSync(join(root, '.memory/observations'), 'a file');
    },
  },
  settings('settings that laugh', `a: &a [x]\n${laughs}`),
  settings(
    'settings of objects',
    '__proto__: {commit: manual}\nconstructor: {prototype: {commit: manual}}\ncapture: {__proto__: {skip_tools: [x]}}\n',
  ),
  settings('deep settings', `capture: ${'{a: '.repeat(DEEP)}${'}'.repeat(DEEP)}`),
  settings(
    'patterns that take long',
    `capture: {ignore_paths: ["${'**/*a'.repeat(50)}b", "${'*a'.repeat(200)}"]}\nprivacy: {redact: ["${'a*'.repeat(200)}b", "${'*'.repeat(500)}"]}\n`,
  ),
  settings('links of a team', 'links: ["../..", "/etc", "ext::sh -c touch% x", "-oProxyCommand=x@y:z"]\n'),
];
