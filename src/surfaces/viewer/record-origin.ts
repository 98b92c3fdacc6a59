import { makerWords } from '../../memory/author.ts';
import { isContent } from '../../memory/record.ts';
import type { CommitInfo } from '../../provenance/recorded.ts';
import type { JudgedMark } from '../../provenance/relations.ts';
import type { Origin } from '../../provenance/why.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { CodeLinks } from '../../review/code-links.ts';
import type { Commit, RecordPage } from './protocol-record.ts';

/** The properties of a commit that a page shows. */
export type ShownCommit = Pick<CommitInfo, 'commit' | 'subject' | 'author' | 'date'>;

/** Where a record comes from, without its prompt. */
export function provenanceOf(
  { record, readTokens }: Annotated,
  { trust_reason, recorded, history_ends, reverted_by }: Origin,
  links?: CodeLinks,
): RecordPage['provenance'] {
  const made = isContent(record) ? record : undefined;
  return {
    by: makerWords(record.generated),
    extractor: made?.extractor ?? null,
    prompt: null,
    prompt_number: record.prompt_number ?? null,
    trust_reason,
    recorded: recorded ? { ...commitOf(recorded, links), with_change: recorded.with_change } : null,
    history_ends: history_ends ?? false,
    reverted_by: reverted_by?.commit ?? null,
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
