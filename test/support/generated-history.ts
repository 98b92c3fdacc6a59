import { spawnSync } from 'node:child_process';

const AREAS = 'auth billing cache export parser queue router scheduler session storage sync upload'.split(' ');
const PARTS = 'client codec errors handler index limits retry store types worker'.split(' ');
const THINGS =
  'the lease,empty input,a second writer,clock skew,long names,the last page,unknown keys,time zones'.split(',');

/**
 * Creates a reproducible history on `main`: `commits` commits, ten minutes to a few hours apart, with everything that
 * mining looks for.
 */
export function generateHistory(root: string, env: Record<string, string | undefined>, commits: number): void {
  const stream = createStream();
  for (let i = 0; i < commits; i++) stream.commit(i);
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: root,
    env,
    input: stream.text(),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`git fast-import: ${stderr}`);
}

interface Change {
  path: string;
  content?: string;
}

function createStream(): { commit(i: number): void; text(): string } {
  const parts: string[] = [];
  const files = new Map<string, string[]>();
  const random = createRandom(20_261_120);
  let seconds = Date.UTC(2020, 0, 6) / 1000;
  let last: { path: string; line: number; subject: string } | undefined;

  function commit(i: number): void {
    seconds += 600 + Math.floor(random() * 10_000);
    const area = AREAS[Math.floor(random() ** 2 * AREAS.length)] ?? 'auth';
    const part = PARTS[Math.floor(random() * PARTS.length)] ?? 'index';
    const thing = THINGS[Math.floor(random() * THINGS.length)] ?? '';
    const kind = random();
    if (i % 997 === 996) write(i, `chore: remove the old ${area}`, removal(area, i));
    else if (i % 499 === 498) write(i, 'style: format everything', bulk());
    else if (kind < 0.25 && last && random() < 0.3) fixAgain(i, last);
    else work(i, { area, part, thing, kind });
  }

  function work(
    i: number,
    { area, part, thing, kind }: { area: string; part: string; thing: string; kind: number },
  ): void {
    const path = `src/${area}/${part}.ts`;
    const isFix = kind < 0.35 || (part === 'retry' && kind < 0.7);
    const subject = `${isFix ? 'fix' : 'feat'}(${area}): ${isFix ? 'handle' : 'allow'} ${thing} in the ${part}`;
    const line = edit(path, i);
    const changes: Change[] = [{ path, content: contentOf(path) }];
    if (random() < 0.7) changes.push({ path: `test/${area}/${part}.test.ts`, content: `test ${i}\n` });
    if (part === 'types' && random() < 0.8) changes.push({ path: `docs/api/${area}.md`, content: `Version ${i}.\n` });
    if (random() < 0.1) changes.push({ path: 'package-lock.json', content: `{"lock": ${i}}\n` });
    if (isFix) last = { path, line, subject };
    write(i, subject, changes);
  }

  function fixAgain(i: number, { path, line, subject }: NonNullable<typeof last>): void {
    edit(path, i, line);
    last = undefined;
    write(i, subject.replace('handle', 'really handle'), [{ path, content: contentOf(path) }]);
  }

  /** Changes one line of a file and gives its number. */
  function edit(path: string, i: number, at?: number): number {
    const lines =
      files.get(path) ?? Array.from({ length: 60 }, (_, n) => `export const line${n} = compute(${n}, '${path}');`);
    const line = at ?? Math.floor(random() * lines.length);
    lines[line] = `export const line${line} = compute(${line}, 'as of change ${i}');`;
    files.set(path, lines);
    return line;
  }

  function contentOf(path: string): string {
    return `${(files.get(path) ?? []).join('\n')}\n`;
  }

  function removal(area: string, i: number): Change[] {
    const path = `src/old-${area}/part-${i - 1}.ts`;
    write(i - 0.5, `feat: keep the old ${area} beside the new one`, [
      { path, content: 'export const kept = "for now";\n'.repeat(400) },
    ]);
    return [{ path }];
  }

  function bulk(): Change[] {
    return [...files.keys()].slice(0, 60).map((path) => ({ path, content: `${contentOf(path)}// formatted\n` }));
  }

  function write(i: number, subject: string, changes: Change[]): void {
    const message = i % 151 === 150 ? revertOf(subject) : subject;
    const by = `Somebody <somebody@example.com> ${seconds} +0000`;
    parts.push(`commit refs/heads/main\nauthor ${by}\ncommitter ${by}\n${data(message)}`);
    for (const { path, content } of changes) {
      parts.push(content === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`);
    }
  }

  return { commit, text: () => parts.join('') };
}

/** Ids are known to git only, so the original is named by its subject alone. */
function revertOf(subject: string): string {
  return `Revert "${subject}"\n\nThe queue stood still for an hour after the release.`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** A small generator of numbers from 0 to 1, the same everywhere (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
