import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { AGENTS } from '../../src/capture/agents/agents.ts';
import { openProject } from '../../src/project.ts';
import { takeEvent } from '../../src/surfaces/hook/take-event.ts';
import { oneMemory } from '../../src/surfaces/viewer/served.ts';
import { startViewer } from '../../src/surfaces/viewer/server.ts';
import { anyPayload } from './fuzz-parsers.ts';
import { aboutRecords, idsIn, type Question, requests } from './fuzz-requests.ts';
import { type FuzzTarget, target } from './fuzz-target.ts';
import { hostileObject, hostileText, mutated } from './hostile-text.ts';
import { PROGRAM } from './program.ts';

/** How long to wait for an answer before it counts as missing; generous, because the machine may be busy. */
const PATIENCE_MS = 60_000;

const payloadTexts = fc.oneof(
  anyPayload.map((value) => JSON.stringify(value)),
  mutated(anyPayload.map((value) => JSON.stringify(value))),
);
const hosts = fc.constantFrom(...AGENTS.flatMap(({ name, events }) => events.map((event) => [name, event] as const)));

const TOOLS = ['search', 'timeline', 'get_observations', 'save_observation', 'save_summary', 'mark'];
const ARGUMENTS = 'query type concept file since until limit anchor before after ids title narrative facts'.split(' ');

/** What is fed to something that runs: hooks, the MCP server, the viewer. */
export const SERVERS: FuzzTarget[] = [
  target('hooks, into the spool', 3000, fc.tuple(hosts, payloadTexts), ({ root, env, folder }) => ({
    async take([[host, event], payload]) {
      const here = { ...env, GIT_MEM_STATE: join(folder, 'hooked') };
      const input = async () => Buffer.from(payload);
      await takeEvent({ args: [host, event], input, cwd: root, env: here, now: new Date() });
    },
  })),
  target(
    'hook scripts',
    60,
    fc.tuple(fc.constantFrom('plugin/hook', 'init/hook'), hosts, payloadTexts, fc.option(hostileText)),
    ({ root, env, folder }) => ({
      take([script, [host, event], input, odd]) {
        // No argument can hold a NUL.
        const args = [resolve('templates', script), host, (odd ?? event).replaceAll('\0', '')];
        const here = { ...env, GIT_MEM_STATE: join(folder, 'hooked'), CLAUDE_PROJECT_DIR: root };
        const { status, signal, stderr } = spawnSync('sh', args, { cwd: root, env: here, input, timeout: PATIENCE_MS });
        if (status !== 0) throw new Error(`${status ?? signal}: ${stderr}`);
      },
    }),
  ),
  target('MCP messages', 2500, messages(), async ({ root, env }) => {
    const server = startServer(root, env);
    await server.send({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
    });
    return { take: server.send, cpuMs: () => cpuMsOf(server.pid), close: server.close };
  }),
  target('viewer requests', 3000, requests(), async ({ root, env, folder }) => {
    const errors: unknown[] = [];
    const ids = idsIn(root);
    const project = openProject(root, { ...env, GIT_MEM_STATE: join(folder, 'viewed') });
    const viewer = await startViewer(oneMemory(project), {
      port: 0,
      keep: true,
      now: () => new Date(),
      onError: (error) => errors.push(error),
    });
    const opened = await ask(viewer.port, {
      method: 'GET',
      path: new URL(viewer.url).pathname + new URL(viewer.url).search,
      headers: {},
      body: '',
    });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    return {
      async take({ isKnown, ...asked }) {
        const one = aboutRecords(asked, ids);
        const known = isKnown
          ? { cookie, origin: `http://127.0.0.1:${viewer.port}`, 'content-type': 'application/json' }
          : {};
        const { status } = await ask(viewer.port, { ...one, headers: { ...known, ...one.headers } });
        if (errors.length > 0) throw errors.pop();
        if (status >= 500) throw new Error(`It answered ${status}.`);
      },
      close: () => viewer.close(),
    };
  }),
];

function messages(): fc.Arbitrary<unknown> {
  const plain = fc.tuple(
    fc.constantFrom(...TOOLS),
    fc.array(fc.tuple(fc.constantFrom(...ARGUMENTS), hostileText), { maxLength: 5 }),
  );
  const called = (name: string, given: unknown) => ({ method: 'tools/call', params: { name, arguments: given } });
  return fc.oneof(
    { weight: 4, arbitrary: plain.map(([name, pairs]) => called(name, Object.fromEntries(pairs))) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...TOOLS), hostileObject(ARGUMENTS))
        .map(([name, given]) => called(name, given)),
    },
    {
      weight: 2,
      arbitrary: hostileObject(['method', 'params', 'id', 'jsonrpc', 'result', 'error', '_meta', 'name', 'arguments']),
    },
    { weight: 1, arbitrary: mutated(fc.constant('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}')) },
  );
}

/** A server that is sent one message after another; each is followed by a ping, whose answer says that it goes on. */
function startServer(root: string, env: NodeJS.ProcessEnv) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: root, env });
  let answers = '';
  let errors = '';
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    answers += chunk;
    wake();
  });
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4000);
  });
  child.once('exit', () => wake());
  let id = 0;
  return {
    pid: child.pid ?? 0,
    async send(message: unknown): Promise<void> {
      const call = typeof message === 'object' ? { jsonrpc: '2.0', id: ++id, ...message } : message;
      const line = typeof call === 'string' ? call : JSON.stringify(call);
      const ping = `ping-${++id}`;
      [answers, errors] = ['', ''];
      child.stdin.write(
        `${line.replaceAll('\n', ' ')}\n${JSON.stringify({ jsonrpc: '2.0', id: ping, method: 'ping' })}\n`,
      );
      const deadline = Date.now() + PATIENCE_MS;
      while (!answers.includes(`"${ping}"`)) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`The server is gone or silent. ${errors}`);
        await new Promise<void>((done) => {
          const timer = setTimeout(done, 1000);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
      // What it takes for a bug of its own, it tells with a stack.
      if (/^\s+at .*:\d+/m.test(errors)) throw new Error(errors);
    },
    async close(): Promise<void> {
      const ended = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      if (child.exitCode === null) await ended;
    },
  };
}

/** CPU time of a process; 0 where the system does not say. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // User and system time in ticks of 10 ms: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** One request as a program makes it that need not keep to what browsers do. */
function ask(
  port: number,
  { method, path, headers, body }: Question,
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((done, fail) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { host: `127.0.0.1:${port}`, ...headers },
      agent: false,
    });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('No answer came.')));
    sent.on('error', fail);
    sent.on('response', (response) => {
      const result = { status: response.statusCode ?? 0, headers: response.headers };
      // Events never end.
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        response.destroy();
        return done(result);
      }
      response.resume();
      response.on('end', () => done(result));
      response.on('error', fail);
    });
    sent.end(method === 'POST' ? body : undefined);
  });
}
