import { makerWords } from '../../memory/author.ts';
import { isContent } from '../../memory/record.ts';
import type { CommitInfo } from '../../provenance/landing.ts';
import type { JudgedMark } from '../../provenance/relations.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { CodeLinks } from '../../review/code-links.ts';
import type { Commit, RecordPage } from './protocol-record.ts';

/** The properties of a commit that a page shows. */
export type ShownCommit = Pick<CommitInfo, 'commit' | 'subject' | 'author' | 'date'>;

/** Where a record comes from, without its prompt. */
export function provenanceOf(
  { record, readTokens }: Annotated,
  origin: {
    trust_reason: string;
    added?: ShownCommit | undefined;
    landed?: ShownCommit | undefined;
    pull_request: string | undefined;
  },
  links?: CodeLinks,
): RecordPage['provenance'] {
  const made = isContent(record) ? record : undefined;
  const { trust_reason, added, landed, pull_request = null } = origin;
  return {
    by: makerWords(record.generated),
    extractor: made?.extractor ?? null,
    prompt: null,
    prompt_number: record.prompt_number ?? null,
    trust_reason,
    added: added ? commitOf(added, links) : null,
    landed: landed ? commitOf(landed, links) : null,
    pull_request,
    discovery_tokens: made?.discovery_tokens ?? null,
    read_tokens: readTokens,
  };
}

/** A commit for a page, with its address on the code host if that is known. */
export function commitOf({ commit, subject, author, date }: ShownCommit, links?: CodeLinks): Commit {
  return { commit, subject, author, at: new Date(date).toISOString(), ...(links && { url: links.commit(commit) }) };
}

export function markOf({ mark, trust, active }: JudgedMark): RecordPage['marks'][number] {
  const { id, type, reason, generated, guards } = mark;
  return {
    id,
    type,
    reason,
    by: makerWords(generated),
    created: generated.at,
    trust,
    active,
    ...(guards && { guards }),
  };
}
