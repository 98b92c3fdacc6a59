import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripPrivate } from '../../src/privacy/tags.ts';
import { runs } from '../support/trials.ts';

describe('stripPrivate', () => {
  it.each([
    ['takes a private block away', 'a <private>b</private> c', 'a  c'],
    ['knows tags in any case and with attributes', 'a <PRIVATE why="law">b</Private> c', 'a  c'],
    ['takes everything behind a private tag that is never closed', 'a <private>b\nc', 'a '],
    ['counts nested blocks', 'a <private>b<private>c</private>d</private> e', 'a  e'],
    ['takes the rest where a nested block leaves the outer one open', 'a <private>b<private>c</private> d', 'a '],
    ['knows tags that JSON escaped', 'a \\u003cprivate\\u003eb\\u003c/private\\u003e c', 'a  c'],
    ['knows closing tags whose slash JSON escaped', '<private>b<\\/private> c', ' c'],
    ['removes an empty tag', 'a <private/> b', 'a  b'],
    ['removes a closing tag that nothing opened', 'a </private> b', 'a  b'],
    ['removes what hosts inject', '<system-reminder>be brief</system-reminder>fix it', 'fix it'],
    ['knows underscores and hyphens', '<system_instruction>x</system_instruction><hook-context>y</hook-context>z', 'z'],
    ['removes what claude-mem injects', '<claude-mem-context>x</claude-mem-context>z', 'z'],
    ['removes what git-mem injects', '<git-mem-memory>y</git-mem-memory>z', 'z'],
    ['removes output of commands', '<local-command-stdout>12 files</local-command-stdout>', ''],
    ['removes errors of commands', '<bash-stderr>no</bash-stderr>', ''],
    ['keeps words after a slash command', '<command-name>/review</command-name><command-args>PR</command-args>', 'PR'],
    ['keeps wrapped output', '<untrusted_context>\n2 passing\n</untrusted_context>', '\n2 passing\n'],
    ['keeps text behind a lone tag', 'why is <system-reminder> in the log?', 'why is  in the log?'],
    ['takes no word of the host for a wish', '<system-reminder>use <private></system-reminder>go on', 'go on'],
    ['takes overlapping blocks away', '<system-reminder>a <private>b</system-reminder>c</private>d', 'd'],
    ['leaves other tags alone', '<div class="private">a</div> <privateer>', '<div class="private">a</div> <privateer>'],
  ])('%s', (_, text, expected) => {
    expect(stripPrivate(text)).toBe(expected);
  });

  it('never lets text of a closed private block through, whatever surrounds it', () => {
    const noise = fc.array(
      fc.constantFrom('<', '>', '/', 'private', 'x ', '<b>', '</system-reminder>', '<system-reminder>', '\\u003c'),
    );
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const stripped = stripPrivate(`${before.join('')}<private>HIDDEN</private>${after.join('')}`);
        expect(stripped).not.toContain('HIDDEN');
      }),
      runs(100),
    );
  });

  const units = [
    '<private>',
    '<private ',
    '</private>',
    '<private><system-reminder>',
    '<',
    '\\u003cprivate',
    '<private x',
  ];
  it.each(units)('handles a megabyte of %s', (unit) => {
    expect(stripPrivate(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(1_000_000);
  });

  it('handles blocks nested a hundred thousand deep', () => {
    const text = `a${'<private>'.repeat(100_000)}b${'</private>'.repeat(100_000)}c`;
    expect(stripPrivate(text)).toBe('ac');
  });
});
