import { anyOf, PASSWORD_STEMS } from './secret-words.ts';

/** What a name implies about the value assigned to it. */
export interface SecretName {
  kind: string;
  /** A value that people choose (a password) is judged less strictly than one that machines make (a token or key). */
  chosen: boolean;
  /** The name ends in the keyword, so its value is the secret; otherwise only a random value counts. */
  certain: boolean;
  /** The words of the name are joined, as in code: prose does not write `auth_token`. */
  joined: boolean;
}

/** Finds candidate names; `secretName` judges the word around a match. */
export const KEYWORD =
  /pass(?:[ -]?word|wd|phrase|code|wort|kw)?|p[as]{1,4}(?=[ord]{0,3}w)[word]{2,5}t?|pwd|pwrd|pw\b|psk|saml\w{0,4}(?:response|art)|sonar\.login|secret|token|api[_-]?key|auth|credential|creds\b|bearer|keys?(?![a-z])|keys?(?=[A-Z])|salt|pepper|seed|mnemonic|sess(?:ion)?id|\bsid\b|_sid\b|cookie|kennwort|contrase[ñn]a|senha|de passe|wachtwoord|has[lł]o|пароль|密码|パスワード|jwt\b|pat\b|dsn\b|webhook|\botp|csrf|xsrf/gi;

const CHOSEN =
  /^(?:pass|\w*(?:password|p[as]{1,4}(?=[ord]{0,3}w)[word]{2,5}t?|passphrase|kennwort|pwd)s?|passphrases?|passcodes?|pwd|pwrd|pw|passe|mnemonic|phrase|requirepass|masterauth|pepper|authtok|psk|(?:db|user|root|my|ssh|store|key|admin|mail|smtp|ftp|bind|proxy|wifi|sudo|become|remote|local|imap|pop|sql|mysql|pg|http|web|api|account|default|server|client|new|old|login|vpn|rpc|app|guest|host|auth|sasl|key|trust|cert)(?:pass|pwd|pw))$/u;
const FOREIGN = new RegExp(`^(?:${anyOf(PASSWORD_STEMS)})\\p{L}{0,6}$`, 'u');
const MADE =
  /^(?:\w*(?:secret|token|apikey|privatekey|secretkey|accesskey)|secrets|tokens|apikeys|credentials?|creds?|auth|bearer|sessionid|sessid|sid|jwt|pat|phpsessid|jsessionid|authkey)$/u;
// Words before `key` that make the key a secret.
const KEYED =
  /^(?:api|access|secret|private|auth|sign|signing|encryption|encrypt|crypto|crypt|cipher|master|account|storage|shared|jwt|app|admin|license|licence|service|session|webhook|deploy|publish|server|write|hmac|aes|rsa|ssh|tls|ssl|client|root|host|ingest|push|integration|subscription|functions?|rest|wireguard|preshared|psk|user|dev|live|prod|production|staging|anon|role|ingestion|sdk|ai|openai|bot|partner|merchant|dkim)$/u;
/** Words after the keyword that leave the value a secret: `SECRET_KEY_BASE`, `password2`, `token_prod`. */
const TRAILING =
  /^(?:word|value|val|base|base64|b64|hex|raw|plain|text|plaintext|bytes|data|string|str|literal|prod|production|live|staging|stage|dev|development|qa|local|remote|main|db|bd|bdd|default|primary|secondary|backup|old|new|current|previous|prev|next|confirmation|confirm|repeat|admin|root|user|svc|ro|rw|read|write|eu|us|id|v?\d{1,3}|[ab])$/u;
/** Words after the keyword that make the value something else: `token_count`, `secretName`, `password_file`. */
const OTHERWISE =
  /^(?:counts?|types?|names?|urls?|uris?|endpoints?|paths?|files?|filename|dirs?|folder|sock|socket|env|envvar|vars?|variables?|len|length|sizes?|limits?|max|min|budget|usage|used|costs?|price|expir(?:y|es|ed|ation)|exp|ttl|age|tags?|lifetime|timeout|days?|hours?|minutes?|seconds?|ms|fields?|inputs?|labels?|placeholder|hints?|help|policy|rules?|prefix|suffix|format|pattern|regexp?|header|params?|parameter|hash|hashed|sha\d{0,3}|md5|hasher|digest|algorithm|alg|algo|methods?|mode|provider|providers|required|enabled|disabled|rotation|rotated|version|status|state|error|errors|message|messages|manager|store|stores|service|backend|ref|refs|source|location|issuer|audience|identifiers?|scopes?|grant|estimate|estimator|reset|strength|validator|valid|invalid|check|checker|checks|changed|changing|generator|request|response|callback|handler|middleware|client|server|class|schema|model|table|column|index|list|map|set|kind|level|reader|writer|parser|izer|ization|view|page|form|route|router|command|helper|option|options|config|settings|created|updated|at|by|from|for|in|on|with|is|was|has|[cm]?[jt]sx?|json|ya?ml|md|py|go|rs|rb|java|php|sh|css|html?|txt|pem|crt|svg|png|test|spec)$/u;
/** Words anywhere before `key` that make it the public half. */
const PUBLIC = /^(?:public|pub|publishable|verif(?:y|ying|ication|ier)|recipient)$/u;
const NOT_BEFORE_KEY =
  /^(?:sender|signer|sig|manifest|repository|socket|recv|receive|fetch|refresh|import|export|list|send|search|trusted|peer|site|cache|websocket|primary|foreign|sort|partition|idempotency|row|object|map|i18n|lookup|storage|query|hash|dedupe|group|natural|composite|unique|index|translation|hot|short)$/u;
const NOT_BEFORE_TOKEN =
  /^(?:lock|max|min|num|total|count|n|input|output|prompt|completion|discovery|read|cached|cache|reasoning|used|next|page|continuation|pagination|syntax|lexer|stop|bos|eos|pad|special|design|css|theme)$/u;

/** Judges an identifier in any style (`DB_PASSWORD`, `clientSecret`, `x-api-key`); undefined if it names no secret. */
export function secretName(identifier: string): SecretName | undefined {
  const words = wordsOf(identifier);
  const joined = /\w[_-]\w/u.test(identifier);
  if (words.length > 1 && FOREIGN.test(words.join(' ')))
    return { kind: 'password', chosen: true, certain: true, joined };
  if (
    /(?:^| )(?:(?:key|token|credential)s?|secrets) (?:id|arn|alias|name)$|(?:^| )(?:public|publishable)(?: key)? token$|(?:^| )hashed secret$/u.test(
      words.join(' '),
    )
  )
    return undefined;
  if (
    /(?:^| )(?:(?:pre )?shared|preshared) (?:key|secret)$|(?:^| )(?:recovery|network|wifi|wlan|wpa|unlock) key$/u.test(
      words.join(' '),
    )
  )
    return { kind: 'password', chosen: true, certain: true, joined };
  for (let index = words.length - 1; index >= 0; index--) {
    const name = nameAt(words, index);
    if (!name) continue;
    const behind = words.slice(index + 1);
    if (behind.some((word) => OTHERWISE.test(word))) return undefined;
    const certain = name.certain && behind.every((word) => TRAILING.test(word));
    return { ...name, certain, joined };
  }
  return undefined;
}

function nameAt(words: string[], index: number): Omit<SecretName, 'joined'> | undefined {
  const word = words[index] ?? '';
  const before = words[index - 1] ?? '';
  // Password managers, and words such as `bypass`.
  if (word === 'pass' && /^(?:kee|last|by|com|over|under|sur|tres)$/u.test(before)) return undefined;
  if (CHOSEN.test(word) || FOREIGN.test(word))
    return { kind: 'password', chosen: true, certain: word !== 'phrase' || /^(?:seed|pass)$/u.test(before) };
  const fused = /^(\w{3,12})key$/u.exec(word)?.[1];
  // git's `signingkey` names a public key.
  if (fused !== undefined && fused !== 'signing' && KEYED.test(fused))
    return { kind: kindOfKey([fused, 'key'], 1), chosen: false, certain: true };
  if (word === 'key' || word === 'keys') {
    // The public key by which a page subscribes to pushes.
    if (/application server$/u.test(words.slice(0, index).join(' '))) return undefined;
    if (words.slice(0, index).some((one) => PUBLIC.test(one)) || NOT_BEFORE_KEY.test(before)) return undefined;
    if (KEYED.test(before)) return { kind: kindOfKey(words, index), chosen: false, certain: true };
    return before === '' ? undefined : { kind: 'key', chosen: false, certain: false };
  }
  if (/^(?:(?:password)?salt|seed|pin|dsn|webhook|cookies?|csrf|xsrf|otp|totp|htpasswd)$/u.test(word)) {
    return { kind: word.startsWith('cookie') ? 'session' : 'secret', chosen: false, certain: false };
  }
  if (/saml$|sonar$/u.test(before) && /^(?:response|art|login)$/u.test(word))
    return { kind: 'token', chosen: false, certain: true };
  if (!MADE.test(word)) return undefined;
  if (word.startsWith('token') && NOT_BEFORE_TOKEN.test(before)) return undefined;
  return { kind: kindOfMade(words, index), chosen: false, certain: word !== 'pat' };
}

function kindOfKey(words: string[], index: number): string {
  const before = words[index - 1] ?? '';
  if (words.includes('aws') && words.includes('secret')) return 'aws-secret-access-key';
  if (before === 'access' && words.includes('secret')) return 'aws-secret-access-key';
  if (before === 'api') return 'api-key';
  if (before === 'private' || before === 'ssh') return 'private-key';
  if (before === 'account' || before === 'storage' || before === 'shared') return 'account-key';
  return 'key';
}

function kindOfMade(words: string[], index: number): string {
  const word = words[index] ?? '';
  if (/^(?:sid|sessid|sessionid|phpsessid|jsessionid)$/u.test(word)) return 'session';
  if (/^api(?:keys?)$/u.test(word)) return 'api-key';
  if (word === 'privatekey') return 'private-key';
  if (/token|^jwt$|^pat$|^bearer$/u.test(word)) return 'token';
  if (/^cred|^auth$/u.test(word)) return 'credential';
  return 'secret';
}

/** The lower-case words of an identifier: split at `_`, `-`, `.`, at camel-case humps and before trailing numbers. */
function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .replace(/([A-Za-z])(\d{1,3})$/u, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
