import { describe, expect, it } from 'vitest';
import { runLoad } from '../support/load-run.ts';
import type { LoadEvent } from '../support/load-session.ts';
import { scratchFolder } from '../support/scratch.ts';
import { FULL } from '../support/trials.ts';

// By default each session has one turn and the beginning of another; in a full run three and more.
const LOAD = { sessions: 6, worktrees: 3, events: FULL ? 40 : 16, perTurn: 12, restMs: 0 };

/** What servers may hold after so little work, in megabytes. */
const RESIDENT = 90;

/** The second edit of the first turn. */
const DROPPED = 'load-s0-s0t0-4';

describe('law: concurrent sessions lose nothing, double nothing and never block each other', () => {
  it('accounts for every event of six sessions while others search, list, commit, switch branches and clean up', async () => {
    const { fired, accounts, troubles, memory, leftFiles, leftProcesses, bystanders } = await runLoad(
      scratchFolder(),
      LOAD,
    );
    expect(fired).toBe(LOAD.sessions * LOAD.events);
    expect(accounts).toMatchObject({ lost: [], doubled: [], waiting: { pending: 0, failed: 0 } });
    expect(troubles).toEqual([]);
    expect(leftFiles).toEqual([]);
    expect(leftProcesses).toEqual([]);
    expect(memory.mcp.after).toBeLessThan(RESIDENT);
    expect(memory.viewer.after).toBeLessThan(RESIDENT);
    // All of them were there.
    expect(Object.keys(bystanders).sort()).toEqual([
      'MCP calls',
      'changes told to the page',
      'clean-ups',
      'commands',
      'commits',
      'pages asked for',
    ]);
  });

  it('detects an event that never arrived', async () => {
    const isDropped = ({ event, payload }: LoadEvent) => event === 'PostToolUse' && payload.tool_use_id === DROPPED;
    const small = { ...LOAD, sessions: 1, worktrees: 2, events: 14 };
    const { accounts } = await runLoad(scratchFolder(), { ...small, drops: isDropped });
    expect(accounts).toMatchObject({ lost: [`load-s0: tool ${DROPPED}`, 's0t0: src/s0t0/edited4.ts'], doubled: [] });
  });
});
