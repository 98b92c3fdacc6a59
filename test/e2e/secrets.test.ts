import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openProject } from '../../src/project.ts';
import { oneMemory } from '../../src/surfaces/viewer/served.ts';
import { startViewer } from '../../src/surfaces/viewer/server.ts';
import { isRight, placedSamples, type Sample } from '../privacy/samples.ts';
import { createDice } from '../privacy/secret-corpus.ts';
import { runAlongside } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { filesBelow } from '../support/files-below.ts';
import { hookCall } from '../support/hook-call.ts';
import { startLoopback } from '../support/loopback.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { openAiLike } from '../support/model-protocols.ts';
import { snapshot } from '../support/replayed-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL } from '../support/trials.ts';

const SESSION = '65939976-74e7-49bb-921b-c8315e7665e8';
const PER_TURN = 8;
const SAMPLES = sampled(FULL ? 200 : 96);
/** What must not be left, as it is and as JSON writes it. */
const NEEDLES = new Set(
  SAMPLES.flatMap(({ needles }) => needles.flatMap((needle) => [needle, JSON.stringify(needle).slice(1, -1)])),
);
const PROTOCOL = openAiLike('ollama');

describe('law: no secret of a session is stored or shown', () => {
  it('in its digest, and in what its agent saves', async () => {
    const repository = await worked({});
    await drained(repository);
    await saved(repository);
    // What the session was about is there, or silence would pass.
    const digest = textsOf(repository, '.git/git-mem/private/summaries').join('');
    for (const words of ['importer drops row', '[redacted:']) expect(digest).toContain(words);
    expect(textsOf(repository, '.memory/observations').join('')).toContain('[redacted:');
    expect(textsOf(repository, '.git/git-mem/private/prompts').length).toBeGreaterThanOrEqual(
      SAMPLES.length / PER_TURN,
    );
    await expectNothing(repository);
  });

  it('with a provider that never receives one and whose answers contain some', async () => {
    const told = SAMPLES.map(({ text }) => text);
    let asked = 0;
    const server = await startLoopback((response, call) => {
      const facts = told.slice(asked % told.length, (asked % told.length) + 2);
      asked += 1;
      const observation = { type: 'bugfix', title: 'The import is whole', narrative: facts[0] ?? '', facts };
      const summary = { request: 'x', investigated: [], learned: facts, completed: [], next_steps: [], notes: [] };
      PROTOCOL.said({ text: JSON.stringify({ summary, observations: [observation] }) })(response, call);
    });
    const repository = await worked({
      GIT_MEM_EXTRACT_PROVIDER: 'ollama',
      GIT_MEM_EXTRACT_BASE_URL: `${server.url}/v1`,
    });
    await drained(repository);
    expect(server.calls.length).toBeGreaterThan(0);
    expect(textsOf(repository, '.git/git-mem/private/prompts').length).toBeGreaterThanOrEqual(
      SAMPLES.length / PER_TURN,
    );
    // What the session was about is there, or silence would pass.
    const bodies = server.calls.map(({ body }) => JSON.stringify(body)).join('\n');
    expect(bodies).toContain('importer drops row');
    expect(bodies).toContain('[redacted:');
    expect(leftIn(bodies)).toEqual([]);
    expect(textsOf(repository, '.memory/observations').join('')).toContain('The import is whole');
    expect(textsOf(repository, '.memory/summaries').join('')).toContain('[redacted:');
    await expectNothing(repository);
  });
});

/** Secrets that the rules find, of all kinds and shapes: what is asked here is whether every way goes past them. */
function sampled(count: number): Sample[] {
  const dice = createDice(11);
  return placedSamples(20_261_121)
    .map((sample) => ({ sample, at: dice.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, 2 * count)
    .map(({ sample }) => sample)
    .filter(isRight)
    .slice(0, count);
}

/** Reports one event; gives what came back, on standard output and standard error. */
type Report = (event: string, payload: string | object) => string | Promise<string>;

/** A repository in which a session met all samples: its first turn through the committed launcher, the others without a process. */
async function worked(more: Record<string, string>): Promise<TestRepository> {
  const repository = createRepository();
  const place = { ...repository, env: { ...repository.env, ...more } };
  await place.call('init', '--yes', '--host', 'claude-code');
  place.write('src/limit.ts', 'export const LIMIT = 10;\n');
  // What `why FILE` looks at has to be committed.
  place.git('add', 'src/limit.ts');
  place.git('commit', '--quiet', '-m', 'base');
  const inProcess: Report = (event, payload) => hookCall(place, 'claude-code', event, payload);
  for (let at = 0; at < SAMPLES.length; at += PER_TURN) {
    await turn(place.root, at / PER_TURN, at === 0 ? launched(place) : inProcess);
  }
  await misreport(launched(place), SAMPLES.slice(0, 1));
  await misreport(inProcess, SAMPLES.slice(1, 4));
  await hook(place.root, inProcess, 'SessionEnd', { reason: 'other' });
  return place;
}

/** One turn of the session: secrets in the prompt, a file, an edit, a command, its output, an error and the answer. */
async function turn(root: string, n: number, report: Report): Promise<void> {
  const texts = SAMPLES.slice(n * PER_TURN, (n + 1) * PER_TURN).map(({ text }) => text);
  const [asked = '', file = '', old = '', fresh = '', command = '', output = '', error = '', said = ''] = texts;
  const prompt_id = `p${n}`;
  const file_path = join(root, 'src/limit.ts');
  const call = (tool_name: string, tool_input: object, tool_response: object) =>
    hook(root, report, 'PostToolUse', {
      prompt_id,
      tool_use_id: `${n}-${tool_name}`,
      tool_name,
      tool_input,
      tool_response,
    });
  await hook(root, report, 'UserPromptSubmit', {
    prompt_id,
    prompt: `the importer drops row ${n}, please find out why and fix it\n${asked}`,
  });
  await call('Read', { file_path }, { file: { filePath: file_path, content: file } });
  await hook(root, report, 'PostToolUseFailure', {
    prompt_id,
    tool_use_id: `${n}-test`,
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    error: `Exit code 1\nnot ok 1 - row ${n} is kept\n${error}`,
  });
  await call(
    'Edit',
    { file_path, old_string: `LIMIT = 10\n${old}`, new_string: `LIMIT = ${n}\n${fresh}` },
    { filePath: file_path },
  );
  await call(
    'Bash',
    { command: `npm test\n${command}` },
    { stdout: `ok 1 - row ${n} is kept\n${output}`, stderr: output },
  );
  const last_assistant_message =
    `Fixed: row ${n} was dropped because \`LIMIT\` in \`src/limit.ts\` was 10 and the importer cut every batch there. ` +
    `The limit is ${n} now, decided because batches are that long.\n\n${said}\n\nAll tests pass.`;
  await hook(root, report, 'Stop', { prompt_id, last_assistant_message });
}

async function hook(root: string, report: Report, event: string, payload: object, session = SESSION): Promise<string> {
  const said = await report(event, { session_id: session, cwd: root, hook_event_name: event, ...payload });
  expect(leftIn(said)).toEqual([]);
  return said;
}

/** As a host reports: through the committed launcher, which has to succeed. */
function launched({ root, env }: TestRepository): Report {
  return (event, payload) => {
    const input = typeof payload === 'string' ? payload : `${JSON.stringify(payload)}\n`;
    const options = { cwd: root, env, input, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['.memory/hook', 'claude-code', event], options);
    expect(status).toBe(0);
    return stdout + stderr;
  };
}

/** What the log tells of: payloads that are none, and events that nobody knows. */
async function misreport(report: Report, samples: Sample[]): Promise<void> {
  for (const { text } of samples) {
    for (const event of ['UserPromptSubmit', text.replaceAll('\0', '')]) {
      expect(await report(event, `{"prompt": "${text}`)).toBe('');
    }
  }
}

async function drained(repository: TestRepository): Promise<void> {
  // By the built program, as the drains that the launcher woke: one of them may have done it already.
  const { status, stdout, stderr } = await runAlongside(repository, ['drain', '--wait', '--all', '--json']);
  expect({ status, left: leftIn(stdout + stderr) }).toEqual({ status: 0, left: [] });
  expect(JSON.parse(stdout)).toMatchObject({ pending: 0, failed: 0 });
}

/** The agent saves what it was told, as it was told. */
async function saved(repository: TestRepository): Promise<void> {
  for (const [n, { text }] of SAMPLES.slice(0, 2 * PER_TURN).entries()) {
    const words = ['--title', `The importer drops row ${n}`, `--narrative=The limit cut the batch.\n${text}`];
    const { code, stdout, stderr } = await gitMem(repository, ['add', ...words, '--file-modified', 'src/limit.ts']);
    expect({ code, left: leftIn(stdout + stderr) }).toEqual({ code: 0, left: [] });
  }
}

/** Looks for every secret in the bytes of every file, and in what commands, tools and pages answer. */
async function expectNothing(repository: TestRepository): Promise<void> {
  // The caches are filled, so that their bytes are looked at too.
  const answers: Record<string, string> = {};
  const ids = idsIn(repository.root);
  const chosen = [`why ${ids[0]}`, `show ${ids[0]}`, `pin ${ids.slice(0, 8).join(' ')}`];
  for (const command of [...COMMANDS, ...chosen]) {
    const { code, stdout, stderr } = await gitMem(repository, command.split(' '));
    answers[command] = `${stdout}\n${stderr}`;
    expect.soft({ command, code }).toEqual({
      command,
      code: /^(?:check|doctor)/.test(command) ? expect.toSatisfy((is) => is <= 1) : 0,
    });
  }
  answers['the next session'] = await nextSession(repository);
  Object.assign(answers, await answersOfMcp(repository), await answersOfViewer(repository));
  Object.assign(answers, await answersOfSite(repository));
  const told = Object.entries(answers).flatMap(([name, text]) => leftIn(text).map((needle) => ({ name, needle })));
  expect.soft(told).toEqual([]);
  const files = filesBelow(repository.folder).filter((path) => !path.includes('/git-mem/spool/'));
  for (const name of ['cache.sqlite', 'hook.log', 'memory.jsonl', 'site/index.html']) {
    expect(files.filter((path) => `/${path}`.endsWith(`/${name}`))).not.toEqual([]);
  }
  expect(files.some((path) => path.includes('/private/prompts/'))).toBe(true);
  const kept = files.flatMap((path) =>
    leftIn(readFileSync(join(repository.folder, path), 'latin1')).map((needle) => ({ path, needle })),
  );
  expect(kept).toEqual([]);
}

/** What another session is told at its start, on a prompt and before it reads the file. */
async function nextSession(repository: TestRepository): Promise<string> {
  const file_path = join(repository.root, 'src/limit.ts');
  const occasions: Record<string, object> = {
    SessionStart: { source: 'startup' },
    UserPromptSubmit: { prompt: 'the importer drops a row again, why?' },
    PreToolUse: { tool_name: 'Read', tool_input: { file_path } },
  };
  const report: Report = (event, payload) => hookCall(repository, 'claude-code', event, payload);
  const told: string[] = [];
  for (const [event, payload] of Object.entries(occasions)) {
    told.push(await hook(repository.root, report, event, payload, 'another session'));
  }
  expect(told[0]).toContain('<git-mem-memory>');
  return told.join('\n');
}

const COMMANDS = [
  ...['list --all', 'list --json --all --kind prompt', 'search importer row', 'search importer --json', 'context'],
  ...['context --json', 'status --json', 'stats', 'stats --json', 'doctor', 'check', 'timeline importer'],
  ...['export', 'diff'],
  ...['why src/limit.ts', 'sessions', `sessions show ${SESSION} --json`, 'diff --format md', 'check --format md'],
  // Into files, which are looked at as all others are.
  'export --out ../memory.jsonl',
];

async function answersOfMcp({ root, env }: TestRepository): Promise<Record<string, string>> {
  const connection = await connectMcp({ cwd: root, env });
  try {
    const search = await connection.call('search', { query: 'importer row limit', limit: 50 });
    const ids = [...new Set(search.text.match(/\b[0-9a-hjkmnp-tv-z]{10}\b/g) ?? [])].slice(0, 20);
    expect(ids.length).toBeGreaterThan(0);
    const whole = await connection.call('get_observations', { ids });
    const around = await connection.call('timeline', { anchor: ids[0] });
    return { 'mcp search': search.text, 'mcp get_observations': whole.text, 'mcp timeline': around.text };
  } finally {
    await connection.close();
  }
}

/** The page that is meant to be published, and the data that are packed in it; its cover for secrets is a second one. */
async function answersOfSite(repository: TestRepository): Promise<Record<string, string>> {
  const folder = join(repository.folder, 'site');
  const { code, stdout, stderr } = await gitMem(repository, ['site', '--out', folder]);
  expect({ code, isCovered: /are covered/.test(stderr) }).toEqual({ code: 0, isCovered: false });
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const packed = /id="data">([^<]*)</.exec(page)?.[1] ?? '';
  const data = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
  expect(data).toMatch(/"observation":[1-9]/);
  return { 'site talk': `${stdout}\n${stderr}`, site: page, 'site data': data };
}

/** Every answer of the viewer that needs no name but an id's. */
async function answersOfViewer({ root, env }: TestRepository): Promise<Record<string, string>> {
  const viewer = await startViewer(oneMemory(openProject(root, env)), {
    port: 0,
    keep: true,
    now: () => new Date(),
    onError: () => {},
  });
  onTestFinished(() => viewer.close());
  const opened = await fetch(viewer.url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (path: string) => (await fetch(new URL(path, viewer.url), { headers: { cookie } })).text();
  const answers: Record<string, string> = {};
  const records = idsIn(root)
    .slice(0, 10)
    .map((id) => `record/${id}`);
  const questions = ['meta', 'feed?limit=500', 'search?q=importer', 'search?q=importer&kind=prompt'];
  const pages = [...questions, 'context', 'settings', 'review', 'sessions', `sessions/${SESSION}`, ...records];
  for (const page of pages) answers[`viewer ${page}`] = await ask(`/api/${page}`);
  expect(answers['viewer meta']).toContain('"repository"');
  expect(answers[`viewer sessions/${SESSION}`]).toContain('importer drops row');
  await viewer.close();
  return answers;
}

/** The secrets that stand in a text, as they are or as JSON writes them. */
function leftIn(text: string): string[] {
  return [...NEEDLES].filter((needle) => text.includes(needle));
}

/** The ids of all observations. */
function idsIn(root: string): string[] {
  return readdirSync(join(root, '.memory/observations'), { recursive: true, encoding: 'utf8' }).flatMap(
    (path) => /-([0-9a-z]{10})\.md$/.exec(path)?.[1] ?? [],
  );
}

/** Every file of the test's folder but the events that are not drained yet. */
function textsOf({ root }: TestRepository, folder: string): string[] {
  return Object.values(snapshot(join(root, folder)));
}
