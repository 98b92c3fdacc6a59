import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../src/config-schema.ts';
import { newestCandidates } from '../../src/inject/briefing/candidates.ts';
import { sessionBriefing } from '../../src/inject/briefing/session-briefing.ts';
import { allMonths, FOLDERS } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import { openSource } from '../../src/memory/store/source.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { install } from '../support/launcher.ts';
import { createRepository, preparedOnce, type TestRepository } from '../support/repository.ts';
import { itSqlite } from '../support/sqlite.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => knowing());

const KNOWN = Array.from({ length: 70 }, (_, i) =>
  observationOf({
    id: idOf('known', String(i)),
    title: `Known thing number ${i}`,
    // Among those written here: told before the reviewed ones, which leave them no room otherwise.
    ...(i % 20 === 19 && { type: 'decision' }),
    generated: { by: 'test', at: `2026-10-01T00:${String(i % 60).padStart(2, '0')}:${i < 60 ? '00' : '30'}Z` },
  }),
);
/** Of the branch that is looked at. */
const SESSION = summaryOf({
  id: idOf('session'),
  title: 'The known session',
  branch: 'theirs',
  completed: 'All of it.',
});

/** Half of what is known was reviewed, half written here. */
const knowing = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  install(repository.root);
  for (const [i, record] of KNOWN.entries()) if (i % 2 === 0) drop(repository, record);
  drop(repository, SESSION);
  repository.commit('reviewed');
  for (const [i, record] of KNOWN.entries()) if (i % 2 === 1) put(repository, record);
  return repository;
});

/** More records of a stranger than any look takes in, newer than all that is known. */
function flood(repository: TestRepository, count: number, day: string): void {
  for (let i = 0; i < count; i++) {
    const second = `${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
    const generated = { by: 'git-mem', at: `${day}T00:${second}Z` };
    drop(repository, observationOf({ id: idOf('flood', String(i)), title: `Flood ${i}`, generated }));
    // Every fifth has a known record's id, and a summary beside it.
    if (i % 5 !== 0) continue;
    drop(repository, observationOf({ id: KNOWN[i % KNOWN.length]?.id ?? '', title: `Flood ${i} again`, generated }));
    drop(repository, summaryOf({ id: idOf('flooded', String(i)), title: `Flood ${i}`, branch: 'theirs', generated }));
  }
}

/** A workspace that counts which of the team's files are read, and notes which folders are listed. */
function counted(repository: TestRepository): { workspace: Workspace; read: () => number; listed: () => string[] } {
  const workspace = openWorkspace(repository.root, repository.env);
  const { team } = workspace.stores;
  let read = 0;
  const listed: string[] = [];
  const names = (folder: string) => {
    listed.push(folder);
    return team.files.names(folder);
  };
  const bytes = (path: string) => {
    read++;
    return team.files.bytes(path);
  };
  const source = openSource('team', { ...team.files, names, bytes }, workspace.format);
  return {
    workspace: { ...workspace, stores: { ...workspace.stores, team: { ...team, ...source } } },
    read: () => read,
    listed: () => listed,
  };
}

const briefed = (workspace: Workspace) => sessionBriefing(workspace, DEFAULTS, {});

const without = (text: string) =>
  text
    .replace(/\d+(?: or more)? unreviewed records? .*\n/g, '')
    .replaceAll(/\\n?\d+(?: or more)? unreviewed records? .*?\\n/g, '\\n');

/** What every kind of session start injects. */
async function started(repository: TestRepository): Promise<string[]> {
  const texts: string[] = [];
  for (const source of ['startup', 'compact', 'clear', 'resume']) {
    texts.push(await repository.call('context', '--source', source, '--session', 'now'));
  }
  return texts;
}

describe('law: unreviewed records do not eclipse known ones', () => {
  it.each(['9999-01-01', '2026-11-01'])('by 1,100 records of %s', async (day) => {
    const repository = knowing();
    repository.git('switch', '--quiet', '-c', 'theirs');
    const before = await started(repository);
    const hooked = launched(repository, 'claude-code', 'SessionStart', {
      session_id: 'before',
      source: 'startup',
    }).stdout;
    for (const known of ['Known thing number 59', 'Known thing number 58', 'The known session'])
      expect(before[0]).toContain(known);
    flood(repository, 1100, day);
    expect((await started(repository)).map(without)).toEqual(before);
    repository.commit('theirs');
    expect((await started(repository)).map(without)).toEqual(before);
    const after = launched(repository, 'claude-code', 'SessionStart', {
      session_id: 'after',
      source: 'startup',
    }).stdout;
    // What lay there uncommitted was committed with them.
    expect(without(after)).toBe(hooked.replace(/, \d+ not committed/, ''));
  });

  it('by summaries that claim to be digests, files too large to read, or records that cite changed files', async () => {
    const repository = knowing();
    const cited = observationOf({
      id: idOf('cited'),
      title: 'The leeway is 30 seconds',
      files_modified: ['src/auth.ts'],
      generated: { by: 'test', at: '2026-01-01T00:00:00Z' },
    });
    repository.write('src/auth.ts', 'export const leeway = 30;\n');
    drop(repository, cited);
    repository.commit('reviewed');
    repository.git('switch', '--quiet', '-c', 'theirs');
    repository.write('src/auth.ts', 'export const leeway = 60;\n');
    const before = await repository.call('context');
    expect(before).toContain('The known session');
    expect(before).toContain('The leeway is 30 seconds');
    for (let i = 0; i < 70; i++) {
      const at = `2026-11-21T10:${String(i % 60).padStart(2, '0')}:00Z`;
      const generated = { by: 'git-mem', at };
      drop(
        repository,
        summaryOf({ id: idOf('digest', String(i)), type: 'digest', title: `Digest ${i}`, branch: 'theirs', generated }),
      );
      const files_modified = ['src/auth.ts'];
      drop(
        repository,
        observationOf({ id: idOf('citing', String(i)), title: `Citing ${i}`, files_modified, generated }),
      );
      const replacing = { supersedes: [cited.id], title: `Replacing ${i}`, generated };
      drop(repository, observationOf({ id: idOf('replacing', String(i)), ...replacing }));
    }
    for (let i = 0; i < 300; i++) {
      const generated = { by: 'git-mem', at: '2026-11-21T11:00:00Z' };
      const narrative = 'x'.repeat(70_000);
      drop(repository, observationOf({ id: idOf('large', String(i)), title: `Large ${i}`, narrative, generated }));
    }
    repository.commit('theirs');
    expect(without(await repository.call('context'))).toBe(before);
    // Once all files were read for what they cite, the ones too large among them included.
    await repository.call('drain', '--wait');
    expect(without(await repository.call('context'))).toBe(before);
  });

  itSqlite('nor from prompts and reads', async () => {
    const repository = createRepository();
    install(repository.root);
    repository.write('src/auth.ts', 'export const leeway = 30;\n');
    const known = observationOf({
      id: idOf('skew'),
      title: 'Tolerate clock skew between nodes',
      files_modified: ['src/auth.ts'],
      narrative: 'A token of a node whose clock runs ahead gave a 401 right after login. The `leeway` is in seconds.',
    });
    drop(repository, known);
    drop(repository, observationOf({ id: idOf('slug'), title: 'Colliding slugs get the post id' }));
    repository.commit('reviewed');
    const told = async (session: string) => {
      await repository.call('drain', '--wait');
      const common = { session_id: session, cwd: repository.root };
      const prompt = 'users get a 401 right after login again: is the clock skew between nodes handled?';
      const input = { tool_name: 'Read', tool_input: { file_path: `${repository.root}/src/auth.ts` } };
      const asked = await hookCall(repository, 'claude-code', 'UserPromptSubmit', {
        ...common,
        prompt_id: 'p',
        prompt,
      });
      const read = { ...common, session_id: `${session} reads`, tool_use_id: 't', ...input };
      return [asked, await hookCall(repository, 'claude-code', 'PreToolUse', read)];
    };
    const before = await told('before');
    for (const text of before) expect(text).toContain('clock skew');
    repository.git('switch', '--quiet', '-c', 'theirs');
    for (let i = 0; i < 1100; i++) {
      const generated = { by: 'git-mem', at: '2026-11-21T10:00:00Z' };
      drop(
        repository,
        observationOf({ ...known, id: idOf('skewed', String(i)), title: `${known.title} ${i}`, generated }),
      );
    }
    repository.commit('theirs');
    expect(await told('after')).toEqual(before);
  });

  it('nor do they cost more than a bounded number of reads', async ({ repository }) => {
    const none = counted(repository);
    await newestCandidates(none.workspace, { injectUnreviewed: false });
    flood(repository, 1100, '2026-11-01');
    const [one = KNOWN[0]] = KNOWN;
    for (let i = 0; i < 2000; i++) {
      const generated = { by: 'test', at: '2026-11-21T09:00:00Z' };
      const type = (['retire', 'pin', 'undo'] as const)[i % 3] ?? 'retire';
      drop(repository, markOf({ id: idOf('mark', String(i)), type, targets: [one?.id ?? ''], generated }));
    }
    const many = counted(repository);
    const { candidates } = await newestCandidates(many.workspace, { injectUnreviewed: false });
    expect(candidates.length).toBe(61);
    // As many as there are places, twice; as many marks; and new files that may be rules.
    expect(many.read()).toBeLessThan(none.read() + 250);
  });

  it('nor are folders listed whose names are impossible or far-future months', async ({ repository }) => {
    const none = counted(repository);
    await newestCandidates(none.workspace, { injectUnreviewed: false });
    for (const [i, kind] of Object.values(FOLDERS).entries())
      for (let year = 2100; year < 2600; year++)
        mkdirSync(join(repository.root, '.memory', kind, `${year}-${i % 2 === 0 ? '01' : '77'}`), { recursive: true });
    const many = counted(repository);
    const { candidates } = await newestCandidates(many.workspace, { injectUnreviewed: false });
    expect(candidates.length).toBe(61);
    expect(many.listed().length).toBeLessThan(none.listed().length + 10);
    expect(many.workspace.stores.team.folders().length).toBe(none.workspace.stores.team.folders().length);
  });

  it('nor is each of their months looked into, and what is known in an old one counts', async ({ repository }) => {
    const old = { by: 'test', at: '2003-02-01T10:00:00Z' };
    const known = observationOf({ id: idOf('old'), title: 'Known for long', generated: old });
    drop(repository, known);
    repository.commit('reviewed too');
    await repository.call('pin', known.id);
    const none = counted(repository);
    const { text } = await briefed(none.workspace);
    expect(text).toContain('Known for long');
    for (const kind of [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark])
      for (const month of allMonths()) repository.write(`.memory/${kind}/${month}/a-file-that-is-no-record.md`, '');
    const many = counted(repository);
    expect((await briefed(many.workspace)).text).toBe(text);
    expect(many.listed().length).toBeLessThan(none.listed().length + 60);
  });

  it('and a date in the future is ignored, whoever wrote it', async ({ repository }) => {
    const at = '2099-01-01T00:00:00Z';
    put(repository, observationOf({ id: idOf('future'), title: 'From the future', generated: { by: 'test', at } }));
    repository.commit('all reviewed');
    const text = await repository.call('context', '--receipt');
    expect(text).toContain('Known thing number 59');
    expect(text).not.toContain('From the future');
    expect(text).toContain(`out  ${idOf('future')}  dated in the future`);
    expect(await repository.call('search', 'from the future')).toContain('From the future');
  });

  it('unless all dates are in the future: then the clock is wrong', async ({ repository }) => {
    const nowMs = Date.parse('1970-01-01T00:00:00Z');
    const { candidates } = await newestCandidates(openWorkspace(repository.root, repository.env), {
      injectUnreviewed: false,
      nowMs,
    });
    expect(candidates.length).toBe(61);
  });
});
