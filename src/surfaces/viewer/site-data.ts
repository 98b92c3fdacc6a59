import { basename, dirname } from 'node:path';
import { readHead } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import { teamOnly, type Workspace } from '../../memory/store/workspace.ts';
import { recordedIn } from '../../provenance/recorded.ts';
import { marksByTarget, replacementsIn } from '../../provenance/relations.ts';
import { followingRenames } from '../../provenance/renamed-files.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { recordedCommit, trustReasons } from '../../provenance/why.ts';
import { type Annotated, presentable } from '../../records/annotate.ts';
import { readEverything } from '../../records/read.ts';
import { codeLinks } from '../../review/code-links.ts';
import { createSecretScanner } from '../../review/exposed.ts';
import { packageVersion } from '../../templates.ts';
import { fileOf } from './api/record.ts';
import { cardOf, filesOf, namesIn, rawText } from './cards.ts';
import type { Meta } from './protocol.ts';
import { markOf, provenanceOf } from './record-origin.ts';
import type { SiteData, SiteRecord } from './record-protocol.ts';

/**
 * The data of a site: the team's records, without the effect of private marks; redacted ones appear without text.
 * `untrusted` counts those left out because nobody reviewed them. The same memory at the same commit gives the same
 * data: no clock is involved.
 */
export async function siteData(workspace: Workspace): Promise<{ data: SiteData; untrusted: number }> {
  const team = teamOnly(workspace);
  const { records } = await readEverything(team);
  const all = records.filter(({ record }) => record.kind !== 'prompt');
  const chosen = all.filter(({ trust }) => isTrusted(trust)).map(presentable);
  const [writing, renames] = await Promise.all([recordWriter(team, chosen), renamesOf(team, chosen)]);
  const data = {
    meta: metaOf(team, chosen),
    records: chosen.map(writing),
    replacements: replacementsIn(chosen),
    renames,
  };
  return { data, untrusted: all.length - chosen.length };
}

function metaOf({ checkout, at }: Workspace, chosen: Annotated[]): Meta {
  const { root, commonDir } = checkout;
  const newest = chosen[0]?.record.generated.at ?? '1970-01-01T00:00:00Z';
  const cards = chosen.map((one) => cardOf(one));
  return {
    repository: basename(basename(commonDir) === '.git' ? dirname(commonDir) : root),
    branch: at === undefined ? (readHead(checkout).branch ?? null) : null,
    version: packageVersion(),
    live: false,
    revision: idOf(...cards.map(({ id }) => id)),
    ...namesIn(cards.filter(({ retired, redacted, superseded_by: [newer] }) => !retired && !redacted && !newer)),
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
  const paths = new Set(chosen.flatMap(({ cited }) => cited.map(({ path, movedTo }) => movedTo ?? path)));
  const files = chosen.map(({ entry }) => entry.path);
  const [recorded, reasonOf, links] = await Promise.all([
    recordedIn(workspace, files),
    trustReasons(workspace),
    codeLinks(workspace, workspace.at ?? 'HEAD', [...paths]),
  ]);
  const marks = marksByTarget(chosen);

  return (one) => {
    const { record, entry, state } = one;
    const found = recorded.get(entry.path);
    const origin = {
      trust_reason: reasonOf(one),
      ...(typeof found === 'object'
        ? { recorded: recordedCommit(found, one) }
        : found && { history_ends: true as const }),
    };
    return {
      card: cardOf(one),
      // A redaction mark contains hashes of the hidden text: in public they could be used for guessing.
      raw: state.redacted || (record.kind === 'mark' && record.type === 'redact') ? '' : rawText(one, workspace),
      // Its file name contains words of its title.
      path: state.redacted ? '.memory' : `.memory/${entry.path}`,
      subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
      facts: record.kind === 'observation' ? record.facts : [],
      files: filesOf(record).map((file) => fileOf(file, one, links)),
      provenance: provenanceOf(one, origin, links),
      marks: (marks.get(record.id) ?? []).map(markOf),
    };
  };
}

/**
 * The data to publish: searched for secrets once more, because published text cannot be taken back. `exposed` counts the
 * records that contained one; `onRecord` gets the progress.
 */
export async function coveredData(
  data: SiteData,
  onRecord: (done: number) => void,
): Promise<{ data: SiteData; exposed: number }> {
  const { scan, cover } = createSecretScanner();
  let exposed = 0;
  for (const [i, { raw }] of data.records.entries()) {
    if ((await scan(raw)).length > 0) exposed++;
    onRecord(i + 1);
  }
  // A commit subject is somebody else's text too.
  let isElsewhere = false;
  for (const subject of new Set(data.records.flatMap(({ provenance }) => provenance.recorded?.subject ?? []))) {
    if ((await scan(subject)).length > 0) isElsewhere = true;
  }
  return { data: exposed > 0 || isElsewhere ? throughout(data, cover) : data, exposed };
}

/** The same value with every text in it changed. */
function throughout<T>(value: T, change: (text: string) => string): T;
function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => throughout(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, throughout(one, change)]));
}
