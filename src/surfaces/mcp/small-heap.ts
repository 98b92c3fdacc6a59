import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 prefer little memory over speed, for a process that lives as long as an agent's session and mostly waits. To
 * be called before anything large is loaded, because a heap that has grown keeps its nursery: what a tool call leaves
 * behind is garbage at once, and in a nursery of the usual 16 MB, twice, it would stay resident.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
  // Without the last compiler: what it makes, and works with, is 10 MB of 87, and searches take a fifth longer.
  setFlagsFromString('--no-opt');
}
