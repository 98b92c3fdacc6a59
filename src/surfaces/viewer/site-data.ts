import { basename, dirname } from 'node:path';
import { readHead } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { teamOnly, type Workspace } from '../../memory/store/workspace.ts';
import type { FileFreshness } from '../../provenance/freshness.ts';
import { type Change, changesSince, wholeLog } from '../../provenance/history.ts';
import { isRecentEnough } from '../../provenance/landing.ts';
import { requestNamedIn } from '../../provenance/pull-request.ts';
import { marksByTarget, replacementsIn } from '../../provenance/relations.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { judgeOf } from '../../provenance/whereabouts.ts';
import { trustReasons } from '../../provenance/why.ts';
import { type Annotated, presentable } from '../../recall/query/annotate.ts';
import { readEverything } from '../../recall/query/read.ts';
import { followingRenames } from '../../recall/query/renamed-files.ts';
import { withReverts } from '../../recall/query/reverted.ts';
import { codeLinks } from '../../review/code-links.ts';
import { packageVersion } from '../../templates.ts';
import { countsOf } from './api/insight.ts';
import { namesIn } from './api/meta.ts';
import { cardOf, filesOf } from './cards.ts';
import type { Meta } from './protocol.ts';
import type { FileOfRecord } from './protocol-record.ts';
import type { SiteData, SiteRecord } from './protocol-site.ts';
import { commitOf, markOf, provenanceOf, type ShownCommit } from './record-origin.ts';

export interface SiteOptions {
  /** The site's title; defaults to the name of the repository's folder. */
  title?: string | undefined;
  /** Include records that nobody reviewed, or that were edited since. */
  everyTrust: boolean;
}

/** The data of a site, and how many of the team's records it leaves out because nobody reviewed them. */
export interface Gathered {
  data: SiteData;
  untrusted: number;
}

/**
 * The data of a site: the team's records, without the effect of private marks; redacted ones appear without text. The
 * same memory at the same commit gives the same data: no clock is involved.
 */
export async function siteData(workspace: Workspace, { title, everyTrust }: SiteOptions): Promise<Gathered> {
  const team = teamOnly(workspace);
  const { records } = await readEverything(team);
  const all = records.filter(({ record }) => record.kind !== 'prompt');
  const shown = all.filter(({ trust }) => everyTrust || isTrusted(trust)).map(presentable);
  const chosen = await withReverts(team, shown);
  const [writing, counts, renames] = await Promise.all([
    recordWriter(team, chosen),
    countsOf(team, chosen),
    renamesOf(team, chosen),
  ]);
  const data = {
    meta: metaOf(team, chosen, title),
    insight: counts,
    records: chosen.map(writing),
    replacements: replacementsIn(chosen),
    renames,
  };
  return { data, untrusted: all.length - shown.length };
}

function metaOf({ checkout, at }: Workspace, chosen: Annotated[], title: string | undefined): Meta {
  const { root, commonDir } = checkout;
  const newest = chosen[0]?.record.generated.at ?? '1970-01-01T00:00:00Z';
  const cards = chosen.map((one) => cardOf(one));
  return {
    repository: title ?? basename(basename(commonDir) === '.git' ? dirname(commonDir) : root),
    branch: at === undefined ? (readHead(checkout).branch ?? null) : null,
    version: packageVersion(),
    live: false,
    revision: idOf(...cards.map(({ id }) => id)),
    ...namesIn(cards),
    at: newest,
  };
}

/** Cited files that were renamed, so that the page's filter finds their records by either path. */
async function renamesOf(workspace: Workspace, chosen: Annotated[]): Promise<SiteData['renames']> {
  const files = [...new Set(chosen.flatMap(({ record }) => filesOf(record).map(({ path }) => path)))];
  return followingRenames(workspace, { file: files }, async (nowOf) =>
    files.flatMap((path): SiteData['renames'] => {
      const now = nowOf?.(path);
      return now === undefined ? [] : [[path, now]];
    }),
  );
}

/** Returns a function that converts one record, after asking git and the other records about all of them. */
async function recordWriter(workspace: Workspace, chosen: Annotated[]): Promise<(one: Annotated) => SiteRecord> {
  const anchors = chosen.map(({ record }) => anchorsOf(record));
  const judge = await judgeOf(workspace, anchors);
  const paths = new Set(chosen.map(({ entry }) => `.memory/${entry.path}`));
  for (const [path, blob] of anchors.flatMap((of) => Object.entries(of))) {
    paths.add(path).add(judge.detail(path, blob).movedTo ?? path);
  }
  const [log, reasonOf, links] = await Promise.all([
    wholeLog(workspace, paths),
    trustReasons(workspace),
    codeLinks(workspace, workspace.at ?? 'HEAD', [...paths]),
  ]);
  const marks = marksByTarget(chosen);

  function fileOf(own: MemoryRecord, { path, change }: ReturnType<typeof filesOf>[number]): FileOfRecord {
    const blob = anchorsOf(own)[path];
    const { freshness, movedTo }: FileFreshness =
      blob === undefined ? { freshness: 'unknown' } : judge.detail(path, blob);
    const url = links?.files.get(movedTo ?? path);
    const file = { path, change, freshness, url, now_at: movedTo ?? null, commits_since: null, last_commit: null };
    if (blob === undefined || freshness === 'unknown' || freshness === 'fresh') return file;
    const since = changesSince(log, { file: path, blob, after: undefined, ...(movedTo && { movedTo }) });
    const last_commit = since?.[0] ? commitOf(infoOf(since[0]), links) : null;
    return { ...file, commits_since: since?.length ?? null, last_commit };
  }

  return (one) => {
    const { record, entry, state } = one;
    const path = `.memory/${entry.path}`;
    const addition = log.get(path)?.at(-1);
    const [landed, added] = [landedIn(record, addition, log), addition].map((change) => change && infoOf(change));
    const pull_request = [landed, added].flatMap((commit) => (commit && requestNamedIn(commit.subject)) ?? [])[0];
    return {
      card: cardOf(one),
      raw: state.redacted || isRedaction(record) ? '' : workspace.stores.team.load(entry).text,
      // Its file name contains words of its title.
      path: state.redacted ? '.memory' : path,
      subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
      facts: record.kind === 'observation' ? record.facts : [],
      files: filesOf(record).map((file) => fileOf(record, file)),
      provenance: provenanceOf(one, { trust_reason: reasonOf(one), added, landed, pull_request }, links),
      marks: (marks.get(record.id) ?? []).map(markOf),
    };
  };
}

/**
 * The commit that landed the work: the record's own if it changes one of the files, otherwise the one that added their
 * content.
 */
function landedIn(
  record: MemoryRecord,
  added: Change | undefined,
  log: ReadonlyMap<string, Change[]>,
): Change | undefined {
  if (record.kind !== 'observation') return undefined;
  const changes = record.files_modified.flatMap((path) =>
    (log.get(path) ?? []).map((change) => ({
      change,
      isIts: change.blob === record.anchors[path] && isRecentEnough(change.commit.date, record),
    })),
  );
  const together = changes.find(({ change }) => change.hash === added?.hash);
  return (together ?? changes.findLast(({ isIts }) => isIts))?.change;
}

function infoOf({ hash, commit }: Change): ShownCommit {
  return { ...commit, commit: hash };
}

/** A redaction mark contains hashes of the hidden text: in public they could be used for guessing. */
function isRedaction(record: MemoryRecord): boolean {
  return record.kind === 'mark' && record.type === 'redact';
}

function anchorsOf(record: MemoryRecord): Record<string, string> {
  return record.kind === 'observation' ? record.anchors : {};
}
