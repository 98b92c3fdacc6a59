import { readTemplate } from '../templates.ts';
import type { SetupFile } from './setup-file.ts';

/** The path, in a folder of skills, of the skill that teaches an agent to search the memory. */
export const SKILL = 'mem-search/SKILL.md';

export const SKILL_TEXT = readTemplate(`skills/${SKILL}`);

const MARK = '<!-- Written by git-mem.';

/** Our skill in a host's folder of skills: ours as long as it has our mark, whatever else it contains. */
export function skillFile(folder: string): SetupFile {
  const path = `${folder}/${SKILL}`;
  const isOurs = (text: string) => text.includes(MARK);
  // Git may have checked it out with different line ends.
  const isCurrent = (text: string) => text.replaceAll('\r\n', '\n') === SKILL_TEXT;
  return {
    path,
    mark: MARK,
    add: (current) => (current === undefined || (isOurs(current) && !isCurrent(current)) ? SKILL_TEXT : current),
    remove: (current) => (isOurs(current) ? undefined : current),
    missing: (current) => (isOurs(current) && !isCurrent(current) ? [path] : []),
  };
}
