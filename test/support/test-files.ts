import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Imports that make a file a system test, directly or through a support: other processes and sockets. */
const OUTSIDE = /from '(?:node:(?:child_process|http|net)|playwright-core|@modelcontextprotocol\/client\S*|esbuild)'/;

/** An import of types alone loads nothing. */
const RELATIVE_IMPORT = /^(?!import type )(?:import|export) [^']*from '(\.[^']+)'/gm;

/** The test files below a folder, by the project that runs them. */
export function testFiles(folder: string): { unit: string[]; hub: string[]; system: string[] } {
  const known = new Map<string, boolean>();
  const reachesOutside = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false); // Until it is known, so that a circle of imports ends.
    const text = readFileSync(file, 'utf8');
    const supports = [...text.matchAll(RELATIVE_IMPORT)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => path.startsWith(folder) && existsSync(path));
    const answer = OUTSIDE.test(text) || supports.some(reachesOutside);
    known.set(file, answer);
    return answer;
  };
  // What is tested end to end is the built program, also where a test only looks at its files.
  const isSystem = (file: string) => file.startsWith(join(folder, 'e2e')) || reachesOutside(file);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
  return {
    unit: files.filter((file) => !isSystem(file)),
    hub: files.filter((file) => isSystem(file) && file.startsWith(join(folder, 'hub'))),
    system: files.filter((file) => isSystem(file) && !file.startsWith(join(folder, 'hub'))),
  };
}
