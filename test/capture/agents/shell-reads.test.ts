import { expect, it } from 'vitest';
import { commandReads } from '../../../src/capture/agents/shell-reads.ts';

it.each<[string, string[]]>([
  ['cat src/auth.js', ['src/auth.js']],
  ['cat ./src/auth.js | head -40', ['src/auth.js']],
  ['head -n 20 README.md && tail -5 "docs/a.md"', ['README.md', 'docs/a.md']],
  ["sed -n '1,80p' src/session.js", ['src/session.js']],
  ["sed -i 's/a/b/' src/session.js", []],
  ['grep -n "refresh token" src/session.js src/auth.js', ['src/session.js', 'src/auth.js']],
  ['rg clock.js src/time-claims.js', ['src/time-claims.js']],
  ['cd /repo/pkg && cat src/a.ts', ['/repo/pkg/src/a.ts']],
  ['cd pkg; cd sub; less a.ts', ['pkg/sub/a.ts']],
  ['cat /repo/src/auth.js 2>/dev/null', ['/repo/src/auth.js']],
  ['FOO=1 cat a.txt a.txt', ['a.txt']],
  ['npm test', []],
  ['git log --oneline -- src/a.ts', []],
  ['cat <<EOF > notes.md\ncat src/auth.js\nEOF', []],
  ['echo "cat src/auth.js"', []],
  ['cat', []],
  ['', []],
  [`cat ${'x'.repeat(100_000)}`, []],
])('the files that a shell line is about to read %s', (line, paths) => expect(commandReads(line)).toEqual(paths));
