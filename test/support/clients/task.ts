import { idOf } from '../../../src/memory/id.ts';
import { createRepository, type TestRepository } from '../repository.ts';
import type { Step } from '../scripted-model.ts';
import { observationOf, put } from '../written-records.ts';
import type { RealAgent, RealClient } from './client.ts';
import { type RecordedCall, type Recorder, recordCalls } from './recorder.ts';

/** The requests to a client's model in one turn: one after each step of its script. */
export interface Turn {
  prompt: string;
  /** Body of the request that came with the start of the turn. */
  first: string;
  /** Bodies after the steps, by what the step did. */
  after: Partial<Record<Deed, string>>;
  /** What a sub-agent's own model was asked. */
  inside?: string;
  /** What the client printed. */
  said: string;
  /** What it reported. */
  calls: RecordedCall[];
}

type Deed =
  | ('read' | 'cat' | 'failing test' | 'edit' | 'passing test' | 'commit' | 'mcp' | 'write' | 'delegate')
  | ('save by tool' | 'save by command');

/** A task that a real client did. */
export interface TaskRun {
  repository: TestRepository;
  /** The commit before `init`. */
  untouched: string;
  turns: [Turn, Turn, Turn];
}

const FILES = {
  'package.json': '{ "name": "tokens", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/token.mjs':
    "import { keyOf } from './keys.mjs';\n\nexport const LEEWAY = 0;\n\nexport function accepts(token, now) {\n" +
    '  return keyOf(token.issuer) !== undefined && token.issuedAt <= now + LEEWAY;\n}\n',
  'src/keys.mjs': "const KEYS = new Map([['a', 'k1']]);\n\nexport const keyOf = (issuer) => KEYS.get(issuer);\n",
  'test/token.test.mjs':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { accepts } from '../src/token.mjs';\n\n" +
    "test('a token of a node that runs ahead is accepted', () => {\n" +
    "  assert.ok(accepts({ issuer: 'a', issuedAt: 120 }, 100));\n});\n",
};

export const PROMPT =
  'Users get a 401 right after login because of the clock skew between nodes, and test/token.test.mjs fails. ' +
  'Find the cause and fix it.';
export const ANSWER =
  'Fixed. `LEEWAY` in `src/token.mjs` was 0, so a token from a node whose clock runs ahead was rejected; it is 30 seconds ' +
  'now because two nodes may drift apart by half a minute. All tests pass.';

/** What the sub-agent says. */
export const REPORT = 'Nobody else uses the limits.';

/** What it saves, by the way in which it does. */
export const SAVED = {
  tool: 'Uploads are cut at 25 megabytes by the gateway',
  command: 'Retries are capped at five in a minute',
};

/** What each moment is to bring to the model, and no other does: the first line of a record. */
export const TITLES = {
  start: 'Releases are cut on Tuesdays',
  prompt: 'Tolerate clock skew between nodes',
  read: 'Tokens are parsed without a library',
  cat: 'Keys rotate every night at three',
  edit: 'Limits are mirrored in the gateway by hand',
};

/** A repository with a failing test and a memory, set up for a host. */
function setUp(host: string): { repository: TestRepository; untouched: string } {
  const repository = createRepository();
  // Not every client hands on the variables that tell git who commits.
  repository.git('config', 'user.name', 'Test');
  repository.git('config', 'user.email', 'test@example.com');
  for (const [path, content] of Object.entries(FILES)) repository.write(path, content);
  repository.commit('start');
  const untouched = repository.git('rev-parse', 'HEAD').trim();
  repository.gitMem('init', '--yes', '--host', host);
  const at = { at: '2026-11-20T20:05:01Z', by: 'test' };
  const record = (id: keyof typeof TITLES, more: Partial<Parameters<typeof observationOf>[0]>) =>
    put(repository, observationOf({ id: idOf(id), title: TITLES[id], generated: at, ...more }));
  record('start', { type: 'rule' });
  // These fill the lines of a start: what comes later is then seen to have come then.
  for (let i = 0; i < 8; i++) {
    const generated = { at: '2026-11-21T20:05:01Z', by: 'test' };
    const title = `Report number ${i} is printed on paper of its own`;
    put(repository, observationOf({ id: idOf(`filler ${i}`), title, type: 'decision', generated }));
  }
  const narrative = 'A node whose clock runs ahead issued tokens that others rejected: a 401 right after login.';
  record('prompt', { type: 'bugfix', narrative, files_modified: ['src/nodes.mjs'] });
  record('read', { files_modified: ['src/token.mjs'] });
  record('cat', { narrative: 'The map `KEYS` is made again then.', files_modified: ['src/keys.mjs'] });
  record('edit', { files_modified: ['src/limits.mjs'] });
  repository.commit('Remember');
  repository.gitMem('sync');
  return { repository, untouched };
}

/** Has a client fix a bug, then write a file and ask a sub-agent, then say goodbye: three prompts of one session. */
export async function doTask(client: RealClient, program: string[]): Promise<TaskRun> {
  const { repository, untouched } = setUp(client.host);
  const agent = await client.start(program, repository);
  const recorder = recordCalls(repository);
  const { does } = agent;
  const test = does.run('node --test');
  const fix = await turn(agent, recorder, PROMPT, ANSWER, {
    ...(does.read && { read: does.read('src/token.mjs') }),
    cat: does.run('cat src/keys.mjs'),
    'failing test': test,
    edit: does.edit('src/token.mjs', 'export const LEEWAY = 0;', 'export const LEEWAY = 30;'),
    'passing test': test,
    commit: does.run('git add src && git commit --quiet -m "Accept tokens of nodes that run ahead"'),
    ...(does.mcp && { mcp: does.mcp('search', { query: 'Tuesdays' }) }),
  });
  const write = await turn(agent, recorder, 'now write down the limits', 'I wrote them down.', {
    write: does.write('src/limits.mjs', 'export const LIMITS = {};\n'),
    ...(does.delegate && { delegate: does.delegate('Look for other uses of the limits.') }),
  });
  // As models send it.
  const saved = { title: SAVED.tool, type: 'Gotcha', content: 'Measured with curl.', tags: 'limits, gateway' };
  const end = await turn(agent, recorder, 'thank you, that is all', 'You are welcome.', {
    ...(does.mcp && { 'save by tool': does.mcp('save_observation', saved) }),
    'save by command': does.run(`git-mem add --title '${SAVED.command}' -m 'Measured.' --files src/token.mjs`),
  });
  recorder.remove();
  return { repository, untouched, turns: [fix, write, end] };
}

async function turn(
  { model, ask }: RealAgent,
  recorder: Recorder,
  prompt: string,
  answer: string,
  steps: Partial<Record<Deed, Step>>,
): Promise<Turn> {
  const [before, reported] = [model.requests().length, recorder.calls().length];
  const deeds = Object.keys(steps) as Deed[];
  const script = deeds.flatMap((deed) => [steps[deed] ?? {}, ...(deed === 'delegate' ? [{ text: REPORT }] : [])]);
  const { code, said } = await ask(prompt, [...script, { text: answer }]);
  const [first = '', ...others] = model.requests().slice(before);
  if (code !== 0 || others.length !== script.length)
    throw new Error(`${others.length} of ${script.length} steps were followed; exit ${code}: ${said}`);
  const after: Turn['after'] = {};
  let inside: string | undefined;
  for (const deed of deeds) {
    if (deed === 'delegate') inside = others.shift();
    after[deed] = others.shift() ?? '';
  }
  const calls = recorder.calls().slice(reported);
  return { prompt, first, after, said, calls, ...(inside !== undefined && { inside }) };
}
