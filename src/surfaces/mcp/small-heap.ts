import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 prefer low memory use over speed, for a process that lives as long as an agent's session and mostly waits.
 * Call it before anything large is loaded, because a heap that has grown keeps its nursery: a tool call's leftovers are
 * garbage at once, and in a nursery of the usual 16 MB, twice, they would stay resident.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}
