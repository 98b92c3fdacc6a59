import { readTemplate } from '../templates.ts';
import { biomeOff, ownProgram, type SetupFile, startingFile } from './setup-file.ts';

/** The store that captured records first go to. */
export type Destination = 'team' | 'private';

/** The launcher that the agents' hooks call, relative to the top of the worktree. */
export const LAUNCHER = '.memory/hook';

/** The team's settings. */
export const CONFIG = '.memory/config.yaml';

/** Keeps formatters, linters and packages out of records. One line each, so that no formatter changes them. */
const KEPT_OUT: Record<string, string> = {
  '.npmignore': '*\n',
  '.prettierrc': '{ "requirePragma": true }\n',
  '.markdownlint.json': '{ "default": false }\n',
};

/** The files in `.memory/` besides records. Without `root` all that `init` may write. */
export function memoryFiles(destination: Destination = 'team', root?: string): SetupFile[] {
  const config = { team: readTemplate('init/config.yaml'), private: privateConfig() };
  return [
    startingFile('.memory/README.md', readTemplate('init/README.md')),
    startingFile('.memory/.gitattributes', readTemplate('init/gitattributes')),
    ...Object.entries(KEPT_OUT).map(([name, text]) => startingFile(`.memory/${name}`, text)),
    ...biomeOff('.memory', root),
    startingFile(CONFIG, config[destination], Object.values(config)),
    ownProgram(LAUNCHER, readTemplate('init/hook'), 'Written by `git mem init`'),
  ];
}

/** The template with `capture.destination: private` set, at the place where it is explained. */
function privateConfig(): string {
  return readTemplate('init/config.yaml')
    .replace('# capture:', 'capture:')
    .replace(/^# ( {2}destination: )team$/m, '$1private');
}
