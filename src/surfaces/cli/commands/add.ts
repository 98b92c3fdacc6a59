import { resolve } from 'node:path';
import { Option } from 'commander';
import { personAt } from '../../../capture/by-hand/maker.ts';
import { citedPath, type HandMade, missingFiles, type Saved, save } from '../../../capture/by-hand/save.ts';
import { agentInShell } from '../../../capture/by-hand/saving-agent.ts';
import { inputsOfSession } from '../../../capture/drain/inputs.ts';
import { typeMeant, typesOf } from '../../../capture/extract/mode.ts';
import { personStore, sessionStore } from '../../../config.ts';
import { GitMemError } from '../../../errors.ts';
import { locate } from '../../../git/locate.ts';
import { withCache } from '../../../index/cache.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import { NO_CONTENT, type StoreName } from '../../../memory/record.ts';
import { PERSONAL_TYPES } from '../../../memory/store/personal.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { titleProblem } from '../../../memory/telling-title.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, idProblems } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Near, nearRecords } from '../../../search/near.ts';
import { joinsCommit } from '../../../setup/git-hooks.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { each, paragraphs, words } from '../option-values.ts';
import { shown } from '../print.ts';
import { editRecord, readRecord } from '../written-record.ts';

type AddOptions = Flags<'private' | 'team' | 'personal' | 'json'> &
  Texts<'type' | 'title' | 'subtitle' | 'narrative'> & {
    fact: string[];
    concept: string[];
    file: string[];
    fileModified: string[];
    fileRead: string[];
    supersedes: string[];
  };

/** An option that also goes by names that agents try first. */
class Meant extends Option {
  private names: string[] = [];

  by(...names: string[]): this {
    this.names = names;
    return this;
  }

  /** What Commander asks to find the option of an argument. */
  is(arg: string): boolean {
    return arg === this.long || this.names.includes(arg);
  }
}

export const register: Register = (program, context) =>
  define(program, 'add', 'write a record by hand')
    .alias('remember')
    .argument('[file]', 'a record as Markdown, `-` for standard input')
    .option('--type <type>', 'rule, decision, bugfix, feature, refactor, discovery, change (the default), security')
    .option('--title <text>', 'one line that a colleague would write')
    .option('--subtitle <text>', 'a second line')
    .addOption(
      new Meant('--narrative <text>', 'what and why, in a few sentences')
        .by('-m', '--body', '--content', '--text', '--description', '--reason', '--why')
        .argParser(paragraphs),
    )
    .option('--fact <text>', 'one checkable fact (repeat)', each, [])
    .addOption(new Meant('--concept <word>', 'a topic (repeat)').by('--tags', '--topics').argParser(words).default([]))
    .addOption(
      new Meant('--file <path>', 'a file that it is about (repeat)')
        .by('--files', '--paths')
        .argParser(words)
        .default([]),
    )
    .option('--file-modified <path>', 'a file that was changed for it (repeat)', words, [])
    .option('--file-read <path>', 'a file that was read for it (repeat)', words, [])
    .option('--supersedes <id>', 'a record that this one replaces (repeat)', words, [])
    .addOption(
      new Option('--private', 'into the private store, which is never committed').conflicts(['team', 'personal']),
    )
    .addOption(new Option('--team', 'into the team store, whatever `capture.destination` is').conflicts('personal'))
    .option('--personal', 'into your personal store, for all repositories (`git mem personal`)')
    .jsonAndNotes(`
Without a title and a file, $EDITOR opens on an empty record. With a file, flags replace what it says or add to it.
It goes where captured records go: into .memory/, or into the private store with \`capture.destination: private\`.
Worth recording: a cause, a decision with its reason, a refuted approach, a trap, a number; as a rule, how things must or
must not be done here, as a person said it. Not: status, plans, what the diff shows.

Examples:
  git mem add --type decision --title "Sessions live in Postgres" --narrative "Redis had no failover." --supersedes k3v9
  git mem add --type rule --title "Never lock files here" --narrative "The folder lies on NFS." --file src/store.ts
  git mem add --personal --type preference --title "Answers in two sentences, without a summary"
  git mem add notes.md
  generate-note | git mem add - --private
  git mem add --title "Paid plans alone retry uploads" --supersedes k3v9 --supersedes m4x1   ends their dispute`)
    .action(async (file: string | undefined, options: AddOptions) => {
      const { personal: isPersonal = false } = options;
      const { project, agent, inputs, holds, personal } = await origin(context, isPersonal, file);
      const { workspace } = project;
      refuseAtOnce(workspace, context.cwd, options);
      const given = isPersonal && file === undefined ? { type: PERSONAL_TYPES[0], ...options } : options;
      const made = await gather(file, given, context, workspace.checkout.root);
      if (personal) refuseFiles(made);
      const supersedes = fullIds(workspace, [...made.supersedes, ...options.supersedes]);
      const { config } = project.config();
      const types = holds ? [...PERSONAL_TYPES] : typesOf(config);
      // A person who mistypes wants to know; an agent wants no second call.
      made.type = typeMeant(made.type, types, agent === undefined ? made.type : 'change');
      requireKnownType(made.type, types);
      // What a person adds counts as accepted.
      const destination = agent === undefined ? personStore(config) : sessionStore(config);
      const wanted = options.private ? 'private' : options.team || personal ? 'team' : destination;
      const { by, ...session } = agent ?? { by: 'cli' };
      // A session belongs to its project.
      const provenance = agent === undefined ? {} : { ...(personal ? {} : session), extractor: 'agent', inputs };
      const maker = agent === undefined ? await personAt(workspace, 'cli') : { by };
      const making = { maker, now: context.now(), cwd: context.cwd, cleaner: await project.cleaner() };
      const how = { store: wanted, holds, ...making } as const;
      const written = await save(workspace, { ...made, ...provenance, supersedes }, how);
      const { store, waits } = written;
      const path = `${foldersOf(workspace, personal)[store]}/${written.path}`;
      noteWhole(workspace.layout.state, agent?.session, [written.id]);
      const near = waits ? [] : await withCache(workspace, (cache) => nearRecords(workspace, cache, written.record));
      if (options.json) context.json({ id: written.id, path, near, ...(waits && { waits }) });
      else context.stdout.write(`${written.id}  ${path}\n`);
      const isElsewhere = !personal && (store !== destination || store === 'private');
      const place = waits ?? (isElsewhere && placeWords(store, destination));
      if (place) context.say(place);
      // A person knows git's hooks; an agent may have been asked to leave no files behind.
      const isTold = agent !== undefined && store === 'team' && !personal;
      const joins = isTold ? await joinsCommit(workspace, config) : undefined;
      talk({ ...written, joins }, options.json ? [] : near, context);
      for (const note of missingFiles(workspace.checkout.root, written.record)) context.say(note);
    });

/** Who adds a record, what the session took in before, and the store: a personal record waits here if it took in anything. */
async function origin(context: Context, isPersonal: boolean, file: string | undefined) {
  const here = isPersonal && locate(context.cwd) === undefined ? openPersonal(context.env) : context.project();
  const agent = agentInShell(here.workspace, context.stdin);
  const given = file === undefined || file === '-' ? undefined : resolve(context.cwd, file);
  const inputs = await inputsOfSession(here.workspace, agent, given);
  const holds = isPersonal && inputs.length > 0;
  const personal = isPersonal && !holds;
  return { project: personal ? openPersonal(context.env) : here, agent, inputs, holds, personal };
}

/** The store that a record went to, if it is not the configured one. */
function placeWords(store: StoreName, destination: StoreName): string {
  if (store === 'team') return `Into the team store, though \`capture.destination\` is ${destination}.`;
  const why = destination === 'private' ? ' (`capture.destination`; `--team` overrides it)' : '';
  return `Into the private store${why}: it is never committed.`;
}

/** What to know about the record that was just added. */
function talk(saved: Saved & { joins: boolean | undefined }, near: Near[], { stderr }: Context): void {
  const { id, created, redacted, joins } = saved;
  if (!created) stderr.write('It already existed.\n');
  else if (joins !== undefined) stderr.write(joins ? 'It joins your next commit.\n' : 'Commit it with your work.\n');
  if (redacted) stderr.write('A secret was taken out before anything was written.\n');
  if (near.length === 0) return;
  for (const { id: other, title, text } of near) {
    stderr.write(`near: ${other}  ${shown(title)}${text && `\n  ${shown(text)}`}\n`);
  }
  stderr.write(`Where one of these is wrong now: \`git mem supersede ID --by ${id}\`.\n`);
  stderr.write(`Where one says the same: \`git mem retire ${id}\`.\n`);
  stderr.write('Where only a part of one is outdated: add the whole of it, corrected, with `--supersedes ID`.\n');
}

/** A typed title has to say something; the first line of a file is the author's choice. */
function refuseAtOnce(workspace: Workspace, cwd: string, { title = '', personal, supersedes, ...given }: AddOptions) {
  // About a person, two words may say it all.
  const found = title.trim() === '' || personal ? undefined : titleProblem(title);
  const problems = [found ?? [], idProblems(workspace, supersedes)].flat();
  if (problems.length === 0) return;
  const paths = [...given.file, ...given.fileModified, ...given.fileRead];
  const outside = paths.filter((path) => citedPath(workspace.checkout.root, cwd, path) === undefined);
  if (outside.length > 0) problems.push(`Not in this repository: ${outside.join(', ')}.`);
  throw new GitMemError('bad-input', 'Nothing was added.', { hint: problems.join(' ') });
}

/** Paths mean nothing outside their repository, and a personal record is injected in all of them. */
function refuseFiles({ files_modified, files_read }: HandMade): void {
  if (files_modified.length + files_read.length === 0) return;
  throw new GitMemError('bad-input', 'A personal record cites no files: it is about you, in every repository.', {
    hint: 'Leave the files out, or add it to this repository without --personal.',
  });
}

/** Every reader would misread an unknown type, and `git mem check` rejects it. */
function requireKnownType(type: string, types: string[]): void {
  if (types.includes(type)) return;
  throw new GitMemError('bad-input', `"${shown(type)}" is not a type of observation.`, {
    hint: `Use ${types.join(', ')}, or name it under \`types\` in .memory/config.yaml.`,
  });
}

/** The input from the file or the editor, if any, overridden by the flags. */
async function gather(file: string | undefined, options: AddOptions, context: Context, root: string) {
  const { type, title, subtitle, narrative, file: about } = options;
  const isRule = (type ?? '').toLowerCase() === 'rule';
  const edited = title === undefined ? () => editRecord(context, root) : () => EMPTY;
  const base = file === undefined ? edited() : await readRecord(file, context, root);
  return {
    ...base,
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
    ...(narrative !== undefined && { narrative }),
    facts: [...base.facts, ...options.fact],
    concepts: [...base.concepts, ...options.concept],
    // A rule is about files and modifies none.
    files_modified: [...base.files_modified, ...options.fileModified, ...(isRule ? [] : about)],
    files_read: [...base.files_read, ...(isRule ? about : []), ...options.fileRead],
  };
}

const EMPTY: HandMade = { ...NO_CONTENT, type: 'change', supersedes: [] };
