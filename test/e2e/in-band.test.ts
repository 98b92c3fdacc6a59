import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveRequest, type WayToSave } from '../../src/capture/by-hand/save-request.ts';
import { findClient, type RealAgent } from '../support/clients/client.ts';
import { REAL_CLIENTS } from '../support/clients/clients.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import type { Step } from '../support/scripted-model.ts';

const TITLE = 'The gateway cuts uploads at 25 megabytes';

/** How often each request holds a line. */
const counts = (requests: string[], line: string) => requests.map((request) => request.split(line).length - 1);

const all = (n: number, requests: string[]) => requests.map(() => n);

/** Clients that go on with a session, and whose records name them. */
const CLIENTS = REAL_CLIENTS.filter(({ host }) => ['claude-code', 'codex', 'gemini-cli'].includes(host));

describe.each(CLIENTS)('in a real $host', (client) => {
  const program = findClient(client);
  if (program === undefined) {
    console.log(`skipped: ${client.name} is not installed: npm run test:hosts.`);
  }

  it.skipIf(program === undefined)('the agent is asked to save at the right moment, once, and saves', async () => {
    const repository = setUp(client.host);
    const agent = await client.start(program ?? [], repository);
    const way: WayToSave = 'tool';
    const [start, prompt] = (['start', 'prompt'] as const).map((moment) => saveRequest(moment, way, true));
    /** The requests of one prompt. */
    const ask = async (...[text, steps]: Parameters<typeof agent.ask>) => {
      const before = agent.model.requests().length;
      const { code, said } = await agent.ask(text, [...steps, { text: 'I did what you asked for.' }]);
      expect(code, said).toBe(0);
      const requests = agent.model.requests().slice(before);
      expect(requests.length, said).toBe(steps.length + 1);
      return requests;
    };

    const first = await ask('please raise the limit', [
      agent.does.write('src/a.txt', 'one\n'),
      agent.does.run('git add --all && git commit --quiet -m "Raise the limit"'),
      agent.does.run('git log -1 --format=%s,%s'),
    ]);
    expect(counts(first, start ?? '')).toEqual(all(1, first));
    expect(counts(first, prompt ?? '')).toEqual(all(0, first));

    const second = await ask('now write the second file', [agent.does.write('src/b.txt', 'two\n')]);
    expect(counts(second, prompt ?? '')).toEqual(all(1, second));

    const given = { title: TITLE, narrative: 'Measured with curl.', files_modified: ['src/b.txt'] };
    const third = await ask('and the third file', [agent.does.write('src/c.txt', 'three\n'), save(agent, given)]);
    expect(counts(third, prompt ?? '')).toEqual(all(1, third));

    const fourth = await ask('thank you, that is all', []);
    expect(counts(fourth, prompt ?? '')).toEqual(all(1, fourth));
    expect(counts([...second, ...third, ...fourth], start ?? '')).toEqual(all(1, [...second, ...third, ...fourth]));

    repository.gitMem('drain', '--wait', '--all');
    const { records } = JSON.parse(repository.gitMem('list', '--all', '--json'));
    const saved = records.find(({ title }: { title: string }) => title === TITLE);
    expect(saved).toMatchObject({
      kind: 'observation',
      store: 'team',
      extractor: 'agent',
      branch: 'main',
      prompt_number: 3,
      narrative: 'Measured with curl.',
      files_modified: ['src/b.txt'],
      freshness: 'fresh',
      trust: 'own',
      commit: repository.git('rev-parse', 'HEAD').trim(),
    });
    // The turn is closed for every other extractor.
    const ofTurn = records.filter(({ kind, prompt_number }: { kind: string; prompt_number?: number }) => {
      return kind === 'observation' && prompt_number === 3;
    });
    expect(ofTurn.map(({ title }: { title: string }) => title)).toEqual([TITLE]);
    const file = readFileSync(join(repository.root, saved.path), 'utf8');
    expect(/^generated: \{by: "([^"]*)"/m.exec(file)?.[1]).toMatch(new RegExp(`^${client.host}/\\d`));
    expect(file).toMatch(/^anchors: \{"src\/b\.txt": "[0-9a-f]{40}"\}$/m);
    // The session is the one that the hooks captured.
    const { sessions } = sessionsOf(repository.root);
    expect(sessions).toContain(saved.session);
    expect(sessions).toHaveLength(1);
  });
});

describe.each(CLIENTS)('of the person, in a real $host', (client) => {
  const program = findClient(client);

  it.skipIf(program === undefined)('a habit that is saved once is told in every repository', async () => {
    const here = setUp(client.host);
    here.gitMem('personal', 'init');
    const agent = await client.start(program ?? [], here);
    const habit = 'Answers in two sentences, without a summary';
    const saving =
      agent.does.mcp !== undefined && agent.does.read !== undefined
        ? agent.does.mcp('save_observation', { title: habit, scope: 'personal' })
        : agent.does.run(`git mem add --personal --title '${habit}'`);
    const first = await agent.ask('two sentences are enough, always', [saving, { text: 'From now on.' }]);
    expect(first.code, first.said).toBe(0);
    const { records } = JSON.parse(here.gitMem('list', '--store', 'personal', '--json'));
    expect(records).toMatchObject([{ title: habit, type: 'preference', author: 'agent', session: null }]);
    expect(here.git('status', '--porcelain', '-uall')).not.toContain('answers-in-two');

    // A client's own settings, which say what it trusts, stay with each repository.
    const elsewhere = setUp(client.host);
    elsewhere.env.XDG_DATA_HOME = join(here.env.HOME ?? '', '.local/share');
    const another = await client.start(program ?? [], elsewhere);
    const { code, said } = await another.ask('what is the limit?', [{ text: 'Ten.' }]);
    expect(code, said).toBe(0);
    const told = another.model.requests().at(-1) ?? '';
    expect(told).toContain('git-mem-personal');
    expect(told.split(habit)).toHaveLength(2);
  });
});

describe.each(CLIENTS.filter(({ host }) => host !== 'gemini-cli'))(
  'with capture.ask: stop in a real $host',
  (client) => {
    const program = findClient(client);

    it.skipIf(program === undefined)('asks once a session at the end of a turn, and the turn continues', async () => {
      const repository = setUp(client.host);
      repository.env.GIT_MEM_CAPTURE_ASK = 'stop';
      const agent = await client.start(program ?? [], repository);
      const line = saveRequest('turn-end', 'tool');
      const asked = async (prompt: string, path: string) => {
        const before = agent.model.requests().length;
        const end = { text: 'I did what you asked for.' };
        const { code, said } = await agent.ask(prompt, [agent.does.write(path, 'one\n'), end, end]);
        expect(code, said).toBe(0);
        return counts(agent.model.requests().slice(before), line);
      };
      expect(await asked('write a file', 'src/a.txt')).toEqual([0, 0, 1]);
      expect(await asked('write another one', 'src/b.txt')).toEqual([1, 1]);
    });
  },
);

/** Codex saves by a command, the others by the tool of our server. */
function save({ does }: RealAgent, given: { title: string; narrative: string; files_modified: string[] }): Step {
  const { title, narrative, files_modified } = given;
  return does.mcp !== undefined && does.read !== undefined
    ? does.mcp('save_observation', given)
    : does.run(`git mem add --title '${title}' --narrative '${narrative}' --file-modified ${files_modified}`);
}

/** A repository with the hooks of one host. */
function setUp(host: string): TestRepository {
  const repository = createRepository();
  repository.gitMem('init', '--yes', '--host', host);
  repository.write('src/limit.txt', '10\n');
  // Not every client hands on the variables that tell git who commits.
  repository.git('config', 'user.name', 'Test');
  repository.git('config', 'user.email', 'test@example.com');
  repository.commit('base');
  return repository;
}

/** The sessions whose turns the drain has put away. */
function sessionsOf(root: string): { sessions: string[] } {
  const folder = join(root, '.git/git-mem/sessions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return { sessions: files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).session) };
}
