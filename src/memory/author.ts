import type { Generated } from './record.ts';

/** Who wrote a record, ordered by how well each knows what is worth remembering. */
export const AUTHORS = ['person', 'agent', 'model', 'bootstrap'] as const;
export type Author = (typeof AUTHORS)[number];

/**
 * Who wrote a record, according to its own fields: `extractor` is `agent`, `bootstrap`, `import/serena`, a
 * model's `provider/model`, or absent if somebody wrote it by hand.
 */
export function authorOf({
  generated,
  extractor,
}: {
  generated: Pick<Generated, 'by'>;
  extractor?: string | undefined;
}): Author {
  if (extractor === undefined || extractor === '') {
    // Agents call the server's tools; before agents were named, the server signed their records as `mcp`.
    if (generated.by === 'mcp') return 'agent';
    // From another tool that does not say who wrote it.
    return generated.by === 'import' ? 'model' : 'person';
  }
  const [kind = '', what] = extractor.split('/');
  switch (kind) {
    case 'agent':
    case 'bootstrap':
      return kind;
    case 'import':
      // Notes that people kept before git-mem.
      return 'person';
    default:
      return what === undefined ? 'person' : 'model';
  }
}

/** Who made a record or mark, for people: the name and where it was made, else the host. */
export function makerWords({ by, name }: Generated): string {
  return name === undefined ? by : `${name} (${by})`;
}
