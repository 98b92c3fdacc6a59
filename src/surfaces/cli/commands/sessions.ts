import { Option } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { type DigestTurn, wordOf } from '../../../memory/session-digest.ts';
import { counted } from '../../../quantities.ts';
import { type Annotated, presentable } from '../../../records/annotate.ts';
import { readEverything } from '../../../records/read.ts';
import { SESSION_STATES, type Session } from '../../../records/session.ts';
import { turnsOf } from '../../../records/sessions.ts';
import { dateOf } from '../../../search/dates.ts';
import { type Command, type Context, define, type Flags, type Texts } from '../command.ts';
import { wholeNumber } from '../option-values.ts';
import { fitted, lineWidth, minute, printMore, shown } from '../print.ts';
import { printRecords, viewsOf } from '../record-table.ts';

type Options = Flags<'json'> &
  Texts<'branch' | 'host' | 'since' | 'until'> & { state?: Session['state']; limit: number };

/** Lines of a listing without `--limit`: about what a terminal shows. */
const LIMIT = 20;

export function register(program: Command, context: Context): void {
  const sessions = define(program, 'sessions', "list the agents' sessions in this clone, newest first")
    .addOption(new Option('--state <state>', 'only these').choices(SESSION_STATES))
    .option('--branch <name>', 'only those on this branch')
    .option('--host <name>', 'only those of this agent, such as codex')
    .option('--since <date>', 'begun on this day or later')
    .option('--until <date>', 'begun on this day or earlier')
    .option('-n, --limit <n>', 'at most this many', wholeNumber, LIMIT)
    .jsonAndNotes(`
A session is open until its agent reports the end, or for as long as \`capture.idle_after\` without an event; interrupted means
that its last turn has no end. What is shown comes from the records and from the private store of this clone.

Examples:
  git mem sessions
  git mem sessions --state interrupted --since "last week"
  git mem sessions show 65939976        turn by turn, with commits and records
  git mem timeline 65939976             the records that it left, in order`)
    .action(async (options: Options) => {
      const project = context.project();
      const { records } = await readEverything(project.workspace);
      const all = filtered(await project.sessions(records, context.now()), options, context.now());
      const chosen = all.slice(0, options.limit);
      if (options.json) return context.json({ total: all.length, sessions: chosen });
      if (all.length === 0) return context.say('No sessions.');
      printList(chosen, context);
      printMore(context, chosen.length, all.length);
    });
  define(sessions, 'show', 'tell the whole story of one session')
    .argument('<id>', 'the start of its id, or `last`')
    .jsonAndNotes('\nExamples:\n  git mem sessions show 65939976\n  git mem sessions show last')
    .action(async (given: string, { json = false }: Flags<'json'>) => {
      const project = context.project();
      const { records } = await readEverything(project.workspace);
      const session = named(await project.sessions(records, context.now()), given);
      const ids = new Set(session.records);
      const left = records.filter(({ record, entry }) => ids.has(record.id) && entry.kind !== 'mark').reverse();
      const turns = turnsOf(records, session.session);
      if (!json) return printOne(session, turns, left, context);
      context.json({ ...session, turns, records: viewsOf(left.map(presentable), project.workspace) });
    });
}

function filtered(all: Session[], options: Options, now: Date): Session[] {
  const { state, branch, host } = options;
  const since = options.since === undefined ? '' : dateOf(options.since, 'start', now);
  const until = options.until === undefined ? '~' : dateOf(options.until, 'end', now);
  return all.filter(
    (one) =>
      one.state === (state ?? one.state) &&
      one.branch === (branch ?? one.branch) &&
      one.host.startsWith(host ?? '') &&
      one.started >= since &&
      one.started <= until,
  );
}

/** The session whose id starts with this, or the `last`; throws no-such-record, ambiguous-id. */
function named(all: Session[], given: string): Session {
  const found = given === 'last' ? all.slice(0, 1) : all.filter(({ session }) => session.startsWith(given));
  const [only] = found;
  const checked = '`git mem doctor` says whether the hooks of your agents are in order.';
  if (all.length === 0) throw new GitMemError('no-such-record', 'There are no sessions yet.', { hint: checked });
  const hint = '`git mem sessions` lists them.';
  if (only === undefined) throw new GitMemError('no-such-record', `No session begins with "${given}".`, { hint });
  if (found.length > 1 && only.session !== given) {
    throw new GitMemError('ambiguous-id', `${found.length} sessions begin with "${given}".`, { hint });
  }
  return only;
}

/** Characters of a session's id that are shown: the first group of a UUID tells a clone's sessions apart. */
const ID_WIDTH = 8;

/** Width of a title below which a narrow terminal leaves out branch and duration. */
const TITLE_WIDTH = 40;

function printList(sessions: Session[], { stdout, style }: Context): void {
  const columns = lineWidth(stdout);
  const hostWidth = Math.max(...sessions.map(({ host }) => nameOf(host).length));
  for (const one of sessions) {
    const cells = [
      style('yellow', shown(one.session).slice(0, ID_WIDTH).padEnd(ID_WIDTH)),
      style('dim', minute(shown(one.started))),
      style('cyan', one.state.padEnd(11)),
      nameOf(one.host).padEnd(hostWidth),
    ];
    const used = ID_WIDTH + 1 + 16 + 1 + 11 + 1 + hostWidth + 1;
    const counts = countsOf(one);
    const more = [counts, one.branch && `on ${shown(one.branch)}`, lastingOf(one)].filter(Boolean).join(', ');
    const note = columns - used - more.length - 4 < TITLE_WIDTH ? counts : more;
    const title = fitted(shown(one.title), Math.max(20, columns - used - note.length - 4));
    stdout.write(`${cells.join(' ')} ${title}${style('dim', `  [${note}]`)}\n`);
  }
}

function printOne(session: Session, turns: DigestTurn[], left: Annotated[], context: Context): void {
  const { stdout, style } = context;
  const section = (name: string) => stdout.write(`\n${style('bold', name)}\n`);
  const line = (text: string) => stdout.write(`  ${shown(text)}\n`);
  stdout.write(`${style('bold', shown(session.title))}\n`);
  line(`session ${session.session}`);
  const lasting = lastingOf(session);
  line([session.host, session.branch && `on ${session.branch}`, session.state].filter(Boolean).join(', '));
  line(`${minute(session.started)}${session.ended ? ` to ${minute(session.ended)}` : ''}${lasting && ` (${lasting})`}`);
  line(countsOf(session));
  for (const { number, prompt, answer, files, checks, commits, saved } of turns) {
    section(shown(`${number}. ${prompt}`.trimEnd()));
    if (answer !== '') line(answer);
    if (files.length > 0) line(`changed ${files.join(', ')}`);
    for (const check of checks) line(`${wordOf(check)} ${check.command}`);
    for (const { commit, subject } of commits) line(`commit ${commit.slice(0, 8)} ${subject}`);
    if (saved.length > 0) line(`saved ${saved.join(', ')}`);
  }
  if (session.files_modified.length > 0) section('Modified');
  for (const file of session.files_modified) line(file);
  if (left.length === 0) return;
  section('Records');
  const rows = left.map((one) => ({ annotated: presentable(one) }));
  printRecords(rows, context.project().workspace, context);
}

/** The agent without its version. */
function nameOf(host: string): string {
  return shown(host).split('/')[0] ?? '';
}

function countsOf({ prompts, files_modified, commits, records, tokens }: Session): string {
  const some = (n: number, noun: string) => n > 0 && counted(n, noun);
  const all = [some(prompts, 'prompt'), some(files_modified.length, 'file'), some(commits.length, 'commit')];
  return [...all, counted(records.length, 'record'), tokens > 0 && `about ${tokens} tokens`].filter(Boolean).join(', ');
}

function lastingOf({ started, ended }: Session): string {
  const minutes = Math.round((Date.parse(ended ?? '') - Date.parse(started)) / 60_000);
  // Up to two hours, minutes say more.
  return minutes > 0 ? (minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`) : '';
}
