import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import type { MarkType, Observation } from '../../src/memory/record.ts';
import { encodeTurns } from '../../src/memory/session-digest.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import type { RecordPage } from '../../src/surfaces/viewer/record-protocol.ts';
import { siteData } from '../../src/surfaces/viewer/site-data.ts';
import { hookCall } from '../support/hook-call.ts';
import { connectMcpHere } from '../support/mcp-client.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import { startViewer } from '../support/viewer-client.ts';
import { observationOf, put, summaryOf } from '../support/written-records.ts';

const HIDDEN = observationOf({
  id: idOf('hidden'),
  session: 'auth',
  title: 'Tokens are kept in the local storage of the browser',
  narrative: 'The cookie was too small for them.',
  facts: ['Project Bluebird ships on the ninth of March.'],
});
const LIVE = {
  ...HIDDEN,
  id: idOf('live'),
  title: 'Tokens are kept in a cookie of the server',
  facts: [],
  narrative: '',
};
const TOLD = [
  HIDDEN.title,
  'The cookie was too small',
  'Project Bluebird',
  'ninth of March',
  'tokens-are-kept-in-the-local',
];
const LEFT = 'The rotation of keys is still open';

/** Says what the hidden record says: as its title, wrapped, after a colon, and with more behind it. */
const SUMMARY = summaryOf({
  id: idOf('summary'),
  session: 'auth',
  branch: 'main',
  title: HIDDEN.title,
  learned: 'Project Bluebird ships\non the ninth of March.',
  completed: `Decided: tokens are kept in the local storage of the browser. ${LEFT}.`,
  next_steps: 'The cookie was too small for them, and that is measured.',
});
const DIGEST = summaryOf({
  ...SUMMARY,
  id: idOf('digest'),
  type: 'digest',
  session: 'other',
  learned: '',
  request: encodeTurns([
    {
      number: 1,
      prompt: 'keep tokens',
      answer: `${HIDDEN.facts[0]} ${LEFT}.`,
      files: [],
      checks: [],
      commits: [],
      saved: [HIDDEN.id],
    },
  ]),
  generated: { by: 'test', at: '2026-11-20T21:30:11Z' },
});

describe('law: a summary does not say what a hidden record said', () => {
  it.each<[MarkType, Observation[]]>([
    ['retire', [HIDDEN]],
    ['redact', [HIDDEN]],
    ['supersede', [HIDDEN, LIVE]],
  ])(
    'once it is hidden by %s, in any surface',
    async (type, records) => {
      const repository = await preparedRepository(`summaries ${type}`, async (made) => {
        for (const record of [...records, SUMMARY]) put(made, record);
        put(made, DIGEST, 'private');
        made.commit('reviewed');
        expect(await made.call('search', 'tokens local storage')).toContain(HIDDEN.title);
        expect(await made.call('context')).toContain(HIDDEN.title);
        await made.call(type, HIDDEN.id, ...(type === 'supersede' ? ['--by', LIVE.id] : []));
      });
      const { call, root } = repository;
      const { data } = await siteData(openWorkspace(root, repository.env));
      const mcp = await connectMcpHere({ cwd: root, env: repository.env });
      const tool = async (name: string, args: Record<string, unknown>) => JSON.stringify(await mcp.call(name, args));
      const viewer = await startViewer(repository);
      const { card, raw, markdown, path } = await viewer.ask<RecordPage>(`record/${SUMMARY.id}`);
      const surfaces: Record<string, string> = {
        context: await call('context'),
        start: await hookCall(repository, 'claude-code', 'SessionStart', {
          session_id: 's',
          cwd: root,
          source: 'startup',
        }),
        list: await call('list', '--json'),
        'list of summaries': await call('list', '--kind', 'summary'),
        search: await call('search', 'tokens local storage of the browser'),
        'search as JSON': await call('search', 'Bluebird ninth March', '--json'),
        show: await call('show', SUMMARY.id, DIGEST.id),
        timeline: await call('timeline', SUMMARY.id, '--json'),
        export: (await call('export'))
          .split('\n')
          .filter((line) => !line.includes(`"${HIDDEN.id}"`) || line.includes(SUMMARY.id))
          .join('\n'),
        sessions: await call('sessions', '--json'),
        // What repeats a redacted record is redacted with it.
        session: type === 'redact' ? LEFT : await call('sessions', 'show', 'other', '--json'),
        site: JSON.stringify(data.records.find((one) => one.card.id === SUMMARY.id)),
        'MCP search': await tool('search', { query: 'tokens local storage of the browser' }),
        'MCP records': await tool('get_observations', { ids: [SUMMARY.id] }),
        viewer: JSON.stringify([card, raw, markdown, path, await viewer.ask('sessions')]),
      };
      for (const [surface, text] of Object.entries(surfaces))
        for (const told of TOLD) expect(text, `${surface} tells "${told}"`).not.toContain(told);
      const found = JSON.parse(await call('search', 'tokens local storage of the browser', '--json')).hits;
      expect(found.map(({ id }: { id: string }) => id)).not.toContain(SUMMARY.id);
      if (type !== 'redact')
        for (const surface of ['context', 'show', 'session']) expect(surfaces[surface]).toContain(LEFT);
    },
    120_000,
  );
});
