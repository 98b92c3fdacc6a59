import { makerWords } from '../../memory/author.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { CommitInfo } from '../../provenance/recorded.ts';
import type { Judged, JudgedMark } from '../../provenance/relations.ts';
import type { Why } from '../../provenance/why.ts';
import type { Annotated } from '../../records/annotate.ts';
import { foldersOf, viewOf } from '../../records/view.ts';
import type { Context } from './command.ts';
import { fitted, lineWidth, minute, shown } from './print.ts';
import { shortIds, titleOf, trustWords } from './record-table.ts';

/** Most other records of a session, and most lines of a prompt, that are printed: the story should fit on a screen. */
const MOST = 12;

/** The story in its JSON shape. */
export function storyView(story: Why, found: Annotated, workspace: Workspace, records: Annotated[]) {
  const { prompt, session, commits, marks, cited_by, supersedes, superseded_by, trust_reason, files } = story;
  const { recorded = null, history_ends, history_unread, reverted_by: revert } = story;
  const title = titles(records);
  const brief = ({ record }: Judged) => ({ id: record.id, kind: record.kind, title: titleOf(record) });
  const named = (id: string) => ({ id, title: title.get(id) ?? null });
  const {
    session: sessionId,
    prompt_number,
    generated_by: by,
    generated_name: name,
    ...view
  } = viewOf(found, foldersOf(workspace));
  const { id, kind, type, title: said, path, store, created, branch, commit, trust, freshness, verified } = view;
  const about = { id, kind, type, title: said, path, store, created, by, name, branch, commit };
  const judged = { trust, trust_reason, freshness, verified, files };
  const inSession = { id: sessionId, prompt_number, records: session.map(brief), commits };
  return {
    ...about,
    ...judged,
    session: sessionId === null ? null : inSession,
    prompt: prompt?.text ?? null,
    recorded,
    ...(history_ends && { history_ends }),
    ...(history_unread && { history_unread }),
    reverted_by: revert === undefined ? null : { commit: revert.commit, subject: revert.subject },
    supersedes: supersedes.map(named),
    superseded_by: superseded_by.map(named),
    marks: marks.map(({ mark, trust, active }) => ({
      id: mark.id,
      type: mark.type,
      by: mark.by ?? null,
      ...(mark.guards && { guards: mark.guards, asks: mark.asks ?? null }),
      reason: mark.reason,
      generated_by: mark.generated.by,
      generated_name: mark.generated.name ?? null,
      created: mark.generated.at,
      trust,
      active,
    })),
    cited_by: cited_by.map(brief),
  };
}

/** Prints the story for people. */
export function printStory(story: Why, found: Annotated, workspace: Workspace, records: Annotated[], context: Context) {
  const { stdout, style } = context;
  const { record } = found;
  const columns = lineWidth(stdout);
  const ids = shortIds(
    workspace,
    records.map((one) => one.record.id),
  );
  const title = titles(records);
  const lines = [
    style('bold', shown(titleOf(record))),
    style('dim', `${record.id} (${record.kind}${record.kind === 'observation' ? `, ${shown(record.type)}` : ''})`),
    '',
  ];
  const section = (name: string, values: string[]) => {
    for (const [i, value] of values.slice(0, MOST).entries()) {
      lines.push(`${style('dim', (i === 0 ? name : '').padEnd(14))}${fitted(shown(value), columns - 14)}`);
    }
    if (values.length > MOST) lines.push(`${' '.repeat(14)}${values.length - MOST} more`);
  };
  const named = (id: string) => `${ids.get(id) ?? id} ${title.get(id) ?? '(not here)'}`;
  const idOf = (one: Judged) => one.record.id;
  section('captured', [captured(record)]);
  const prompt = (story.prompt?.text ?? '').split('\n').filter((line) => line.trim() !== '');
  section('prompt', prompt);
  section('session', record.session ? [sessionLine(record)] : []);
  section('with', story.session.map(idOf).map(named));
  section('its commits', story.commits.length > 0 ? [story.commits.map((id) => id.slice(0, 8)).join(', ')] : []);
  section('recorded in', recordedLines(story));
  section('trust', [`${trustWords(found).join(', ')}. ${story.trust_reason}`]);
  section(
    'files',
    story.files.map(({ path, change, freshness }) => `${path} (${change}, ${freshness})`),
  );
  section('replaces', story.supersedes.map(named));
  section('replaced by', story.superseded_by.map(named));
  section('marks', story.marks.map(markLine));
  section('cited by', story.cited_by.map(idOf).map(named));
  lines.push('', style('dim', shown(`${foldersOf(workspace)[found.entry.store]}/${found.entry.path}`)));
  stdout.write(`${lines.join('\n')}\n`);
}

function captured(record: Annotated['record']): string {
  const { generated, branch, commit } = record;
  const when = minute(generated.at);
  const where = [branch && `on ${branch}`, commit && `at ${commit.slice(0, 8)}`].filter(Boolean).join(' ');
  return `${when} by ${makerWords(generated)}${where ? `, ${where}` : ''}`;
}

function recordedLines({ recorded, history_ends, history_unread, reverted_by: revert }: Why): string[] {
  if (history_ends) return ['Unknown: the history here ends before it (a shallow clone).'];
  if (history_unread) return ['Unknown: the history was not read yet; `git mem sync` reads it.'];
  if (recorded === undefined) return [];
  const how = recorded.with_change ? 'with the change' : 'by itself';
  const reverted = revert && `Its change was reverted by ${revert.commit.slice(0, 8)}: ${revert.subject}`;
  return [`${commitLine(recorded)}, ${how}`, ...(reverted ? [reverted] : [])];
}

function sessionLine({ session, prompt_number }: Annotated['record']): string {
  return `${session}${prompt_number === undefined ? '' : `, prompt ${prompt_number}`}`;
}

function commitLine({ commit, date, author, subject }: CommitInfo): string {
  return `${commit.slice(0, 8)} ${date.slice(0, 10)} ${author}: ${subject}`;
}

function markLine({ mark, trust, active }: JudgedMark): string {
  const isTheirs = trust !== 'reviewed' && trust !== 'own';
  const activity = active ? '' : isTheirs ? ` (${trust}: it does not count)` : ' (undone)';
  const reason = mark.reason.replace(/\s+/g, ' ');
  const guards = mark.guards ? `, guards ${mark.guards.join(', ')}${mark.asks ? ' and asks' : ''}` : '';
  return `${mark.type}${activity} ${mark.generated.at.slice(0, 10)} by ${makerWords(mark.generated)}${guards}${reason ? `: ${reason}` : ''}`;
}

function titles(records: Annotated[]): Map<string, string> {
  return new Map(records.map(({ record }) => [record.id, titleOf(record)]));
}
