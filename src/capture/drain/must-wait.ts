import { GitMemError } from '../../errors.ts';
import { encode } from '../../memory/codec.ts';
import { inputWords, isRule, type MemoryRecord, type Observation, type Summary } from '../../memory/record.ts';
import { textsOf } from '../../memory/redaction.ts';
import { readable } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { findSuspicious, INSTEAD } from '../../privacy/suspicious.ts';

/** What is known of a record before it is written. */
type Made = Observation | Summary;

/**
 * Tells whether a record has to wait for a person: its session took in untrusted text, and later sessions would act on the
 * record, or stop acting on what it replaces.
 */
export function mustWait(workspace: Workspace, record: MemoryRecord): record is Made {
  if (record.kind !== 'observation' && record.kind !== 'summary') return false;
  const { inputs = [], supersedes, session } = record;
  if (inputs.length === 0) return false;
  return actingWords(record) !== undefined || isOfOthers(workspace, supersedes, session);
}

/** Names what makes later sessions act on a record; undefined if nothing does. */
function actingWords(record: Made): string | undefined {
  if (isRule(record)) return 'a rule';
  return textsOf(record).some(namesCommand) ? 'a record that names a command' : undefined;
}

/** Tells whether one of these records was not saved by this session. */
export function isOfOthers({ stores }: Workspace, ids: readonly string[], session: string | undefined): boolean {
  const own = [stores.team, stores.private].flatMap((store) =>
    [...(ids.length > 0 ? store.newest() : [])].flatMap((entry) => {
      const record = ids.includes(entry.id) ? readable(store, entry)?.record : undefined;
      return record !== undefined && session !== undefined && record.session === session ? entry.id : [];
    }),
  );
  return ids.some((id) => !own.includes(id));
}

/** What the agent that saved a waiting record is told: why it waits, and who can accept it. */
export function waitingWords(record: Made): string {
  const { inputs = [], supersedes } = record;
  const said = actingWords(record) ?? (supersedes.length > 0 ? 'a record that replaces others' : 'a personal record');
  const read = inputs.map((input) => INPUTS[input] ?? input.replace(/^mcp:/, 'the MCP server '));
  return `No agent sees it until a person accepts it: it is ${said}, and this session has read ${read.join(', ')}. Tell the user to run \`git mem inbox\`.`;
}

const INPUTS: Record<string, string> = { web: 'the web', outside: 'files from outside this repository' };

// Shell lines as records quote them: in code, after a `$` or "run", or as a program with arguments that only a command has.
const PROGRAMS =
  'npm|pnpm|yarn|bun|pip3?|curl|wget|sudo|bash|sh|zsh|docker|kubectl|helm|brew|apt(?:-get)?|git-mem|git|ssh|scp';
const IN_CODE = `${PROGRAMS}|npx|bunx|uvx?|pipx|make|node|deno|go|cargo|python3?|ruby|perl|php|java|mvn|gradle|rm|cp|mv|cat|export|source|eval|env|openssl|gh|aws|gcloud|nc|sed|chmod|iwr|iex`;
const ARGUMENT = String.raw`(?:-|@|\S*[/:|]|(?:install|i|add|ci|run|exec|x|dlx|test|start|build|publish|update|upgrade|remove|push|pull|clone|apply|delete|config|login|init|mem)\b)`;
const COMMANDS = [
  /(?<![\w/.-])(?:npx|bunx|uvx|pipx)\s+[\w@.-]{2}/u,
  new RegExp(String.raw`(?<![\w/.-])(?:${PROGRAMS})\s+${ARGUMENT}`, 'u'),
  new RegExp(String.raw`(?:\s[;&|]{1,2} |\$ |${'`'}|${'`'}{3}[^${'`'}]{0,2000}\n)(?:${IN_CODE})\s+[^\s${'`'}]`, 'u'),
  new RegExp(
    String.raw`\b(?:run|execute|invoke)s?\s+(?:the\s+)?["'${'`'}]?(?:(?:${IN_CODE})\s+[-\w./@]|\S+\.(?:sh|ps1|bat|cmd|py|m?js|rb|pl)\b|\.{0,2}/\w)`,
    'iu',
  ),
  /`(?:\.{1,2}|~)?\/[\w./-]+(?:\.(?:sh|ps1|bat|cmd)|\s[^`\n]{1,200})`/u,
  /\b(?:run|execute|install|download|fetch|pipe)\b[^.\n]{0,60}https?:\/\//iu,
];

/** Tells whether a text names a command that somebody could run. */
function namesCommand(text: string): boolean {
  return COMMANDS.some((pattern) => pattern.test(text));
}

/** Throws bad-input for text that `git mem check` refuses as written for models; stricter for rules and personal records. */
export function refuseSuspicious(record: MemoryRecord, { isPersonal = false } = {}): void {
  const [found] = findSuspicious(encode(record), { isStrict: isPersonal || isRule(record) });
  if (found === undefined) return;
  throw new GitMemError('bad-input', `Nothing was saved. ${found.message}`, { hint: `${INSTEAD[found.code]}` });
}

/** Throws bad-input if an agent would accept what waits for a person. */
export function refuseAccepting(
  workspace: Workspace,
  record: MemoryRecord,
  { isAgent = false, isPersonal = false }: { isAgent?: boolean; isPersonal?: boolean },
): void {
  const waits = isPersonal ? inputWords(record).length > 0 : mustWait(workspace, record);
  if (!isAgent || !waits) return;
  throw new GitMemError('bad-input', `${record.id} waits for a person to accept it.`, {
    hint: 'Tell the user: `git mem inbox`.',
  });
}
