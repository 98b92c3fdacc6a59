import type { Turn } from '../turn.ts';
import type { CheckRun, Commit } from './commands.ts';
import type { Touched } from './files.ts';
import type { Statement } from './statements.ts';

/** What is known of a turn before its observations are cut. */
export interface Evidence {
  turn: Turn;
  touched: Touched;
  runs: CheckRun[];
  commits: Commit[];
  statements: Statement[];
}

const SECURITY =
  /\b(?:CVE-\d{4}-\d+|vulnerab\w+|XSS|CSRF|SSRF|RCE|XXE|SQL[- ]injection|command injection|header injection|prompt injection|hidden instructions|instructions (?:aimed|addressed|directed|meant)|path traversal|directory traversal|zip slip|privilege escalation|timing attack|prototype pollution|open redirect|(?:unsafe|insecure) deseriali[sz]ation|session fixation|replay attack|brute[- ]force|leaked? (?:secret|token|key|password|credential)s?|plain ?text (?:password|secret|key|credential)s?|Sicherheitslücke)\b/iu;

const PREFIX: [RegExp, string][] = [
  [/^(?:fix|bugfix|hotfix)\b/iu, 'bugfix'],
  [/^feat(?:ure)?\b/iu, 'feature'],
  [/^refactor\b/iu, 'refactor'],
  [/^security\b/iu, 'security'],
  [/^(?:docs?|chore|build|ci|style|test|perf|revert|deps)\b\s*[(:!]/iu, 'change'],
];

const WORDS: [string, RegExp][] = [
  [
    'bugfix',
    /\b(?:fix(?:e[sd]|ing)?|bugs?|broken|breaks?|fails?|failing|failed|errors?|crash\w*|wrong|garbage|missing|lost|stuck|hangs?|leak\w*|regression|incorrect\w*|doesn't work|not working|flaky|race|reproduc\w+|kaputt|fehler\w*|falsch|behebe\w*|reparier\w*|absturz|stürzt|funktioniert nicht|bogue|corrige\w*|erreur|arregla\w*|falla)\b/giu,
  ],
  [
    'feature',
    /\b(?:add|adds|added|implement\w*|support|feature|introduc\w+|new (?:command|endpoint|option|flag|page|field|route|api|setting)|create|creates?d?|allow|enable|configurable|build|hinzufüg\w*|füge|neue[rsn]?|implementier\w*|einbau\w*|unterstütz\w*|ajoute\w*|añad\w*|agrega\w*)\b/giu,
  ],
  [
    'refactor',
    /\b(?:refactor\w*|renam\w+|split\w*|extract\w*|mov(?:e[sd]?|ing)|restructur\w*|reorgani[sz]\w*|clean ?up|simplif\w+|dedup\w*|inlin\w+|decoupl\w+|facade|re-export\w*|umbenenn\w*|umbenannt|aufteil\w*|aufräum\w*|verschieb\w*|renomm\w+|renombr\w+)\b/giu,
  ],
  [
    'change',
    /\b(?:upgrad\w+|updat\w+|bump\w*|migrat\w+|dependenc\w+|config\w*|changelog|readme|docs?|document\w*|typo|comment\w*|ci|pipeline|docker\w*|aktualisier\w*|dokumentier\w*|version)\b/giu,
  ],
];

/** The type of a turn's main observation, from the commit's prefix, the words of request and report, the edits and the checks. */
export function kindOf(evidence: Evidence): string {
  const { turn, touched, runs, commits, statements } = evidence;
  const text = statements.map((statement) => statement.text).join(' ');
  const asked = turn.promptFrom === 'user' ? turn.prompt.slice(0, 4000) : '';
  const edits = touched.modified.length > 0;
  const about = statements
    .filter(({ role }) => role !== 'caveat' && role !== 'side')
    .map((statement) => statement.text)
    .join(' ');
  if (edits && (SECURITY.test(asked) || SECURITY.test(about))) return 'security';
  const isPlan =
    /\b(?:plan|design|propos\p{Ll}+|vorschlag|entwurf|konzept)\b/iu.test(asked) ||
    statements.some(({ heading }) => /\b(?:plan|proposal|design|vorschlag)\b/iu.test(heading));
  if (!edits) return statements[0]?.role === 'decision' || isPlan ? 'decision' : 'discovery';
  const isOpen =
    runs.at(-1)?.passed === false &&
    /\b(?:could not|not (?:yet )?fix|reverted|did not help|still fail|konnte nicht)/iu.test(
      turn.reply.slice(0, 20_000),
    );
  if (isOpen) return 'discovery';

  const score: Record<string, number> = { bugfix: 0, feature: 0, refactor: 0, change: 0.5 };
  const add = (type: string, points: number) => {
    score[type] = (score[type] ?? 0) + points;
  };
  for (const { subject } of commits) for (const [prefix, type] of PREFIX) if (prefix.test(subject)) add(type, 3);
  for (const [type, words] of WORDS) {
    add(type, Math.min(2, new Set(asked.toLowerCase().match(words)).size) * 1.2);
    add(type, Math.min(3, text.match(words)?.length ?? 0) * 0.5);
  }
  if (statements.some(({ role }) => role === 'cause')) add('bugfix', 1.2);
  const failing = runs.find(({ passed }) => passed === false);
  const lastPassed = runs.at(-1)?.passed === true;
  if (failing && lastPassed) {
    const before = turn.calls.slice(0, failing.at).filter(({ action }) => action === 'edit' || action === 'write');
    // A check that failed before anything was edited failed for a bug; one that fails on a new test is how features begin.
    if (before.length === 0) add('bugfix', 2.5);
    else if (before.every(({ paths }) => paths.every(isTest))) add('feature', 0.8);
  }
  const source = touched.created.filter((path) => !isTest(path) && !isProse(path));
  if (source.length > 0 && !(touched.deleted || touched.moved)) add('feature', 0.7);
  if (touched.moved) add('refactor', 2.5);
  if (touched.modified.every(isProse) || touched.modified.every(isConfig)) add('change', 3);
  return Object.entries(score).sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'change';
}

/** True where a text speaks of a security weakness. */
export function isSecurity(text: string): boolean {
  return SECURITY.test(text);
}

/** Test files by the conventions of the common languages. */
function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__|testing|testdata)\/|(?:^|\/)test_[^/]+$|[._-](?:test|tests|spec|it)\.[^/]+$|(?:Test|Tests|Spec|IT)\.[^/]+$/u.test(
    path,
  );
}

/** Documents: prose that no program runs. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|rst|adoc|txt|org)$|(?:^|\/)(?:LICENSE|CHANGELOG|README)[^/]*$/iu.test(path);
}

function isConfig(path: string): boolean {
  return /\.(?:ya?ml|toml|ini|cfg|conf|env|properties|lock|json|jsonc|xml|gradle|tf|hcl)$|(?:^|\/)(?:Dockerfile|Makefile|Procfile|Jenkinsfile|Gemfile|\.[\w.-]+rc)[^/]*$|(?:^|\/)go\.(?:mod|sum)$|requirements[^/]*\.txt$|Gemfile\.lock$/iu.test(
    path,
  );
}
