import { type LoadReport, runLoad } from '../support/load-run.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** How much at once; `GIT_MEM_LOAD=SESSIONSxEVENTS` says otherwise. */
const LOAD = { sessions: 32, worktrees: 8, events: 500, perTurn: 25, restMs: 15_000 };

/** What the servers may hold once they rest, in megabytes: MCP's as in its own benchmark, the viewer's with room for V8's garbage. */
const RESIDENT = { mcp: 100, viewer: 250 };

/** How many findings of one kind are spelled out. */
const SHOWN = 10;

/** Many sessions in many worktrees at once, with everybody at work beside them: is everything accounted for, and quiet afterwards? */
export async function load(): Promise<Figure[]> {
  const [sessions = LOAD.sessions, events = LOAD.events] = process.env.GIT_MEM_LOAD?.split('x').map(Number) ?? [];
  return inFolder(async (folder) => {
    const report = await runLoad(folder, { ...LOAD, sessions, events });
    const { accounts, memory, troubles, leftFiles, leftProcesses } = report;
    const none = { atMost: 0 };
    const rows = [
      figure('events fired', report.fired, 0, { atLeast: sessions * events }),
      figure('lost', accounts.lost.length, 0, none),
      figure('doubled', accounts.doubled.length, 0, none),
      figure('waiting or set aside', accounts.waiting.pending + accounts.waiting.failed, 0, none),
      figure('errors shown to anybody, log lines', troubles.length, 0, none),
      figure('files left in the state folder', leftFiles.length, 0, none),
      figure('processes left after a minute', leftProcesses.length, 0, none),
      figure('MCP server at rest, MB', memory.mcp.after, 0, { atMost: RESIDENT.mcp }),
      figure('viewer at rest, MB', memory.viewer.after, 0, { atMost: RESIDENT.viewer }),
      ...informing(report),
    ];
    const title = `Load: ${sessions} sessions in ${LOAD.worktrees} worktrees, ${events} events each, all at once`;
    printTable(title, ['', 'value', 'bound', ''], rows);
    for (const found of [accounts.lost, accounts.doubled, troubles, leftFiles, leftProcesses]) tell(found);
    return figuresIn(rows, { about: `${sessions} sessions in ${LOAD.worktrees} worktrees at once` });
  });
}

function informing({ accounts, memory, hookMs, wallMs, cpuSeconds, cacheMb, bystanders }: LoadReport): string[][] {
  const sorted = [...hookMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return [
    figure('records', accounts.records, 0),
    figure('wall, s', wallMs / 1000, 0),
    figure('processor time without the servers, s', cpuSeconds, 0),
    figure('a hook, median, ms', at(0.5), 0),
    figure('a hook, 99 of 100, ms', at(0.99), 0),
    figure('MCP server before, MB', memory.mcp.before, 0),
    figure('MCP server at most, MB', memory.mcp.peak, 0),
    figure('viewer before, MB', memory.viewer.before, 0),
    figure('viewer at most, MB', memory.viewer.peak, 0),
    figure('cache, MB', cacheMb, 1),
    ...Object.entries(bystanders).map(([name, count]) => figure(`beside them: ${name}`, count, 0)),
  ];
}

function tell(found: string[]): void {
  for (const line of found.slice(0, SHOWN)) console.log(`  ${line}`);
  if (found.length > SHOWN) console.log(`  ... and ${found.length - SHOWN} more`);
}
