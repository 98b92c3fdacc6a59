import fc from 'fast-check';
import { GitMemError } from '../../src/errors.ts';

/** The place in which targets run: a repository with a memory, and a folder next to it. */
export interface FuzzPlace {
  folder: string;
  root: string;
  env: Record<string, string | undefined>;
}

/** What came of many inputs. */
export interface Fuzzed {
  inputs: number;
  /** CPU time of the input that took longest, in milliseconds. */
  slowestMs: number;
  slowest: string;
  /** Inputs with what they brought about that is not an answer. */
  crashes: { input: string; error: string }[];
}

/** Something that takes what others wrote. */
export interface FuzzTarget {
  name: string;
  /** Inputs in the benchmark. */
  inputs: number;
  fuzz(place: FuzzPlace, options: { seed: number; inputs: number }): Promise<Fuzzed>;
}

/** What a target does with one input; a GitMemError is an answer, anything else that is thrown a crash. */
type Take<T> = (input: T) => unknown;

/** What a target opens in a place, once for all inputs. `cpuMs` is of the process that does the work. */
interface Opened<T> {
  take: Take<T>;
  cpuMs?: () => number;
  close?: () => Promise<void>;
}

/** Inputs that are made at once: they are kept until the last of them was taken. */
const AT_ONCE = 250;

/** A target that opens something before the first input. */
export function target<T>(
  name: string,
  inputs: number,
  input: fc.Arbitrary<T>,
  open: (place: FuzzPlace) => Opened<T> | Promise<Opened<T>>,
): FuzzTarget {
  return {
    name,
    inputs,
    async fuzz(place, options) {
      const { take, cpuMs = ownCpuMs, close } = await open(place);
      const report: Fuzzed = { inputs: 0, slowestMs: 0, slowest: '', crashes: [] };
      try {
        for (let done = 0; done < options.inputs; done += AT_ONCE) {
          const numRuns = Math.min(AT_ONCE, options.inputs - done);
          for (const one of fc.sample(input, { seed: options.seed + done, numRuns })) {
            const started = cpuMs();
            const error = await errorOf(take, one);
            const ms = cpuMs() - started;
            report.inputs++;
            if (ms > report.slowestMs) Object.assign(report, { slowestMs: ms, slowest: shown(one) });
            if (error !== undefined) report.crashes.push({ input: shown(one), error });
          }
        }
      } finally {
        await close?.();
      }
      return report;
    },
  };
}

/** A target without anything to open. */
export function pure<T>(name: string, inputs: number, input: fc.Arbitrary<T>, take: Take<T>): FuzzTarget {
  return target(name, inputs, input, () => ({ take }));
}

async function errorOf<T>(take: Take<T>, input: T): Promise<string | undefined> {
  try {
    await take(input);
    return undefined;
  } catch (error) {
    if (error instanceof GitMemError) return undefined;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function shown(input: unknown): string {
  return fc.stringify(input).slice(0, 400);
}
