import { LIMITS } from '../../memory/record.ts';

const TOPICS: [string, RegExp][] = [
  ['auth', /\b(?:auth\w*|login|oauth|jwt|sso|saml|session tokens?|api keys?|permissions?|401|403)\b/iu],
  [
    'security',
    /\b(?:security|vulnerab\w+|xss|csrf|injection|traversal|cve|exploit|sanitiz\w+|escap(?:e|ing)|secrets?|credentials?)\b/iu,
  ],
  ['testing', /\b(?:tests?|fixtures?|mocks?|coverage|assert\w*)\b/iu],
  [
    'concurrency',
    /\b(?:race|deadlock|threads?|mutex|locks?|locking|concurren\w+|goroutines?|atomic\w*|parallel|workers?|transaction)\b/iu,
  ],
  ['performance', /\b(?:performance|slow\w*|fast\w*|latency|throughput|memory|n\+1|quadratic|benchmark|p95|p99)\b/iu],
  ['caching', /\b(?:cach\w+|memoi[sz]\w+|ttl|invalidat\w+|stale)\b/iu],
  [
    'database',
    /\b(?:sql\w*|postgres\w*|mysql|mariadb|mongo\w*|database|migrations?|schema|quer(?:y|ies)|index(?:es)?|transaction|orm)\b/iu,
  ],
  ['api', /\b(?:api|endpoints?|rest|graphql|grpc|http|requests?|responses?|status code|429|404|500)\b/iu],
  ['rate-limiting', /\b(?:rate[- ]limit\w*|throttl\w+|token bucket|429)\b/iu],
  ['networking', /\b(?:network\w*|dns|tcp|tls|proxy|load balancer|socket|timeouts?|retry|retries|backoff)\b/iu],
  ['time', /\b(?:clocks?|time ?zones?|utc|dst|timestamps?|monotonic|ntp|leeway|skew|expir\w+)\b/iu],
  ['unicode', /\b(?:unicode|utf-?8|utf-?16|emoji|grapheme\w*|surrogates?|encoding|umlauts?|charset)\b/iu],
  ['parsing', /\b(?:pars(?:e|er|ing|es)|csv|json|xml|yaml|tokeni[sz]\w+|lexer|regex\w*|quot(?:e|es|ed|ing))\b/iu],
  ['validation', /\b(?:validat\w+|clamp\w*|sanit\w+|constraints?|bounds?)\b/iu],
  ['error-handling', /\b(?:errors?|exceptions?|throws?|rais(?:e|es|ed)|panics?|fail(?:s|ed|ure)?|crash\w*)\b/iu],
  ['configuration', /\b(?:config\w*|environment variables?|env|settings?|flags?|feature toggles?)\b/iu],
  [
    'deployment',
    /\b(?:deploy\w*|docker\w*|kubernetes|k8s|helm|terraform|release|rollout|production|gunicorn|nginx)\b/iu,
  ],
  ['ci', /\b(?:ci|pipeline|github actions|workflow|gitlab|jenkins)\b/iu],
  ['dependencies', /\b(?:dependenc\w+|upgrad\w+|bump\w*|lock ?file|npm|pip|cargo|composer|maven|gradle|go\.mod)\b/iu],
  ['documentation', /\b(?:docs?|documentation|readme|adr|runbook|changelog)\b/iu],
  ['logging', /\b(?:log(?:s|ging|ger)?|metrics?|tracing|observab\w+|monitor\w*)\b/iu],
  ['queue', /\b(?:queues?|jobs?|lease|heartbeat|kafka|rabbitmq|redelivery|idempoten\w+)\b/iu],
  ['modules', /\b(?:modules?|imports?|exports?|import cycle|circular|facade|packages?)\b/iu],
  ['ui', /\b(?:css|layout|render\w*|component|button|form|accessib\w+|frontend|browser)\b/iu],
  ['storage', /\b(?:files?ystem|disk|uploads?|s3|bucket storage|backup|persist\w*|atomic write)\b/iu],
  ['mail', /\b(?:e-?mails?|smtp|mailer|imap)\b/iu],
  ['i18n', /\b(?:i18n|locali[sz]\w+|translat\w+|locale)\b/iu],
  ['urls', /\b(?:urls?|slugs?|redirects?|routes?|routing|301|302)\b/iu],
];

const TAGS: Record<string, string> = {
  bugfix: 'problem-solution',
  decision: 'trade-off',
  discovery: 'how-it-works',
  feature: 'what-changed',
  change: 'what-changed',
  refactor: 'what-changed',
};

/** At most eight terms under which a colleague would look: the manner of knowledge, its topics, and the identifiers it names. */
export function conceptsOf(type: string, text: string, identifiers: Set<string>, isCaveat: boolean): string[] {
  const topics = TOPICS.map(([name, pattern]) => ({ name, hits: hits(text, pattern) }))
    .filter((topic) => topic.hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 4)
    .map(({ name }) => name);
  const names = [...identifiers]
    .filter(isSalient)
    .map(kebab)
    .filter((name) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name) && name.length >= 4 && name.length <= 30);
  const tag = isCaveat ? 'gotcha' : TAGS[type];
  return [...new Set([...topics, ...(tag === undefined ? [] : [tag]), ...names.slice(0, 3)])].slice(0, LIMITS.concepts);
}

function hits(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern.source, 'giu'))?.length ?? 0;
}

function isSalient(identifier: string): boolean {
  return !/[/\s=<>(){}[\]]|\.\p{Ll}{1,5}$|^\d|^-/u.test(identifier) && /[A-Z_]|\p{L}{4}/u.test(identifier);
}

function kebab(identifier: string): string {
  return identifier
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1-$2')
    .replace(/[._]+/gu, '-')
    .toLowerCase()
    .replace(/^-|-$/gu, '');
}
