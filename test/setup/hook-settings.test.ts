import fc from 'fast-check';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/capture/agents/claude-code.ts';
import { addHooks, missingEvents, parseEntries, removeHooks } from '../../src/setup/hook-settings.ts';
import { hostTemplate } from '../../src/setup/host-template.ts';
import { runs } from '../support/trials.ts';
import { SETTINGS } from './world.ts';

const template = hostTemplate('hosts/claude-code.json');
const entries = parseEntries(template);
const path = '.claude/settings.json';
const add = (text: string) => addHooks(text, entries, path);
const remove = (text: string) => removeHooks(text, path);

it('the template registers only events that the adapter knows, each calling the launcher with its name', () => {
  expect(Object.keys(entries).length).toBeGreaterThan(5);
  for (const [event, groups] of Object.entries(entries)) {
    expect([...claudeCode.events, ...claudeCode.replies]).toContain(event);
    expect(groups).toEqual([
      {
        matcher: event === 'PreToolUse' ? 'Read|Edit|MultiEdit|Write|NotebookEdit|Bash' : '',
        hooks: [{ type: 'command', command: expect.stringContaining(` ${claudeCode.name} ${event} `), timeout: 10 }],
      },
    ]);
  }
});

describe('addHooks', () => {
  it.each(Object.entries(SETTINGS))('adds every entry to settings with %s, and changes no other value', (_, text) => {
    const merged = add(text);
    expect(missingEvents(merged, entries, path)).toEqual([]);
    expect(add(merged)).toBe(merged);
    const before = parse(text);
    const after = parse(merged);
    const { hooks: ownHooks = {}, ...rest } = before;
    const { hooks, ...others } = after;
    expect(others).toEqual(rest);
    for (const event of new Set([...Object.keys(ownHooks), ...Object.keys(entries)])) {
      expect(hooks[event]).toEqual([...(ownHooks[event] ?? []), ...(entries[event] ?? [])]);
    }
  });

  it('can be undone on any object, with any indentation', () => {
    const settings = fc
      .dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
      .filter((object) => !('hooks' in object));
    const space = fc.constantFrom(undefined, 1, 2, 4, '\t');
    fc.assert(
      fc.property(
        settings,
        space,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\n'),
        (object, indent, eol, end) => {
          const text = (JSON.stringify(object, null, indent) + end).replaceAll('\n', eol);
          const merged = add(text);
          expect(missingEvents(merged, entries, path)).toEqual([]);
          expect(remove(merged)).toBe(text);
        },
      ),
      runs(100),
    );
  });

  it('follows the style of the file: indentation, line endings, one line', () => {
    expect(add(SETTINGS.tabs ?? '')).toContain(
      '\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{\n\t\t\t\t"matcher": "",\n',
    );
    expect(add(SETTINGS.CRLF ?? '').replaceAll('\r\n', '')).not.toContain('\n');
    expect(add(SETTINGS['one line'] ?? '')).not.toMatch(/\s"/);
    expect(add('{}\n')).toBe(hostTemplate('hosts/claude-code.json'));
  });

  it('replaces an outdated entry in place', () => {
    const merged = add(SETTINGS.tabs ?? '');
    const outdated = merged.replace(
      /"command": "[^\n]* Stop 2[^\n]*,\n\t*"timeout": 10/,
      '"command": "sh .memory/hook Stop"',
    );
    expect(outdated).not.toBe(merged);
    expect(missingEvents(outdated, entries, path)).toEqual(['Stop']);
    expect(add(outdated)).toBe(merged);
  });

  it('replaces an outdated entry in a group shared with somebody else’s', () => {
    const mixed =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"sh .memory/hook"}]}]}}';
    const { hooks } = parse(add(mixed));
    expect(hooks.Stop).toEqual([
      { hooks: [{ type: 'command', command: 'a' }, parse(template).hooks.Stop[0].hooks[0]] },
    ]);
    expect(remove(mixed)).toBe('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}');
  });

  it('keeps a timeout that somebody raised, and takes a longer one of a newer version', () => {
    const raised = add('{}').replace('"timeout": 10', '"timeout": 60');
    expect(add(raised)).toBe(raised);
    expect(missingEvents(raised, entries, path)).toEqual([]);
    expect(add(raised.replace('|| true', '|| :'))).toBe(raised);
    expect(add(raised.replace('"timeout": 60', '"timeout": 5'))).toBe(add('{}'));
  });

  it.each([
    'node guard.mjs && sh .memory/hook claude-code Stop',
    'sh .memory/hook claude-code Stop; say done',
    'test -f .memory/hook || echo "no memory here"',
  ])("leaves somebody's own line that mentions ours: %s", (command) => {
    const own = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }, null, 2);
    expect(remove(own)).toBe(own);
    expect(parse(add(own)).hooks.Stop).toHaveLength(2);
    expect(remove(add(own))).toBe(own);
  });

  it('removes entries for events that are no longer wanted, and duplicate ones', () => {
    const [group] = entries.Stop ?? [];
    const old = JSON.stringify(
      { hooks: { PostToolBatch: [group], Stop: [group, group], Other: [{ hooks: [] }] } },
      null,
      2,
    );
    const { hooks } = parse(add(old));
    expect(hooks.PostToolBatch).toBeUndefined();
    expect(hooks.Stop).toEqual([group]);
    expect(hooks.Other).toEqual([{ hooks: [] }]);
  });

  it('keeps a matcher and keys that somebody added to our entries', () => {
    const merged = add('{}');
    const tuned = applyEdits(merged, [
      ...modify(merged, ['hooks', 'PostToolUse', 0, 'matcher'], 'Bash|Edit', {}),
      ...modify(merged, ['hooks', 'PostToolUse', 0, 'hooks', 0, 'statusMessage'], 'remembering', {}),
    ]);
    expect(add(tuned)).toBe(tuned);
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, comma expected'],
    ['{\n  "a": 1,\n', 'line 3, property name expected'],
    ['{"a": 1} x', 'line 1, invalid symbol'],
    ['{"a": 1} {}', 'line 1, end of file expected'],
    ['[1]', 'no JSON object'],
    ['{"hooks": []}', '"hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" is not an array'],
  ])('refuses %j and says why', (text, message) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({ code: 'bad-settings', message: expect.stringContaining(message) }),
    );
  });
});

describe('removeHooks', () => {
  it('leaves an empty object where there were only our entries', () => {
    expect(remove(add('{}\n'))).toBe('{}\n');
  });

  it('changes nothing where none of the entries is ours', () => {
    const text = SETTINGS['hooks of others on the same events'] ?? '';
    expect(remove(text)).toBe(text);
  });

  it('finds the entries again after others edited around them', () => {
    const merged = add(SETTINGS['two spaces'] ?? '').replace(/\n}\n$/, ',\n  "later": true\n}\n');
    expect(remove(merged)).toBe((SETTINGS['two spaces'] ?? '').replace(/\n}\n$/, ',\n  "later": true\n}\n'));
  });
});
