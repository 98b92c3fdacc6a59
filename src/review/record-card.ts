import { type Author, authorOf, makerWords } from '../memory/author.ts';
import { isContent, type Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { codeLinks } from './code-links.ts';
import type { Comparison } from './diff.ts';
import type { Item } from './review-item.ts';

/** A new or changed observation for a person to judge, without detected secrets. */
export interface RecordCard {
  item: Item;
  author: Author;
  /** Who or what wrote it, according to the record. */
  by: string;
  session: string;
  narrative: string;
  facts: string[];
  /** The cited files, with an address for each that exists at the head. */
  files: { path: string; link: string | undefined }[];
  replaces: { id: string; title: string }[];
  /** The changed fields of an edited record. */
  changes: string[];
}

/** Most cited files that a card names: a comment on a pull request has few lines for each record. */
const MOST_FILES = 12;

/** The added and edited observations of a comparison, changed ones first; without redacted ones. Two git children. */
export async function recordCards(workspace: Workspace, comparison: Comparison): Promise<RecordCard[]> {
  const { diff, head, base, safe } = comparison;
  const changed = [...diff.edited, ...diff.added.map((item) => ({ ...item, changes: [] }))];
  const redacted = new Set(diff.redacted.map(({ id }) => id));
  const chosen = changed.flatMap(({ changes, ...item }) => {
    const record = head.byId.get(item.id)?.record;
    return record?.kind === 'observation' && !redacted.has(item.id) ? [{ item, changes, record }] : [];
  });
  const cited = chosen.flatMap(({ record }) => citedBy(record));
  const links = await codeLinks(workspace, diff.head === 'worktree' ? 'HEAD' : diff.head, cited);
  const titleOf = (id: string) => {
    const replaced = head.byId.get(id)?.record ?? base.byId.get(id)?.record;
    return replaced && isContent(replaced) ? replaced.title : '';
  };
  return Promise.all(
    chosen.map(async ({ item, changes, record }): Promise<RecordCard> => {
      const texts = (values: string[]) => Promise.all(values.map(safe));
      return {
        item,
        changes,
        author: authorOf(record),
        by: await safe(makerWords(record.generated)),
        session: await safe(record.session ?? ''),
        narrative: await safe(record.narrative),
        facts: await texts(record.facts),
        files: (await texts(citedBy(record))).map((path) => ({ path, link: links?.files.get(path) })),
        replaces: await Promise.all(
          record.supersedes.map(async (id) => ({ id: await safe(id), title: await safe(titleOf(id)) })),
        ),
      };
    }),
  );
}

function citedBy({ files_modified, files_read }: Observation): string[] {
  return [...new Set([...files_modified, ...files_read])].slice(0, MOST_FILES);
}
