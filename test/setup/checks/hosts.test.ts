import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastEvents } from '../../../src/setup/checks/last-events.ts';
import { bundle } from '../../support/bundle.ts';
import { scratchFolder } from '../../support/scratch.ts';

const comeAndGo = await bundle(`
  import { accept, acknowledge, pending } from './src/capture/spool/spool.ts';
  const [state] = process.argv.slice(2);
  const head = { host: 'claude-code', event: 'Stop', root: '/repo' };
  for (let i = 0; i < 300; i++) {
    accept(state, head, Buffer.from('{}'));
    for (const { name } of pending(state)) acknowledge(state, name);
  }
`);

it('looks for the last events while drains take them away', async () => {
  const state = join(scratchFolder(), 'state');
  const children = [1, 2].map(() => spawn(process.execPath, [comeAndGo, state], { stdio: 'inherit' }));
  const ended = Promise.all(children.map((child) => once(child, 'exit')));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  let seen = 0;
  while (!isOver) {
    seen += Number(lastEvents({ state, otherStates: [] }).has('claude-code'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await ended).map(([code]) => code)).toEqual([0, 0]);
  expect(seen).toBeGreaterThan(0);
});
