import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { findAgent } from '../agents/agents.ts';
import type { Question } from '../agents/event.ts';
import { queryIfWarm } from '../cache/warm.ts';
import { loadConfig } from '../config.ts';
import { messageOf } from '../errors.ts';
import { findForFiles, MOST_FOR_FILES } from '../recall/file-recall.ts';
import { noteInjected, readInjected } from '../recall/injected.ts';
import { findForPrompt, namesTopic } from '../recall/prompt-recall.ts';
import { recallText } from '../recall/recall-text.ts';
import { placesOf } from '../recall/standing.ts';
import { type Found, tellable } from '../recall/tellable.ts';
import { log } from '../repo/log.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import type { HookOutcome } from './record.ts';

/** Longest that a prompt or a read waits for memory, in milliseconds. */
const PATIENCE_MS = 1500;

/** Records whose standing is asked for: some of them may be hidden, or a stranger's. */
const MOST_JUDGED = 12;

/** Files of one command that are looked up. */
const MOST_PATHS = 8;

type Asked = Exclude<Question, { kind: 'start' }>;

/**
 * The host's JSON that hands the few records that bear on a prompt or a read to the model; empty, as most often, when
 * none does, when the cache is cold or busy, when it takes too long, or when anything fails.
 */
export async function recallReply(
  { root, reply }: HookOutcome,
  env: Record<string, string | undefined>,
): Promise<string> {
  if (reply === undefined || reply.question.kind === 'start') return '';
  const { question } = reply;
  // Looked at first: most prompts that say nothing need neither settings nor index.
  if (question.kind === 'prompt' && !namesTopic(question.text)) return '';
  const workspace = openWorkspace(root, env);
  const { state } = workspace.layout;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done(''), PATIENCE_MS);
  });
  try {
    const text = await Promise.race([recall(workspace, question, env), late]);
    return text === '' ? '' : (findAgent(reply.host)?.toReply(reply.event, text) ?? '');
  } catch (error) {
    log(state, `recall: ${messageOf(error)}`, new Date());
    return '';
  } finally {
    clearTimeout(timer);
  }
}

async function recall(workspace: Workspace, question: Asked, env: Record<string, string | undefined>): Promise<string> {
  const { memory, state } = workspace.layout;
  const { config } = loadConfig(memory, env);
  if (!config.recall[question.kind] || config.recall.tokens === 0) return '';
  const paths = question.kind === 'read' ? repositoryPaths(workspace.checkout.root, question) : [];
  if (question.kind === 'read' && paths.length === 0) return '';

  const injected = readInjected(state, question.reader);
  const found = await queryIfWarm(workspace, (index): Found | undefined => {
    const { hits, weights } =
      question.kind === 'prompt'
        ? findForPrompt(index, question.text)
        : { hits: findForFiles(index, paths), weights: new Map<string, number>() };
    const news = hits.filter(({ document: { card } }) => {
      // What a session found by itself it knows, until its context was emptied.
      const isOwn = card.session === question.session && !injected.hasForgotten;
      return !injected.ids.has(card.id) && !isOwn;
    });
    if (news.length === 0) return undefined;
    const first = news.slice(0, MOST_JUDGED);
    const documents = first.map(({ document }) => document);
    const pathOf = new Map(first.map((hit) => [hit.document.card.id, 'path' in hit ? hit.path : undefined]));
    return { places: placesOf(index, documents), statements: placesOf(index, index.statements()), weights, pathOf };
  });
  if (found === undefined) return '';
  const most = question.kind === 'read' ? MOST_FOR_FILES : undefined;
  const told = await tellable(workspace, found, {
    injectUnreviewed: config.trust.inject_unreviewed,
    ...(most && { most }),
  });
  const fitting = recallText(told, question.kind, config.recall.tokens);
  if (fitting.ids.length === 0) return '';
  const ours = new Set(noteInjected(state, question.reader, fitting.ids));
  const mine = told.filter(({ record }) => ours.has(record.id));
  return recallText(mine, question.kind, config.recall.tokens).text;
}

/** The paths inside the checkout, as records name them; memory itself is left out. */
function repositoryPaths(root: string, { cwd, paths }: Extract<Question, { kind: 'read' }>): string[] {
  const inside = paths.slice(0, MOST_PATHS).flatMap((path) => {
    const absolute = resolve(cwd || root, path);
    const within = [absolute, real(absolute)].map((one) => relative(root, one)).find((one) => !isOutside(one));
    return within === undefined || within.startsWith('.memory') ? [] : [within.split(sep).join('/')];
  });
  return [...new Set(inside)];
}

function isOutside(path: string): boolean {
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** Hosts may name the checkout through a link. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // About to be created, or a mistake of the agent's: nothing is remembered of it.
  }
}
