import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { countEvents } from '../../../src/capture/spool/spool.ts';
import { decodeTurns } from '../../../src/memory/session-digest.ts';
import {
  digestsOf,
  drained,
  everything,
  it,
  modelled,
  observations,
  observationsIn,
  promptsOf,
  recordContents,
  recordFiles,
  state,
  summaries,
} from '../../support/drained.ts';
import { type HookedSession, hookedSession } from '../../support/hooked-session.ts';

/** A sub-agent that goes on in the background; its calls carry the turn that started it. */
const AGENT = { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' };
const REPORT = 'The table in `src/late.ts` lists every limit of the importer.';

function writesLate(session: HookedSession, root: string): void {
  const tool_input = { file_path: join(root, 'src/late.ts'), content: 'x\n' };
  session.report('PostToolUse', { ...AGENT, tool_name: 'Write', tool_use_id: 'late-1', tool_input, tool_response: {} });
}

describe('law: an event is never doubled', () => {
  it('when the same events are reported again', async ({ repository, session }) => {
    session.work('p1', 40);
    session.work('p2', 50);
    session.end();
    await drained(repository);
    expect(observations(repository)).toHaveLength(2);
    expect(promptsOf(repository)).toHaveLength(2);
    expect(decodeTurns(digestsOf(repository)[0]?.request ?? '')).toHaveLength(2);
    const before = recordContents(repository);
    session.again();
    expect(await drained(repository, { all: true })).toMatchObject({ events: 11, written: [], pending: 0 });
    expect(recordContents(repository)).toEqual(before);
  });

  it('when the drain of a turn was killed after writing its records, before it could note that', async () => {
    const repository = await modelled();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drained(repository);
    const before = recordContents(repository);
    expect(observations(repository)).toHaveLength(1);
    rmSync(join(state(repository), 'sessions'), { recursive: true });
    session.again();
    await drained(repository);
    expect(recordContents(repository)).toEqual(before);
  });

  it('when a background sub-agent goes on after its turn was drained', async ({ repository, session }) => {
    session.work('p1', 40);
    await drained(repository);
    writesLate(session, repository.root);
    await drained(repository);
    session.report('SubagentStop', { ...AGENT, last_assistant_message: REPORT });
    await drained(repository);
    // A machine's prompt reports its end.
    session.turn('p2', `<task-notification><result>${REPORT}</result></task-notification>`, REPORT);
    session.end();
    expect(await drained(repository)).toMatchObject({ pending: 0 });
    // What came later is told once, for itself.
    const files = observations(repository).map(({ files_modified }) => files_modified);
    expect(files.sort()).toEqual([['src/late.ts'], ['src/limit.ts']]);
    expect(promptsOf(repository)).toHaveLength(1);
    expect(digestsOf(repository)[0]?.request).toContain('src/late.ts');
  });

  it.each([
    ['after each event', true],
    ['once, after all of it', false],
  ])(
    'of what a background sub-agent found, where the session ends before the agent comments on it: drained %s',
    async (_, often) => {
      const repository = await modelled();
      const session = hookedSession(repository.root);
      const step = async () => void (often && (await drained(repository)));
      session.work('p1', 40);
      await step();
      writesLate(session, repository.root);
      await step();
      session.report('SubagentStop', { ...AGENT, last_assistant_message: REPORT });
      await step();
      session.end();
      expect(await drained(repository)).toMatchObject({ pending: 0 });
      expect(digestsOf(repository)[0]?.request).toContain(REPORT);
      expect(promptsOf(repository)).toHaveLength(1);
    },
  );

  it('of what a background sub-agent found before its turn was drained: its report waits for the agent’s comment', async () => {
    const repository = await modelled();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.report('SubagentStop', { ...AGENT, last_assistant_message: REPORT });
    expect(await drained(repository)).toMatchObject({ pending: 1 });
    const notice = `<task-notification><result>${REPORT}</result></task-notification>`;
    session.turn('p2', notice, 'The sub-agent is done: the table is complete.');
    session.end();
    expect(await drained(repository)).toMatchObject({ pending: 0 });
    expect(decodeTurns(digestsOf(repository)[0]?.request ?? '')).toHaveLength(2);
    expect(digestsOf(repository)[0]?.request).toContain('the table is complete');
  });

  it('while another drain is running', async ({ repository }) => {
    hookedSession(repository.root).work('p1', 40);
    const { pid } = process;
    const lock = join(state(repository), 'lock');
    // As `lock.ts` writes it, of a process that lives but is not of this machine: nobody may take it over at once.
    writeFileSync(lock, `${pid} - elsewhere/x/0 0`);
    expect(await drained(repository)).toBeUndefined();
    expect(JSON.parse(repository.gitMem('drain', '--json'))).toMatchObject({ events: 0, pending: 5, busy: true });
    rmSync(lock);
    expect(await drained(repository)).toMatchObject({ events: 5, pending: 0 });
  });
});

describe('law: an event is never lost', () => {
  it.each(['observations', 'summaries'])('when none of its %s can be written', async (folder) => {
    const repository = await modelled();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    const inTheWay = join(repository.root, '.memory', folder);
    writeFileSync(inTheWay, '');
    await expect(drained(repository)).rejects.toThrow(/is not a folder/);
    // The turn is kept; the end of its session waits to be acted on again.
    expect(countEvents(state(repository)).pending).toBe(1);
    rmSync(inTheWay);
    expect(await drained(repository)).toMatchObject({ events: 1, pending: 0 });
    expect([observations(repository).length, summaries(repository).length]).toEqual([1, 1]);
  });
});

describe('law: nothing private reaches a file outside the spool', () => {
  it('whether tagged or a secret, wherever it occurs in the session', async () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const key = ['sk', 'ant', 'api03', 'Xy9'.repeat(28)].join('-');
    const password = ['correct', 'horse', 'battery', '9x'].join('-');
    const repository = await modelled();
    repository.git('checkout', '-q', '-b', `fix/${token}`);
    const session = hookedSession(repository.root);
    const { root } = repository;
    session.report('SessionStart', { source: 'startup' });
    session.prompt('p1', `the deploy fails, fix it <private>our customer is Initech</private> the token is ${token}`);
    session.failure('p1', 't1', `curl -H "Authorization: Bearer ${token}" https://example.com`, `401 for ${token}`);
    session.call('p1', 't2', 'Write', { file_path: join(root, '.env'), content: `DB_PASSWORD=${password}\n` }, {});
    session.call('p1', 't3', 'Read', { file_path: join(root, `keys/${token}.txt`) }, { file: { content: key } });
    session.edit('p1', 't4', 'src/limit.ts', { old_string: 'a', new_string: key });
    session.report('SubagentStop', {
      prompt_id: 'p1',
      agent_id: 'a',
      agent_type: 'x',
      last_assistant_message: `Tried ${password} and ${key}.`,
    });
    session.failure('p1', 't5', 'npm test', `not ok 1 - ${token}`);
    session.command('p1', 't6', 'npm test', 'ok 1');
    session.stop(
      'p1',
      `Fixed: the deploy failed because the token ${token} had expired; \`DB_PASSWORD\` is ${password} now. <private>Initech</private>`,
    );
    session.report('PostCompact', { prompt_id: 'p1', compact_summary: `The token is ${token}.` });
    session.end();
    await drained(repository, { all: true });
    expect(observationsIn(join(root, '.git/git-mem/private')).length).toBeGreaterThan(0);
    const written = everything(repository);
    for (const secret of [token, key, password, 'Initech']) expect(written).not.toContain(secret);
    expect(written).toContain('[redacted:');
  });

  it('when a private block is longer than the scanned text', async ({ repository, session }) => {
    const secret = 'our customer is Initech. ';
    session.prompt(
      'p1',
      `the importer drops row 7 ${'x '.repeat(60_000)}<private>${secret.repeat(12_000)}</private> fix it`,
    );
    session.edit('p1', 't1', 'src/limit.ts');
    session.stop('p1', 'Fixed: the importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
    await drained(repository);
    expect(recordFiles(repository).some((path) => path.includes('prompts/'))).toBe(true);
    expect(everything(repository)).not.toContain('Initech');
  });
});
