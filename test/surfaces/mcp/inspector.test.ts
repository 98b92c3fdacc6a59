import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { findProgram } from '../../../src/setup/program.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';

const { PATH } = process.env;
const INSPECTOR = findProgram('mcp-inspector-cli', { PATH }) ?? findProgram('mcp-inspector', { PATH });
const REASON = 'The MCP inspector is not on PATH: npm install --global @modelcontextprotocol/inspector-cli@0.16.8';
if (INSPECTOR === undefined) console.log(`Left out: ${REASON}`);

it.skipIf(INSPECTOR === undefined)('is understood by the MCP inspector', async () => {
  const { root, env, call: gitMem } = createRepository();
  await gitMem('init', '--yes');
  const inspect = (...args: string[]) => {
    const command = [INSPECTOR ?? '', '--cli', process.execPath, PROGRAM, 'mcp', ...args];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  const call = (tool: string, ...args: string[]) =>
    inspect('--method', 'tools/call', '--tool-name', tool, ...args.flatMap((arg) => ['--tool-arg', arg]));
  expect(inspect('--method', 'tools/list').tools).toHaveLength(6);
  const { id } = call('save_observation', 'title=The inspector can save', 'concepts=["inspector"]').structuredContent;
  expect(call('search', 'query=inspector').structuredContent.hits).toMatchObject([{ id }]);
  expect(call('timeline', `anchor=${id}`).structuredContent).toMatchObject({ anchor: id, items: [{ id }] });
  expect(call('get_observations', `ids=["${id}"]`).structuredContent.records).toMatchObject([
    { concepts: ['inspector'] },
  ]);
  expect(call('mark', 'type=pin', `ids=["${id}"]`).content[0].text).toContain(`pinned: ${id}`);
  expect(call('timeline')).toMatchObject({ isError: true });
});
