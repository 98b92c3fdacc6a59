import type { Generated } from './record.ts';

/** Who wrote a record, in the order of how well each knows what is worth remembering. */
export const AUTHORS = ['person', 'agent', 'model', 'rules', 'bootstrap'] as const;
export type Author = (typeof AUTHORS)[number];

/**
 * Who wrote a record, by what it says of its making: `extractor` is `agent`, `rules/1`, `bootstrap`, `import/serena`, a
 * model's `provider/model`, or absent where somebody wrote it by hand.
 */
export function authorOf({
  generated,
  extractor,
}: {
  generated: Pick<Generated, 'by'>;
  extractor?: string | undefined;
}): Author {
  if (extractor === undefined || extractor === '') {
    // The server's tools are the agent's hands; before it named itself, it signed so.
    return generated.by === 'mcp' ? 'agent' : 'person';
  }
  const [kind = '', what] = extractor.split('/');
  switch (kind) {
    case 'agent':
    case 'rules':
    case 'bootstrap':
      return kind;
    case 'import':
      // Of past transcripts the rules made records; other imports are notes that were kept before git-mem.
      return what === 'transcripts' ? 'rules' : 'person';
    default:
      return what === undefined ? 'person' : 'model';
  }
}

/** Who made a record or mark, for people: a name and where it was done, else the host. */
export function makerWords({ by, name }: Generated): string {
  return name === undefined ? by : `${name} (${by})`;
}
