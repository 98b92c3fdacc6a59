import { isNewer } from '../memory/format.ts';
import { splitFrontMatter } from '../memory/front-matter.ts';
import { isContent, LIMITS } from '../memory/record.ts';
import { error, type Problem } from './problem.ts';
import type { FiledRecord } from './records.ts';

/** How far another machine's clock may be ahead, in milliseconds. */
const AHEAD_MS = 60 * 60_000;

/**
 * Problems of records that parse but are not fit for others to read: no title or kind, an unknown type, no content, a
 * title that is not one, or a time that is invalid or in the future.
 */
export function contentProblems(records: FiledRecord[], { types, now }: { types: string[]; now: Date }): Problem[] {
  // Records by a newer version follow rules that are unknown here.
  return records.filter(({ record }) => !isNewer(record)).flatMap((filed) => problemsOf(filed, types, now));
}

function problemsOf({ record, text, file: { path } }: FiledRecord, types: string[], now: Date): Problem[] {
  const { data, body } = splitFrontMatter(text, path);
  const problem = (code: Problem['code'], message: string, hint: string) => error(code, path, message, hint, record.id);
  if (Object.keys(data).length === 0 && body.trim() === '') {
    return [problem('empty', 'It is empty.', 'Delete the file, or write its text.')];
  }
  const problems: Problem[] = [];
  if (data.kind === undefined) {
    const hint = `Write \`kind: ${record.kind}\`: another reader would have to guess.`;
    problems.push(problem('no-kind', 'It has no kind.', hint));
  }
  if (isContent(record)) {
    const title = typeof data.title === 'string' ? data.title.trim() : '';
    const length = [...title].length;
    if (title === '')
      problems.push(problem('no-title', 'It has no title.', 'Lists show nothing else: write one line.'));
    if (length > LIMITS.title) {
      const message = `Its title has ${length} characters, of at most ${LIMITS.title}.`;
      problems.push(problem('long-title', message, 'Put the gist in one line, and the rest below.'));
    }
  }
  if (record.kind === 'observation' && !types.includes(record.type)) {
    const hint = `Use ${types.join(', ')}, or name it under \`types\` in .memory/config.yaml.`;
    problems.push(
      problem('unknown-type', `Its type is ${JSON.stringify(record.type)}, which is not known here.`, hint),
    );
  }
  const at = Date.parse(record.generated.at);
  const shown = JSON.stringify(record.generated.at);
  const hint = 'Write generated.at as 2026-11-20T20:05:01Z.';
  if (Number.isNaN(at)) problems.push(problem('bad-date', `Its time is ${shown}, which is not a date.`, hint));
  else if (at > now.getTime() + AHEAD_MS) {
    problems.push(problem('bad-date', `Its time is ${shown}, which is in the future.`, hint));
  }
  return problems;
}
