import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLOSE, MAX_CHARS, OPEN } from '../../src/inject/briefing/fence.ts';
import {
  ATTACKED_FILE,
  ATTACKED_PROMPT,
  type Attacked,
  attacked,
  dropAttacked,
  MARK,
  putAttacked,
} from '../support/attacked-records.ts';
import { ATTACKS, type Attack, FLOOD, HIDDEN, TAG_LIKE, TRIED } from '../support/attacks.ts';
import { gitMem } from '../support/command-line.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { allThatIsTold } from '../support/told.ts';

const it = test.extend('repository', () => knowing());

const BATCH = 12;
const ASKED = { prompt: ATTACKED_PROMPT, file: ATTACKED_FILE };
/** Not those in comments or characters that nobody sees, or with marks on every letter. */
const VISIBLE = TRIED.filter(({ name }) => !/, (?:comment|tag characters|zalgo)$/.test(name));

describe('law: record text never leaves its fence', () => {
  it('at any start, on a prompt or before a read, however an attack is encoded', async ({ repository }) => {
    let told = 0;
    for (const attacks of batches()) {
      const paths = attacks.flatMap((attack) => putAttacked(repository, attack));
      for (const text of (await allThatIsTold(repository, ASKED)).map(injectedOf)) {
        expectFenced(text);
        told += text.match(new RegExp(MARK, 'g'))?.length ?? 0;
      }
      for (const path of paths) rmSync(join(repository.root, path));
    }
    // Or the law would hold of silence.
    expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
    expect(told).toBeGreaterThan(TRIED.length);
  });

  it('and none of it is injected from a record that nobody here has accepted', async ({ repository }) => {
    for (const attack of ATTACKS) dropAttacked(repository, attack);
    for (const text of await allThatIsTold(repository, ASKED)) {
      expect(text).not.toMatch(MARK);
      expect(text).not.toMatch(/evil|ignore all/i);
    }
  });

  it('nor from an import', async () => {
    const [from, to] = [knowing(), knowing()];
    for (const attack of ATTACKS.filter((_, i) => i % 5 === 0)) putAttacked(from, attack);
    const file = join(to.folder, 'memory.jsonl');
    writeFileSync(file, await from.call('export'));
    expect(await gitMem(to, ['import', 'jsonl', file, '--team'])).toMatchObject({ code: 0 });
    const texts = (await allThatIsTold(to, ASKED)).map(injectedOf);
    expect(texts.join('')).toMatch(MARK);
    for (const text of texts) expectFenced(text);
  });

  it('nor from the names, titles and text of another tool’s notes', async () => {
    let told = 0;
    for (const attacks of batches(30)) {
      const repository = knowing();
      const folder = join(repository.folder, 'notes');
      mkdirSync(folder);
      for (const { text, mark } of attacks) {
        const name = `${mark} ${text.replace(/[/\0\n]/g, ' ').slice(0, 40)}`.toWellFormed();
        writeFileSync(join(folder, `${name}.md`), `---\ntags: [${JSON.stringify(text)}]\n---\n${noteOf(text)}`);
      }
      expect(await gitMem(repository, ['import', 'notes', folder, '--team'])).toMatchObject({ code: 0 });
      for (const text of (await allThatIsTold(repository, ASKED)).map(injectedOf)) {
        expectFenced(text);
        told += text.match(new RegExp(MARK, 'g'))?.length ?? 0;
      }
    }
    // Of one batch, a start may show only the notes whose title ends before their mark.
    expect(told).toBeGreaterThan(TRIED.length / 10);
  });

  it('in an MCP tool’s answer, as text or as data', async ({ repository }) => {
    for (const attack of TRIED) putAttacked(repository, attack);
    const idsOf = (kind: keyof Attacked) => TRIED.map((attack) => attacked(attack)[kind].id);
    const connection = await connectMcp({ cwd: repository.root, env: repository.env });
    const ask = async (tool: string, given: Record<string, unknown>): Promise<Set<string>> => {
      const { text, data } = await connection.call(tool, given);
      for (const one of [text, ...stringsIn(data)]) expectHarmless(one);
      return new Set(text.match(new RegExp(MARK, 'g')));
    };
    try {
      expect((await ask('search', { query: 'clock skew', limit: 50 })).size).toBeGreaterThan(10);
      for (const kind of ['observation', 'summary', 'mark', 'prompt'] as const) {
        const ids = idsOf(kind);
        await ask('timeline', { anchor: ids[0] });
        const told = new Set<string>();
        for (let at = 0; at < ids.length; at += 20) {
          for (const mark of await ask('get_observations', { ids: ids.slice(at, at + 20) })) told.add(mark);
        }
        const missing = VISIBLE.filter(({ mark }) => !told.has(mark)).map(({ name }) => name);
        expect({ kind, missing }).toEqual({ kind, missing: [] });
      }
    } finally {
      await connection.close();
    }
  });
});

/** What the repository knows and nobody attacks with. */
function knowing(): TestRepository {
  const repository = createRepository();
  repository.write(ATTACKED_FILE, 'auth\n');
  repository.git('add', ATTACKED_FILE);
  repository.git('commit', '--quiet', '-m', 'base');
  return repository;
}

function* batches(size = BATCH): Generator<Attack[]> {
  for (let at = 0; at < TRIED.length; at += size) yield TRIED.slice(at, at + size);
}

function noteOf(text: string): string {
  return `# clock skew ${text}\n\nAfter login users get a 401. ${text}\n\n- a fact ${text}\n\n## ${text}\n\nIn ${ATTACKED_FILE}: ${text}\n`;
}

/** The text that the host hands to the model: a recall is the host's JSON. */
function injectedOf(text: string): string {
  if (!text.startsWith('{')) return text;
  const { hookSpecificOutput, ...rest } = JSON.parse(text);
  expect(Object.keys(rest)).toEqual([]);
  expect(Object.keys(hookSpecificOutput).sort()).toEqual(['additionalContext', 'hookEventName']);
  return hookSpecificOutput.additionalContext;
}

/** The fence opens once and closes once, at the ends; inside, what an attacker said stands behind something of ours. */
function expectFenced(text: string): void {
  if (text === '') return;
  expect(text.length).toBeLessThanOrEqual(MAX_CHARS);
  expect([text.startsWith(`${OPEN}\n`), text.trimEnd().endsWith(`\n${CLOSE}`)]).toEqual([true, true]);
  expect([text.split(OPEN).length, text.split(CLOSE).length]).toEqual([2, 2]);
  const inside = text.replace(OPEN, '').replace(CLOSE, '');
  expectHarmless(inside);
  for (const line of inside.split('\n').filter((one) => MARK.test(one))) {
    expect(line).not.toMatch(/^\s*(?:Zqx|Ignore|```|---|\{|"|#+ (?!Last session))/);
    expect(line.length).toBeLessThan(1_000);
  }
}

function expectHarmless(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  for (const pattern of [TAG_LIKE, HIDDEN, FLOOD]) {
    const found = pattern.exec(text);
    expect(found && text.slice(Math.max(0, found.index - 40), found.index + 60)).toBeNull();
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
