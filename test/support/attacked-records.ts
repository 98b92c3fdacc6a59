import { blobId, idOf } from '../../src/memory/id.ts';
import type { Mark, MemoryRecord, Observation, Prompt, Summary } from '../../src/memory/record.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import type { TestRepository } from './repository.ts';
import { drop, markOf, observationOf, promptOf, put, summaryOf } from './written-records.ts';

/** The file that every attacked record cites. */
export const ATTACKED_FILE = 'src/auth.ts';
/** A question that their words answer. */
export const ATTACKED_PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
/** What tells an attacker's words from ours. */
export const MARK = /Zqx\d+W\d+/;

const AT = new Date().toISOString().replace(/\.\d+/, '');

/** A record of every kind, with an attack in every field that can hold one. */
export interface Attacked {
  observation: Observation;
  summary: Summary;
  /** The observation is pinned by it, or verified. */
  mark: Mark;
  prompt: Prompt;
}

/** The records of one attack; their ids are the attack's. */
export function attacked({ name, text, mark }: Attack): Attacked {
  const common = {
    session: text,
    branch: text,
    prompt_number: 1,
    extra: { [mark]: text },
    generated: { by: text, at: AT },
  };
  const titled = { ...common, title: `clock skew ${text}` };
  const id = idOf('attack', name);
  const isPinned = ATTACKS.findIndex((one) => one.name === name) % 2 === 0;
  return {
    observation: observationOf({
      id,
      ...titled,
      subtitle: text,
      narrative: `After login users get a 401. ${text}`,
      facts: [text, `a fact ${text}`],
      concepts: [text],
      extractor: text,
      files_modified: [ATTACKED_FILE, `src/${mark}/${text}`],
      files_read: [text],
    }),
    summary: summaryOf({
      id: idOf('attack of a summary', name),
      ...titled,
      files_edited: [text],
      request: text,
      investigated: text,
      learned: text,
      completed: text,
      next_steps: text,
      notes: text,
    }),
    mark: markOf({
      id: idOf('attack of a mark', name),
      ...common,
      type: isPinned ? 'pin' : 'verify',
      targets: [id, text],
      reason: `clock skew ${text}`,
    }),
    prompt: promptOf({ id: idOf('attack of a prompt', name), ...common, text: `clock skew ${text}` }),
  };
}

/** Something that was true and is taken back, with an attack in the reason: reviews tell why. */
export function retired({ name, text }: Attack): [Observation, Mark] {
  const id = idOf('taken back', name);
  const type = ATTACKS.findIndex((one) => one.name === name) % 2 === 0 ? 'retire' : 'redact';
  return [
    observationOf({ id, title: 'It was true once', generated: { by: 'test', at: AT } }),
    markOf({ id: idOf('taking back', name), type, targets: [id], reason: text, generated: { by: 'test', at: AT } }),
  ];
}

/** Writes the records of an attack as git-mem does, prompts where they belong; gives their files. */
export function putAttacked(repository: TestRepository, attack: Attack): string[] {
  return Object.values(attacked(attack)).map((record: MemoryRecord) =>
    put(repository, record, record.kind === 'prompt' ? 'private' : 'team'),
  );
}

/** Writes them as a stranger's branch brings them, prompts too; gives their files. */
export function dropAttacked(repository: TestRepository, attack: Attack): string[] {
  return Object.values(attacked(attack)).map((record: MemoryRecord) => drop(repository, record));
}

/** What nobody attacks with, about the same file. */
export const harmless = observationOf({
  id: idOf('plain'),
  title: 'Clock skew is tolerated',
  files_modified: [ATTACKED_FILE],
  anchors: { [ATTACKED_FILE]: blobId('auth\n') },
});
