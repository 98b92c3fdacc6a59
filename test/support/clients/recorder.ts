import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../src/json.ts';
import type { TestRepository } from '../repository.ts';

/** One call of the launcher: the client's payload and the reply. */
export interface RecordedCall {
  event: string;
  /** When it began (ISO 8601, UTC). */
  at: string;
  payload: Record<string, unknown>;
  reply: string;
}

/** Stands between a client and the launcher of a repository. */
export interface Recorder {
  /** What the client reported so far, in the order in which it began to. */
  calls(): RecordedCall[];
  /** Puts the launcher back as it was. */
  remove(): void;
}

/** Puts a script in the launcher's place that keeps what goes through it. */
export function recordCalls({ root, folder }: TestRepository): Recorder {
  const out = join(folder, 'recorded');
  const [launcher, aside] = [join(root, '.memory/hook'), join(root, '.memory/hook-itself')];
  mkdirSync(out);
  renameSync(launcher, aside);
  writeFileSync(
    launcher,
    `n='${out}'/$(date +%s%N)-$$
cat >"$n.in"
sh '${aside}' "$@" <"$n.in" >"$n.out"
printf '%s' "$2" >"$n.event"
cat "$n.out"
`,
  );
  const read = (name: string, part: string) => readFileSync(join(out, `${name}.${part}`), 'utf8');
  return {
    calls() {
      const ended = readdirSync(out).filter((name) => name.endsWith('.event'));
      return ended.sort().map((file) => {
        const name = file.slice(0, -'.event'.length);
        const payload: unknown = JSON.parse(read(name, 'in'));
        const at = new Date(Number.parseInt(name, 10) / 1e6).toISOString();
        return { event: read(name, 'event'), at, payload: isObject(payload) ? payload : {}, reply: read(name, 'out') };
      });
    },
    remove: () => renameSync(aside, launcher),
  };
}
