import { prepare } from '../../capture/by-hand/save.ts';
import { type Cleaner, createCleaner } from '../../capture/drain/clean.ts';
import { clampPhrase, clampSentences } from '../../capture/extract/clamp.ts';
import { readMode, typesOf } from '../../capture/extract/mode.ts';
import type { Model } from '../../capture/extract/model.ts';
import { ProviderError } from '../../capture/extract/provider.ts';
import type { Config } from '../../config.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { COMMAND_PATIENCE_MS, readGit } from '../../git/objects.ts';
import { LIMITS, type Observation, oneLine } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { titleProblem } from '../../memory/telling-title.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { workingFile } from '../../provenance/working-file.ts';
import { relatedRecords } from '../../recall/search/related.ts';
import type { Comment, Discussion } from './discussion.ts';
import { type Distillate, type Proposal, questionAbout } from './question.ts';

/** The result of one discussion. */
export interface Distilled {
  records: Observation[];
  /** What the model proposed and the gates kept out, each with the reason. */
  dropped: { title: string; reason: string }[];
  /** Why there is nothing, by the model's own account; else empty. */
  skip: string;
  model: string;
}

interface Distilling {
  config: Config;
  /** Those to ask, in order; each is made when it is asked. */
  models: (() => Model)[];
  now: Date;
  signal: AbortSignal;
}

/** Most files of the pull request that are named to the model, and most records that it sees: few tell it enough. */
const MOST = { files: 200, known: 5 } as const;

/**
 * Asks a model what a discussion decided, and makes records of what passes the gates. The discussion is
 * fenced as data and triggers nothing: the answer only becomes the text of new records, each with a real quote. Throws bad-input if no model
 * is set up, and ProviderError if none answers.
 */
export async function distil(workspace: Workspace, discussion: Discussion, distilling: Distilling): Promise<Distilled> {
  const { config, models, signal } = distilling;
  const cleaner = createCleaner(config.privacy.redact);
  const clean = await cleaned(discussion, cleaner);
  const files = await filesOf(workspace, clean);
  const question = questionAbout(clean, {
    files: files.slice(0, MOST.files),
    known: await relatedRecords(
      workspace,
      { files, text: `${clean.title}\n${clean.comments[0]?.text ?? ''}` },
      MOST.known,
    ),
    types: typesOf(config),
    mode: readMode(config.extract.mode),
    language: config.extract.language,
    concepts: config.concepts,
  });
  const { model, proposals, skip } = await askInTurn(models, (one) => one.ask(question, signal));
  const distilled: Distilled = { records: [], dropped: [], skip, model };
  const gates = { workspace, discussion: clean, files, types: typesOf(config), cleaner, model, now: distilling.now };
  for (const proposal of proposals) {
    const made = await recordOf(proposal, gates);
    if (typeof made === 'string') distilled.dropped.push({ title: oneLine(proposal.title), reason: made });
    else distilled.records.push(made);
  }
  return distilled;
}

/** The first model's answer; the next one's if it gives none. */
async function askInTurn(
  models: (() => Model)[],
  ask: (model: Model) => Promise<Distillate>,
): Promise<Distillate & { model: string }> {
  let trouble: ProviderError | undefined;
  for (const make of models) {
    try {
      const model = make();
      return { ...(await ask(model)), model: model.name };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      trouble = error;
    }
  }
  if (trouble !== undefined) throw trouble;
  throw new GitMemError('bad-input', 'Only a model can distil a discussion, and none is set up.', {
    hint: 'Set extract.provider and its key, in CI as GIT_MEM_EXTRACT_PROVIDER and, say, ANTHROPIC_API_KEY.',
  });
}

interface Gates {
  workspace: Workspace;
  discussion: Discussion;
  files: string[];
  types: string[];
  cleaner: Cleaner;
  model: string;
  now: Date;
}

/** The record of a proposal, or why there is none. */
async function recordOf(proposal: Proposal, gates: Gates): Promise<Observation | string> {
  const { workspace, discussion, files, types, cleaner, model, now } = gates;
  const title = clampPhrase(oneLine(proposal.title), LIMITS.title);
  const problem = titleProblem(title);
  if (problem !== undefined) return problem;
  const quotes = quotesIn(proposal, discussion.comments);
  if (quotes.length === 0) return 'Nobody said what it quotes.';
  const made = {
    type: types.find((type) => type === proposal.type.trim().toLowerCase()) ?? 'change',
    title,
    subtitle: `From the discussion of pull request ${discussion.number ?? ''}`.trim(),
    narrative: clampSentences(proposal.narrative, LIMITS.narrative),
    facts: [...quotes, ...(discussion.url === '' ? [] : [`The discussion is ${discussion.url}`])],
    concepts: proposal.concepts.filter((concept) => concept.length <= LONGEST_CONCEPT).slice(0, LIMITS.concepts),
    files_modified: files.filter((file) => proposal.files.includes(file)).slice(0, LIMITS.files),
    files_read: [],
    supersedes: [],
    extractor: model,
  };
  const [suspicion] = findSuspicious([title, made.narrative, ...made.facts, ...made.concepts].join('\n'));
  if (suspicion !== undefined) return suspicion.message;
  try {
    const making = { maker: { by: 'distil' }, now, cwd: workspace.checkout.root, cleaner };
    return (await prepare(workspace, made, making)).record;
  } catch (error) {
    if (error instanceof GitMemError) return messageOf(error);
    throw error;
  }
}

/** Fewer characters prove nothing: every discussion holds a "yes". */
const LEAST_SAID = 15;

/** Most quotes of one record: the prompt asks for no more. */
const MOST_QUOTES = 3;

/** The quotes that were really said, as facts that name who said them; a model may have invented the others. */
function quotesIn({ quotes }: Proposal, comments: Comment[]): string[] {
  const facts = quotes.flatMap(({ comment: number, text }) => {
    const comment = comments[number - 1];
    if (comment === undefined || !isSaid(text, comment)) return [];
    const who = comment.isOutsider ? `${comment.author} (not of the project)` : comment.author;
    const head = `${who} in ${comment.place}: `;
    const room = LIMITS.fact - head.length - 2;
    return room < LEAST_SAID ? [] : [`${head}"${clampSentences(oneLine(text), room)}"`];
  });
  return [...new Set(facts)].slice(0, MOST_QUOTES);
}

/** Tells whether a comment holds these words in this order; ignoring emphasis marks and white space. */
function isSaid(text: string, comment: Comment): boolean {
  const words = plain(text);
  return words.length >= LEAST_SAID && plain(sanitiseForModel(comment.text)).includes(words);
}

function plain(text: string): string {
  return text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[*_`>\s]+/g, ' ')
    .trim();
}

/** Longest topic, in characters: a longer one is a sentence. */
const LONGEST_CONCEPT = 40;

/** The discussion without private text and secrets: nothing else leaves this machine. */
async function cleaned(discussion: Discussion, cleaner: Cleaner): Promise<Discussion> {
  const comments: Comment[] = [];
  for (const one of discussion.comments) comments.push({ ...one, text: await cleaner.text(one.text) });
  return { ...discussion, title: await cleaner.text(discussion.title), comments };
}

/** The files that the pull request changed or that somebody commented on, as far as they are in the checkout. */
async function filesOf({ checkout, env }: Workspace, { commit, comments }: Discussion): Promise<string[]> {
  const merge = commit ?? 'HEAD';
  const args = ['diff', '--name-only', '-z', '--no-renames', `${merge}^1`, merge, '--'];
  const output = await readGit(checkout.root, args, env, { patienceMs: COMMAND_PATIENCE_MS });
  const changed = (output?.toString('utf8') ?? '').split('\0');
  const named = new Set([...comments.map(({ path }) => path), ...changed].filter(isPath));
  return [...named].filter((path) => workingFile(checkout.root, path, () => true) !== undefined);
}

/** Tells whether it is a path of the repository outside the memory. */
function isPath(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !/(^|\/)\.\.?(\/|$)|^\.(memory|git)\/|[\u0000-\u001f\\]/.test(path);
}
