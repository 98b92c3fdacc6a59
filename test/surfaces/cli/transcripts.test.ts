import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runTranscript } from '../../support/transcript.ts';

const FOLDER = resolve('test/surfaces/cli/transcripts');

/** `npx vitest run transcripts --update` writes what the commands print now; the difference is for review. */
it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))('%s', async (name) => {
  const path = join(FOLDER, name);
  await expect(await runTranscript(path)).toMatchFileSnapshot(path);
});
