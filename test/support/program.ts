import { resolve } from 'node:path';

/** The built program: `npm test` and `npm run bench` build it first. */
export const PROGRAM = resolve('dist/bin.cjs');
