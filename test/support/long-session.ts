import type { Turn, TurnCall } from '../../src/capture/extract/turn.ts';
import { callOf, turnOf } from './turns.ts';

const MODULES = ['auth', 'session', 'queue', 'mailer', 'billing', 'export', 'search', 'upload', 'config', 'audit'];

/**
 * Twenty turns of one session, as in a developer's day: fixes with a failing and a passing test run, features,
 * questions that only read, and short follow-ups. Deterministic.
 */
export function longSession(): Turn[] {
  return Array.from({ length: 20 }, (_, index) => {
    const name = MODULES[index % MODULES.length] ?? 'auth';
    const shape = [fixing, adding, asking, fixing, followingUp][index % 5] ?? fixing;
    return turnOf({ key: `prompt-${index + 1}`, promptNumber: index + 1, ...shape(name, index) });
  });
}

function fixing(name: string, seed: number): Partial<Turn> {
  return {
    prompt: `${name} fails for some users since the last deployment (TICKET-${seed * 37 + 100}). There is a failing test on this branch. Find the cause and fix it, please.`,
    calls: [
      read(`test/${name}.test.js`, 1_400),
      command('git log --oneline -8 && git status --short', 'Show recent history', log(seed)),
      { ...command('npm test', 'Run unit tests', `${testRun(name, 1)}\n${stack(name)}`), ok: false, exitCode: 1 },
      read(`src/${name}.js`, 2_600),
      read('src/clock.js', 120),
      command(`grep -rn "${name}" src`, 'Find other callers', source(name, 6)),
      edit(`src/${name}.js`, source(name, 5), source(`${name}Checked`, 7)),
      edit(`test/${name}.test.js`, source(name, 1), source(`${name}Test`, 4)),
      command('npm test', 'Run unit tests again', testRun(name, 0)),
    ],
    reply: `Fixed. ${conclusion(name)} ${conclusion(`${name} tests`)} All tests pass now. Tell me if you want the limit to be configurable.`,
  };
}

function adding(name: string, seed: number): Partial<Turn> {
  return {
    prompt: `Good. Now add a limit of ${seed + 10} requests a minute to ${name}, with a header that says what is left. Keep the old behaviour behind a flag, operations wants to switch it on late.`,
    calls: [
      read(`src/${name}.js`, 1_900),
      read('src/config.js', 700),
      { ...edit(`src/${name}-limit.js`, '', source(`${name}Limit`, 18)), tool: 'Write', action: 'write' },
      edit('src/config.js', source('config', 1), source('config', 3)),
      edit(`src/${name}.js`, source(name, 2), source(name, 5)),
      { ...edit(`test/${name}-limit.test.js`, '', source(`${name}Test`, 12)), tool: 'Write', action: 'write' },
      command('npm test', 'Run unit tests', testRun(name, 0)),
    ],
    reply: `Added. ${conclusion(name)} I kept a fixed window and rejected a token bucket, because the counters live in one process and the window is easier to explain to support.`,
  };
}

function asking(name: string): Partial<Turn> {
  return {
    prompt: `Why does ${name} run twice at midnight? Do not change anything yet.`,
    calls: [
      command(`grep -rn "schedule" src`, 'Find schedules', source('schedule', 8)),
      read(`src/${name}.js`, 2_200),
      read('src/scheduler.js', 3_100),
      read('deploy/crontab', 260),
      command(`git log -5 --stat -- src/scheduler.js`, 'History of the scheduler', log(3)),
    ],
    reply: `It runs twice because both nodes start the schedule. ${conclusion(name)} ${conclusion('the scheduler')} Nothing was changed. An advisory lock would mend it; a leader election would be more than is needed.`,
  };
}

function followingUp(name: string): Partial<Turn> {
  return {
    prompt: 'ok commit that, and add a line to the changelog',
    calls: [
      read('CHANGELOG.md', 1_100),
      edit('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n- ${conclusion(name)}\n`),
      command(`git add -A && git commit -m "fix: ${name} checks its limits"`, 'Commit', log(1)),
      command('git show --stat HEAD', 'Show what was committed', log(2)),
    ],
    reply: `Committed with a changelog line. ${conclusion(name)}`,
  };
}

function read(path: string, size: number): TurnCall {
  return callOf({ tool: 'Read', action: 'read', paths: [path], output: source(path, size / 70).slice(0, size) });
}

function edit(path: string, removed: string, added: string): TurnCall {
  return callOf({ tool: 'Edit', action: 'edit', paths: [path], change: { removed, added } });
}

function command(text: string, description: string, output: string): TurnCall {
  return callOf({ tool: 'Bash', action: 'command', command: text, description, output });
}

function source(name: string, lines: number): string {
  return Array.from(
    { length: Math.ceil(lines) },
    (_, n) => `  if (${name.replace(/\W/g, '_')}.limit${n} <= now) throw new LimitError('limit-${n}');`,
  ).join('\n');
}

function testRun(name: string, failures: number): string {
  const tests = Array.from({ length: 9 }, (_, n) =>
    [
      `# Subtest: ${name} case ${n}`,
      `${n < failures ? 'not ok' : 'ok'} ${n + 1} - ${name} case ${n}`,
      `  duration_ms: ${n}.7`,
    ].join('\n'),
  );
  return `TAP version 13\n${tests.join('\n')}\n1..9\n# pass ${9 - failures}\n# fail ${failures}`;
}

function stack(name: string): string {
  return Array.from({ length: 8 }, (_, n) => `    at ${name}.step${n} (file:///repo/src/${name}.js:${n + 10}:7)`).join(
    '\n',
  );
}

function log(seed: number): string {
  return Array.from(
    { length: 8 },
    (_, n) => `${(seed * 7919 + n * 104_729).toString(16).padStart(7, '0')} Change number ${n} of the module`,
  ).join('\n');
}

function conclusion(name: string): string {
  return `The cause in ${name} was a comparison with the local clock: the nodes differ by up to twenty seconds, so a fresh entry counted as expired on the slower one. The check now allows thirty seconds in both directions.`;
}
