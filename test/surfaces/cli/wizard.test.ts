import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { S_STEP_ACTIVE, S_STEP_SUBMIT } from '@clack/prompts';
import { describe, expect, it, vi } from 'vitest';
import { openProject } from '../../../src/project.ts';
import { HOSTS, type HostSetup } from '../../../src/setup/hosts.ts';
import { askConsent, askSetup, chooseModel, keepModel, offerFirstMemory } from '../../../src/surfaces/cli/wizard.ts';
import { answering as answer, installClaude, installProgram } from '../../support/claude-program.ts';
import { commitOn, dayAfter } from '../../support/dated-commits.ts';
import { createRepository } from '../../support/repository.ts';

const [UP, DOWN, SPACE, ENTER, CANCEL] = ['\u001b[A', '\u001b[B', ' ', '\r', '\u0003'];
const claude = HOSTS.find(({ name }) => name === 'claude-code') ?? expect.fail('Claude Code is gone.');
const other: HostSetup = { ...claude, name: 'other', title: 'Another agent' };

/** Whether a question is drawn that has no answer yet. */
const openQuestion = (drawn: string) => drawn.lastIndexOf(S_STEP_ACTIVE) > drawn.lastIndexOf(S_STEP_SUBMIT);

/** A terminal at which somebody presses a key each time a question stands there. */
function typing(...keys: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const press = async () => {
    let isOpen = false;
    let drawn = 0;
    for (const key of keys) {
      // Keys within a question may change nothing that is seen; the next question has to stand there.
      if (!isOpen)
        await vi.waitFor(() => expect(openQuestion(shown.slice(drawn))).toBe(true), { timeout: 60_000, interval: 1 });
      drawn = shown.length;
      isOpen = key !== ENTER;
      input.write(key);
    }
  };
  return { terminal: { input, output }, press, shown: () => stripVTControlCharacters(shown) };
}

async function setup(
  keys: string[],
  { hosts = [claude, other], chosen = [claude], destination = undefined as 'team' | undefined } = {},
) {
  const { terminal, press, shown } = typing(...keys);
  const [answers] = await Promise.all([
    askSetup({ hosts, chosen, ...(destination && { destination }) }, terminal),
    press(),
  ]);
  return { hosts: answers?.hosts.map(({ name }) => name), destination: answers?.destination, shown: shown() };
}

describe('the wizard', () => {
  it('offers the detected hosts, and the team', async () => {
    expect(await setup([ENTER, ENTER])).toMatchObject({ hosts: ['claude-code'], destination: 'team' });
  });

  it('accepts other answers', async () => {
    const keys = [DOWN, SPACE, UP, SPACE, ENTER, DOWN, ENTER];
    expect(await setup(keys)).toMatchObject({ hosts: ['other'], destination: 'private' });
  });

  it('does not ask about what is already decided', async () => {
    const { shown, ...answers } = await setup([ENTER], { hosts: [claude] });
    expect(answers).toEqual({ hosts: ['claude-code'], destination: 'team' });
    expect(shown).not.toContain('Which agents');
    expect(await setup([], { hosts: [claude], destination: 'team' })).toMatchObject({
      shown: '',
      hosts: ['claude-code'],
    });
  });

  it.each([[[CANCEL]], [[ENTER, CANCEL]]])('returns nothing when it is cancelled (%j)', async (keys) => {
    expect(await setup(keys)).toMatchObject({ hosts: undefined, destination: undefined });
  });

  it.each([
    [ENTER, true],
    ['n', false],
    [CANCEL, false],
  ])('shows the plan and asks for confirmation (%j)', async (key, expected) => {
    const { terminal, press, shown } = typing(key);
    const plan = { title: 'Plan', lines: ['created  .memory/hook'], question: 'Write this?' };
    const [answer] = await Promise.all([askConsent(plan, terminal), press()]);
    expect(answer).toBe(expected);
    expect(shown()).toContain('created  .memory/hook');
  });
});

describe('the choice of a model', () => {
  /** A repository whose user has these programs and keys, and presses these keys. */
  async function choose(
    keys: string[],
    { key = '', chosen = '', path = '', logins = ['.claude/.credentials.json'] } = {},
  ) {
    const repository = createRepository();
    const program = installClaude(answer('{}'));
    for (const login of logins) {
      const file = join(repository.env.HOME ?? '', login);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{}');
    }
    const { GIT_MEM_EXTRACT_PROVIDER: _, ...own } = repository.env;
    const env = { ...own, PATH: `${program.env.PATH}:${path}:/usr/bin:/bin`, OPENAI_API_KEY: key };
    if (chosen !== '') Object.assign(env, { GIT_MEM_EXTRACT_PROVIDER: chosen });
    const project = () => openProject(repository.root, env);
    const { terminal, press, shown } = typing(...keys);
    const [answered] = await Promise.all([chooseModel(project(), env, terminal), press()]);
    if (answered !== undefined && answered !== 'cancelled') keepModel(answered, project(), env);
    const { config, origins } = project().config();
    return { answered, shown: shown(), runs: program.runs(), kept: config.extract.provider, by: origins };
  }

  it('offers the available models with their cost, and saves the answer for the user', async () => {
    const { shown, runs, kept, by } = await choose([ENTER], { key: 'sk-1' });
    expect(shown).toMatch(/claude -p, where you are logged in\s.*No bill: .*subscription/s);
    expect(shown).toMatch(/OpenAI, with the key in OPENAI_API_KEY\s.*Billed to that key/s);
    expect(shown).toMatch(/about\W+one\W+question\W+per\W+session/);
    expect(shown).toMatch(/No model\s.*Free: /s);
    expect(shown).not.toMatch(/Ollama|Gemini|sk-1/);
    expect({ kept, by: by.get('extract.provider') }).toEqual({ kept: 'claude-cli', by: 'user' });
    expect(runs).toEqual([]);
  });

  it('offers the other hosts’ command lines where the user is logged in', async () => {
    const path = ['codex', 'gemini'].map((name) => installProgram(name, '').env.PATH).join(':');
    const { shown, kept } = await choose([DOWN, ENTER], {
      path,
      logins: ['.codex/auth.json', '.gemini/oauth_creds.json'],
    });
    expect(shown).toMatch(/codex exec,.*gemini -p,/s);
    expect(shown).not.toContain('claude -p');
    expect(kept).toBe('gemini-cli');
  });

  it('is none unless another is chosen, where no subscription includes one', async () => {
    expect(await choose([ENTER], { logins: [], key: 'sk-1' })).toMatchObject({ answered: 'none', kept: 'none' });
    expect(await choose([], { logins: [] })).toMatchObject({ answered: undefined, shown: '' });
  });

  it('is not saved on cancel, and not asked again of users who chose before', async () => {
    expect(await choose([CANCEL])).toMatchObject({ answered: 'cancelled', kept: 'auto' });
    expect(await choose([], { chosen: 'ollama' })).toMatchObject({ answered: undefined, shown: '' });
  });
});

/** A terminal at which each question is answered as soon as it stands there. */
function answering(...keys: string[]) {
  const { terminal, shown } = typing();
  const questions = ['Show what it would quote?', 'Write 1 record to .memory/?'];
  let answered = 0;
  terminal.output.on('data', () => {
    const question = questions[answered];
    if (question === undefined || !shown().includes(question)) return;
    const key = keys[answered++] ?? CANCEL;
    // The prompt listens for its end only after it has drawn itself.
    setImmediate(() => terminal.input.write(key));
  });
  return { terminal, shown };
}

describe('a first memory', () => {
  it.each([
    ['written after its preview', [ENTER, ENTER], 1],
    ['not written without consent', [ENTER, 'n'], 0],
    ['not even read when nobody wants it', ['n'], 0],
  ])('is offered, and %s', async (_, keys, written) => {
    const repository = createRepository();
    commitOn(repository, dayAfter(0), 'Begin', { Makefile: 'test:\n\tprove\n' });
    const { terminal, shown } = answering(...keys);
    const project = openProject(repository.root, repository.env);
    expect(await offerFirstMemory(project, 'team', terminal)).toBe(written);
    expect(project.workspace.stores.team.ids()).toHaveLength(written);
    expect(shown().includes('make test')).toBe(keys.length > 1);
    expect(await offerFirstMemory(project, 'team', answering('n').terminal)).toBe(0);
  });

  it('is said to be empty where nothing can be quoted', async () => {
    const repository = createRepository();
    commitOn(repository, dayAfter(0), 'Begin', { 'notes.txt': 'Nothing.' });
    const { terminal, shown } = answering(ENTER);
    expect(await offerFirstMemory(openProject(repository.root, repository.env), 'team', terminal)).toBe(0);
    expect(shown()).toContain('There is nothing to quote');
  });
});
