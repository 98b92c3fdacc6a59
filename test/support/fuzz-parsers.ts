import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { AGENTS, findAgent, LOGGED_HOSTS } from '../../src/capture/agents/agents.ts';
import type { ToolCall } from '../../src/capture/agents/event.ts';
import { createCleaner, isWanted } from '../../src/capture/drain/clean.ts';
import { createReader } from '../../src/capture/drain/transcripts/reader.ts';
import { loadConfig, settings } from '../../src/config.ts';
import { bringIn } from '../../src/exchange/import/bring.ts';
import { IMPORTERS } from '../../src/exchange/import/importers.ts';
import { jsonlArrivals } from '../../src/exchange/jsonl.ts';
import { decode, encode } from '../../src/memory/codec.ts';
import { splitFrontMatter } from '../../src/memory/front-matter.ts';
import { matchesGlob } from '../../src/memory/glob.ts';
import { outlineReader } from '../../src/memory/outline.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { sanitiseForModel, sanitiseForTerminal } from '../../src/privacy/sanitise.ts';
import { findSuspicious } from '../../src/privacy/suspicious.ts';
import { readDate } from '../../src/search/dates.ts';
import { readTemplate } from '../../src/templates.ts';
import { anyRecord } from './any-record.ts';
import { type FuzzTarget, pure, target } from './fuzz-target.ts';
import { hostileJson, hostileObject, hostileText, keysOf, mutated } from './hostile-text.ts';

const PATH = 'observations/2026-11/20261120T200501Z-x-k3v9x2qd7m.md';
const NOW = new Date('2026-11-20T12:00:00Z');

const records = fc.oneof(...Object.values(anyRecord)).map(encode);
const yamlLines = fc
  .array(
    fc.tuple(
      fc.constantFrom('id', 'kind', 'type', 'title', 'anchors', '<<', '__proto__', '? a', '&x a', '- a'),
      hostileText,
    ),
    { maxLength: 12 },
  )
  .map((lines) => `---\n${lines.map(([key, value]) => `${key}: ${value}`).join('\n')}\n---\n`);

const PAYLOADS = 'test/fixtures/payloads';
// Hook payloads, and lines of the clients' logs.
const payloads = readdirSync(PAYLOADS).flatMap((folder) =>
  readdirSync(join(PAYLOADS, folder)).flatMap((name) => {
    const text = readFileSync(join(PAYLOADS, folder, name), 'utf8');
    return name.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text];
  }),
);
const payloadKeys = [...new Set(payloads.flatMap((text) => keysOf(JSON.parse(text))))];
/** Payloads as hosts send them, with hostile values; and nothing but hostile ones. */
export const anyPayload: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  hostileObject(payloadKeys),
  fc
    .tuple(fc.constantFrom(...payloads), hostileObject(payloadKeys))
    .map(([text, put]) => ({ ...JSON.parse(text), ...put })),
);
const eventNames = [...new Set(AGENTS.flatMap(({ events, replies }) => [...events, ...replies])), '', '__proto__'];

const configKeys = [...settings(loadConfig('/nonexistent', {}).config).keys()];
const configs = fc.oneof(
  mutated(fc.constant(readTemplate('init/config.yaml').replace(/^# ?/gm, ''))),
  hostileObject(configKeys.flatMap((key) => key.split('.'))).map((value) => JSON.stringify(value)),
  fc
    .array(fc.tuple(fc.constantFrom(...configKeys), hostileJson(['path', 'url', 'name', 'at', 'provider'])))
    .map((pairs) => pairs.map(([key, value]) => yamlOf(key.split('.'), JSON.stringify(value))).join('\n')),
);

const transcriptLines = fc.oneof(
  hostileObject(['type', 'message', 'content', 'role', 'timestamp', 'sessionId', 'cwd', 'payload', 'text', 'id']).map(
    (value) => JSON.stringify(value),
  ),
  mutated(
    fc.constant(
      '{"type":"user","timestamp":"2026-11-20T20:05:01Z","sessionId":"s","cwd":"/r","message":{"role":"user","content":[{"type":"text","text":"a"}]}}',
    ),
  ),
);

const globs = fc.oneof(
  hostileText,
  fc
    .array(fc.constantFrom('**/', '**', '*', '?', 'a', '/', 'b', 'aa'), { maxLength: 40 })
    .map((parts) => parts.join('')),
);
const paths = fc.oneof(
  hostileText,
  fc
    .tuple(fc.constantFrom('a', 'a/', 'ab', 'aab/'), fc.integer({ min: 1, max: 20_000 }))
    .map(([part, n]) => part.repeat(n)),
);

/** What is fed to functions within this process. */
export const PARSERS: FuzzTarget[] = [
  pure('record files', 22_000, mutated(records), (text) =>
    decode(encode(decode(text, PATH, outlineReader)), PATH, outlineReader),
  ),
  pure('front matter', 20_000, mutated(yamlLines), (text) => splitFrontMatter(text, PATH)),
  pure(
    'bodies by hand',
    3000,
    fc.array(hostileText, { maxLength: 6 }).map((parts) => parts.join('\n')),
    (body) => [outlineReader.observation(body), outlineReader.summary(body)],
  ),
  target('settings', 6000, configs, ({ folder }) => {
    const memory = join(folder, 'settings');
    const env = { HOME: memory, XDG_CONFIG_HOME: memory };
    mkdirSync(join(memory, 'git-mem'), { recursive: true });
    return {
      take(text) {
        // The team's, then the same as the user's own.
        writeFileSync(join(memory, 'config.yaml'), text);
        writeFileSync(join(memory, 'git-mem', 'config.yaml'), text);
        loadConfig(memory, env);
      },
    };
  }),
  pure(
    'host adapters',
    30_000,
    fc.tuple(
      fc.constantFrom(...AGENTS.map(({ name }) => name)),
      fc.constantFrom(...eventNames),
      anyPayload,
      hostileText,
    ),
    ([name, event, payload, text]) => {
      const agent = findAgent(name);
      if (agent === undefined) throw new Error(name);
      agent.toEvents(event, payload);
      agent.toQuestion(event, payload);
      agent.toReply(event, text);
    },
  ),
  pure(
    'lines of hosts’ logs',
    12_000,
    fc.tuple(fc.constantFrom(...LOGGED_HOSTS), fc.array(transcriptLines, { maxLength: 4 })),
    ([{ sessionLogs }, lines]) => {
      const reader = createReader(sessionLogs);
      for (const line of lines) reader.read(line);
      reader.endTurn();
    },
  ),
  pure('globs and dates', 8000, fc.tuple(globs, paths), ([pattern, path]) => {
    matchesGlob(pattern, path);
    const { config } = loadConfig('/nonexistent', {});
    config.capture.ignore_paths = [pattern];
    const call: ToolCall = { id: '', tool: path, action: 'read', paths: [path], ok: true, output: '' };
    isWanted({ kind: 'tool', session: 's', cwd: '/', call }, config);
    readDate(pattern, 'start', NOW);
  }),
  pure(
    'texts to be cleaned',
    2500,
    fc.tuple(
      globs,
      fc.array(hostileText, { maxLength: 4 }).map((parts) => parts.join(' ')),
    ),
    async ([pattern, text]) => {
      findSuspicious(sanitiseForModel(sanitiseForTerminal(text)));
      await createCleaner([pattern]).text(text);
    },
  ),
  target('memories of other tools', 2500, imports(), (place) => {
    const workspace = openWorkspace(place.root, place.env);
    const path = join(place.folder, 'imported');
    return {
      async take({ from, text, name }) {
        const importer = IMPORTERS.find((one) => one.name === from);
        const cleaner = createCleaner([]);
        const options = { workspace, store: 'private', cleaner, now: NOW, dryRun: true } as const;
        if (importer === undefined) {
          return void (await bringIn(jsonlArrivals(text.split('\n'), NOW), options));
        }
        rmSync(path, { recursive: true, force: true });
        const file = /json|claude-mem$/.test(from) ? path : join(path, name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        const source = { path, workspace, env: place.env, project: undefined, cleaner };
        await bringIn(importer.read(source), options);
      },
    };
  }),
];

function yamlOf(parts: string[], value: string): string {
  return `${parts.map((part, i) => `${'  '.repeat(i)}${part}:`).join('\n')} ${value}`;
}

function imports(): fc.Arbitrary<{ from: string; name: string; text: string }> {
  const lists = 'sessions observations summaries prompts title narrative facts files_read type'.split(' ');
  const note = '---\ntitle: A note\ntags: [a]\n---\n# Title\n\nText.\n\n## Part\n\n- one\n- two\n';
  return fc.record({
    from: fc.constantFrom('jsonl', ...IMPORTERS.map(({ name }) => name)),
    name: fc.constantFrom('note.md', 'MEMORY.md', 'AGENTS.md', 'log.jsonl', 'index.md', 'a b.txt'),
    text: fc.oneof(
      mutated(records),
      mutated(fc.constant(note)),
      hostileObject(lists).map((value) => JSON.stringify(value)),
      fc.array(transcriptLines, { maxLength: 5 }).map((lines) => lines.join('\n')),
    ),
  });
}
