import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonical } from '../../src/memory/canonical.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath, wholeSeconds } from '../../src/memory/file-name.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { PICTURED_FINDINGS } from './pictured-findings.ts';

const DAYS = 83;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

/** How many findings, the last ones, are on the branch under review. */
const UNDER_REVIEW = 3;

/** A repository with a memory that grew over three months, reviewed but for its branch; and a record to show. */
export async function picturedMemory(folder: string, program: string): Promise<Scratch & { record: string }> {
  const scratch = await createScratch(folder, readRecording(), program);
  const { repository, git } = scratch;
  const records = recordsOf(Date.now());
  const [reviewed, added] = [records.slice(0, -UNDER_REVIEW), records.slice(-UNDER_REVIEW)];
  for (const { files_modified } of records)
    write(repository, files_modified[0] ?? '', contentOf(files_modified[0] ?? ''));
  await git.add('--all').commit('The service (#12)');
  for (const record of reviewed) write(repository, `.memory/${storePath(record)}`, encode(record));
  await git.add('--all').commit('Memory (#118)');
  for (const file of ['src/mail/template.ts', 'src/api/pagination.ts']) write(repository, file, `// ${file}, by now\n`);
  await git.add('--all').commit('Mail and pages (#119)').checkoutLocalBranch('lease-renewal');
  write(repository, 'src/queue/lease.ts', '// renewed while it drains\n');
  for (const record of added) write(repository, `.memory/${storePath(record)}`, encode(record));
  await git.add('--all').commit('Renew leases while draining (#121)');
  const named = join(folder, 'courier');
  renameSync(repository, named);
  const record = records.find(({ title }) => title.startsWith('Jobs are leased'))?.id ?? '';
  const env = { ...scratch.env, GIT_MEM_TRUST_BRANCH: 'main' };
  return { ...scratch, env, repository: named, record };
}

/** One or two findings a session, sessions ever closer to each other, none on a weekend. */
function recordsOf(now: number): Observation[] {
  const told = PICTURED_FINDINGS.trim().split('\n\n');
  return told.map((text, index) => {
    const [first = '', title = '', narrative = '', ...facts] = text.split('\n');
    const [type = '', file = '', ...concepts] = first.split(' ');
    const session = (index * 5) >> 3;
    const ago = Math.round(DAYS * (1 - session / ((told.length * 5) / 8)) ** 1.3) + ((session * 3) % 4);
    const at = new Date(Math.floor(now / DAY_MS) * DAY_MS - ago * DAY_MS + (560 + index * 13) * MINUTE_MS);
    while (at.getUTCDay() % 6 === 0) at.setTime(at.getTime() - DAY_MS);
    return canonical<Observation>({
      kind: 'observation',
      id: idOf('pictured', title),
      type,
      title,
      narrative,
      facts,
      concepts,
      files_modified: [file],
      files_read: [],
      anchors: { [file]: blobId(contentOf(file)) },
      supersedes: title.startsWith('Jobs are leased')
        ? [idOf('pictured', 'Jobs are locked by an advisory lock of the database')]
        : [],
      branch: index < told.length - UNDER_REVIEW ? 'main' : 'lease-renewal',
      session: idOf('session', String(session)),
      generated: { by: 'claude-code/2.1.329', at: wholeSeconds(at) },
      extractor: 'anthropic/claude-haiku-4-5',
      prompt_number: (index % 4) + 1,
      discovery_tokens: 4000 + ((index * 977) % 9000),
    });
  });
}

function contentOf(file: string): string {
  return `// ${file}\n`;
}

function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
