import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '../../../src/json.ts';
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

/**
 * Puts scripts in the places of the launcher and of the program on PATH, which a host's own settings call, that keep what
 * goes through them.
 */
export function recordCalls({ root, folder }: TestRepository): Recorder {
  const out = join(folder, 'recorded');
  mkdirSync(out);
  const recording = (run: string, event: string) => `n='${out}'/$(date +%s%N)-$$
cat >"$n.in"
${run} "$@" <"$n.in" >"$n.out"
printf '%s' "${event}" >"$n.event"
cat "$n.out"
`;
  const launcher = inPlaceOf(join(root, '.memory/hook'), (itself) => {
    // The call of a tool is no event.
    return `if [ "$2" = mcp ]; then exec sh '${itself}' "$@"; fi\n${recording(`sh '${itself}'`, '$2')}`;
  });
  // What the launcher asks is recorded there.
  const program = inPlaceOf(join(folder, 'bin/git-mem'), (itself) => {
    const isOther = '[ "$1" != hook ] || [ -n "$GIT_MEM_REPLY" ]';
    return `#!/bin/sh\nif ${isOther}; then exec '${itself}' "$@"; fi\n${recording(`'${itself}'`, '$3')}`;
  });
  const read = (name: string, part: string) => readFileSync(join(out, `${name}.${part}`), 'utf8');
  return {
    calls() {
      const ended = readdirSync(out).filter((name) => name.endsWith('.event'));
      return ended.sort().map((file) => {
        const name = file.slice(0, -'.event'.length);
        const payload = fieldsOf(JSON.parse(read(name, 'in')));
        const at = new Date(Number.parseInt(name, 10) / 1e6).toISOString();
        // The name may be left out where the payload has it.
        const event = read(name, 'event') || String(payload.hook_event_name);
        return { event, at, payload, reply: read(name, 'out') };
      });
    },
    remove() {
      launcher.putBack();
      program.putBack();
    },
  };
}

/** Puts a script in a program's place, which moves aside. */
function inPlaceOf(path: string, script: (itself: string) => string): { putBack(): void } {
  const itself = `${path}-itself`;
  renameSync(path, itself);
  writeFileSync(path, script(itself), { mode: 0o755 });
  return { putBack: () => renameSync(itself, path) };
}
