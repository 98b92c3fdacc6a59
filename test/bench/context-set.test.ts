import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { calibrationError } from './confidence.ts';
import { bearsOn, movedTo, readContextSet } from './context-set.ts';
import { narrowing, narrowingByWord, wordsToGrep } from './other-finders.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A checkout of the set with one task and one session, which ends in a line that is cut off. */
function checkout(edited: string, issue: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-set-'));
  folders.push(folder);
  const write = (part: string, name: string, text: string) => {
    mkdirSync(join(folder, 'cases', part), { recursive: true });
    writeFileSync(join(folder, 'cases', part, name), text);
  };
  const patch = '--- a/src/parser.py\n+++ b/src/parser.py\n@@ -1 +1 @@\n-a\n+b\n';
  const task = JSON.stringify({ instance_id: 'org__tool-20', problem_statement: 'It loops', patch });
  for (const part of ['SWEContextBench Full', 'SWEContextBench Lite']) write(part, 'org__tool-20.json', task);
  const asked = { type: 'user', sessionId: 's1', message: { content: `Fix it:\n  instance_id: ${issue}\n` } };
  const call = { type: 'tool_use', name: 'Edit', input: { file_path: edited } };
  const edit = { type: 'assistant', sessionId: 's1', message: { content: [call] } };
  write(
    'SWEContextBench Lite Past Experience',
    's1.jsonl',
    `${JSON.stringify(asked)}\n${JSON.stringify(edit)}\n{"type":`,
  );
  return folder;
}

describe('a checkout of SWE-ContextBench', () => {
  it('has sessions that bear on a task where they edited a file of its patch, in another issue', () => {
    const bears = (edited: string, issue: string) => {
      const {
        sessions: [session],
        tasks: [task],
      } = readContextSet(checkout(edited, issue)) ?? { sessions: [], tasks: [] };
      return session && task && bearsOn(session, task);
    };
    expect(bears('./swebench_9_15/testbed/src/parser.py', 'org__tool-10')).toBe(true);
    expect(bears('~/desktop/swebench_9_15/testbed/src/parser.py', 'org__tool-10')).toBe(true);
    expect(bears('./swebench_9_15/testbed/tests/src/parser.py', 'org__tool-10')).toBe(false);
    expect(bears('./swebench_9_15/testbed/src/parser.py', 'org__tool-20')).toBe(false);
    expect(bears('./swebench_9_15/testbed/src/parser.py', 'org__other-10')).toBe(false);
  });

  it('gives logs as if they were of another folder, and nothing where it is not one', () => {
    const [session] = readContextSet(checkout('./swebench_9_15/testbed/a.py', 'org__tool-10'))?.sessions ?? [];
    expect(session && movedTo('/home/me/tool', session)).toContain('"file_path":"/home/me/tool/a.py"');
    expect(readContextSet(tmpdir())).toBeUndefined();
  });
});

describe('looking with a tool that does not rank', () => {
  it('takes the longest words of the first line, and fewer of them until enough is found', () => {
    const words = wordsToGrep('Why does the parser loop without end of input?\nTraceback with parse_everything');
    expect(words).toEqual(['without', 'parser', 'input', 'loop']);
    const asked: string[][] = [];
    narrowing(words, (some) => {
      asked.push(some);
      return some.length === 4 ? ['a'] : Array.from({ length: 10 }, (_, i) => `b${i}`);
    });
    expect(asked).toEqual([words, words.slice(0, 3)]);
  });

  it('finds what has all words before what has some', () => {
    const lists: Record<string, string[]> = { parser: ['new', 'old'], loop: ['old', 'older'] };
    expect(narrowingByWord(['parser', 'loop'], (word) => lists[word] ?? [])).toEqual(['old', 'new']);
  });
});

describe('confidence', () => {
  it('is off by as much as it differs from the share that is right', () => {
    const hit = (confidence: number, isRight: boolean) => ({ question: 'q', confidence, isRight, isFirst: true });
    expect(calibrationError([hit(0.85, true), hit(0.85, true), hit(0.85, true), hit(0.85, false)])).toBeCloseTo(0.1);
    expect(calibrationError([hit(0.05, false), hit(1, false), hit(0.15, true)])).toBeCloseTo(1.9 / 3);
  });
});
