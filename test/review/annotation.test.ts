import { describe, expect, it } from 'vitest';
import { type Annotation, githubCommands, sarifLog } from '../../src/review/annotation.ts';

const remark: Annotation = {
  level: 'error',
  code: 'secret',
  message: 'It holds one.',
  path: '.memory/a b.md',
  line: 3,
};

describe('githubCommands', () => {
  it('is one command per line', () => {
    expect(githubCommands([remark])).toBe('::error file=.memory/a b.md,line=3,title=git-mem secret::It holds one.\n');
  });

  it('lets no text end a command or start another', () => {
    const hostile = { ...remark, path: 'a,line=9::b:%0A', message: 'x\n::add-mask::y\r\n100% %0A' };
    expect(githubCommands([hostile])).toBe(
      '::error file=a%2Cline=9%3A%3Ab%3A%250A,line=3,title=git-mem secret::x%0A::add-mask::y%0A100%25 %250A\n',
    );
  });
});

it('sarifLog has the fields that SARIF 2.1.0 requires', () => {
  const log = sarifLog([remark, { ...remark, level: 'notice' }], { secret: 'A file holds a secret.' });
  expect(log).toMatchObject({
    version: '2.1.0',
    $schema: expect.stringContaining('sarif-schema-2.1.0.json'),
    runs: [
      {
        tool: {
          driver: { name: 'git-mem', rules: [{ id: 'secret', shortDescription: { text: expect.any(String) } }] },
        },
        results: [
          {
            ruleId: 'secret',
            ruleIndex: 0,
            level: 'error',
            message: { text: 'It holds one.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: '.memory/a%20b.md', uriBaseId: '%SRCROOT%' },
                  region: { startLine: 3 },
                },
              },
            ],
          },
          { level: 'note' },
        ],
      },
    ],
  });
});
