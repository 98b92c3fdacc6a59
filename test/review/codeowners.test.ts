import { describe, expect, it } from 'vitest';
import { parseCodeOwners } from '../../src/review/owners.ts';

describe("GitHub's CODEOWNERS", () => {
  const owners = parseCodeOwners(`
# Comments and blank lines say nothing.
*                 @global
*.js              @js-owner #inline
/build/logs/      @logs
docs/*            docs@example.com
apps/             @octocat
/docs/            @doctocat
/scripts/         @doctocat @octocat
**/deep           @deep
/apps/github
with\\ space/      @blank
!negated          @nobody
`);
  it.each([
    ['README.md', ['@global']],
    ['src/a/b.js', ['@js-owner']],
    ['build/logs/x/y.log', ['@logs']],
    ['other/build/logs/x.log', ['@global']],
    ['other/docs/x.md', ['@global']],
    ['docs/deeper/x.md', ['@doctocat']],
    ['x/apps/y/z.ts', ['@octocat']],
    ['scripts/run.sh', ['@doctocat', '@octocat']],
    ['a/b/deep/c.ts', ['@deep']],
    ['apps/github/main.go', []],
    ['with space/x', ['@blank']],
  ])('maps %s to %j', (path, expected) => {
    expect(owners.of(path)).toEqual(expected);
  });

  it('applies a trailing asterisk to files in that folder alone', () => {
    const { of } = parseCodeOwners('docs/* @docs');
    expect([of('docs/a.md'), of('docs/a/b.md')]).toEqual([['@docs'], []]);
  });

  it('maps to nobody where nothing is listed', () => {
    expect(parseCodeOwners('').of('a')).toEqual([]);
  });
});

describe("GitLab's CODEOWNERS", () => {
  const { of } = parseCodeOwners(`
* @all
[Database][2] @dba
db/
db/seeds/ @seeder
^[Docs]
*.md @writers
[database]
*.sql @sql
`);
  it.each([
    ['db/schema.rb', ['@all', '@dba']],
    ['db/seeds/a.rb', ['@all', '@seeder']],
    ['docs/a.md', ['@all', '@writers']],
    ['x.sql', ['@all', '@sql']],
  ])('uses the last line of each section for %s', (path, expected) => {
    expect(of(path)).toEqual(expected);
  });
});
