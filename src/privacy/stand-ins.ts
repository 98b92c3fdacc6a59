import { looksRandom, PIECES, SPECIAL } from './randomness.ts';

// What a value may be other than a secret: a placeholder, code, a place, a measure. Every function is linear in its length.

const STAND_INS = new Set(
  (
    'abc apikey changeit changeme config confidential default demo dummy example examples fake fixme foo foobar goes here ' +
    'hidden insert invalid key lorem masked missing mock mypassword mysecret mytoken none nope not null only optional ' +
    'pass passwd password passphrase placeholder private pwd real redacted removed replace replaceme required sample ' +
    'postgres postgresql mysql root admin guest rabbitmq minio docker localdev letmein ' +
    'secret snip some something stub tba tbd test testing todo token truncated undefined unset user username value ' +
    'wrong xyz your'
  ).split(' '),
);

/** Names of techniques that have digits: `sha256`, `oauth2`, `ed25519`. */
const TECHNICAL =
  /^(?:sha-?\d{1,3}|md5|utf-?\d{1,2}|base-?\d{2}\w{0,8}|oauth-?\d|imap4\w{0,6}|x?oauth(?:2|bearer)?|scram-sha-?\d{1,3}(?:-plus)?|(?:cram|digest)-md5|http-?\d|s3|ec2|k8s|x\.?509|pkcs[#-]?\d{1,2}|socksv?\d\w{0,2}|pbkdf2|argon2(?:id?|d)?\d{0,2}|[bsy]crypt\d{0,2}|[erph]s\d{3}|ed25519|aes-?\d{3}(?:-\w{3})?|u?int\d{1,2}(?:array)?|float\d{2}|v\d{1,3}(?:[.-]\w{1,10})*|p256|curve25519)$/iu;

/** Whether a part of the value names a technique: `base64url-encoded`, `sha256-hash`. */
export function isTechnical(value: string): boolean {
  return value.split(/[-_.\s]/u).some((part) => TECHNICAL.test(part));
}

/** Whether most of a value is one character repeated, as in `ghp_xxxxxxxx` or `****`. */
export function isMask(value: string): boolean {
  const counts = new Map<string, number>();
  let most = 0;
  for (const char of value.toLowerCase()) {
    const count = (counts.get(char) ?? 0) + 1;
    counts.set(char, count);
    if (count > most) most = count;
  }
  return most > value.length * 0.5 || (value.length >= 8 && counts.size <= 3) || /(?:\.{3}|…|\*{3}|•{3})/u.test(value);
}

/** Whether most characters are in sequence, as in `1234567890` or `abcdefgh`. */
export function isSequence(value: string): boolean {
  let steps = 0;
  for (let index = 1; index < value.length; index++) {
    if (value.charCodeAt(index) - value.charCodeAt(index - 1) === 1) steps += 1;
  }
  return value.length >= 6 && steps >= (value.length - 1) * 0.6;
}

/** What is written in place of a secret. */
const IN_PLACE: readonly RegExp[] = [
  // Amazon's own examples.
  /EXAMPLE(?:KEY|TOKEN|SECRET)?$/u,
  // A notice in place of a value, and a reference to where it is kept.
  /^([*_#-])[A-Z]+(?:\1[A-Z]+){0,6}\1$|^@[\w.]+\(|\[,/u,
  /^(?:<.*>|«.*»|\[.*\]|\{.*\}|%[\w.-]+%|__\w+__|@[\w.]+@|:\w+|\?)$/su,
  /^(?:op|vault|ssm|arn|secretsmanager|keyring|env|file|ref|gcp-sm):|^ref\+/iu,
  /^(?:your|votre|deine?|ihre?|tuo|su|seu|sua|jouw|uw|din|ditt|tw[oó]j[ae]?)[-_]\p{L}/iu,
  // Variables and calls of shells, templates and formats.
  /^(?:\$\{|\$\(|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]\w*|[A-Z][A-Za-z]*)(?:$|->|["'/:,;)])|\$\d$|#\{|\{\{|%[.\d]{0,4}[sdv(]|%\d(?=<|$)|<%|!(?:secret|vault|Ref|Sub|GetAtt)\b)/u,
  /^&{1,2}[a-z_]\w*$/iu,
  /\[(?:0-9|a-z|A-Z|\^)|\(\?[:=!]|\\[dws][+*{]/u,
  // A prompt and its command, an error of OpenSSL.
  /^[\w.-]{2,40}(?:\([\w-]{1,20}\))?[#>](?:sh(?:ow)?|conf\w{0,10}|en(?:able)?|exit|ping|copy|write|do|no|debug)$|:error:[0-9A-F]{6,8}:/u,
  // Another setting, a measure by its name, another option.
  /^[A-Za-z_]+(?:[._-][A-Za-z]+)*=(?:true|false|yes|no|none|null|on|off)$|^[a-z_]{1,20}\d{0,2}=\d{1,9}(?:\.\d{1,6})?(?:m?s|m|h|%|[kmg]i?b)?$/iu,
  /^(?:[a-z][\w.-]*:v?\d+(?:\.\d+){1,3}(?:[-.+]\w+)*|v?\d+(?:\.\d+){1,3}=\w+|--[a-z][\w-]*=.*)$/iu,
  // A number and what it counts: `KeePass 2-Datenbank`.
  /^\d{1,3}(?:-\p{L}{2,}){1,4}(?:&quot)?$/u,
  // Twilio's ids of messages, calls and the like; a secret's name in a store; the host behind a placeholder.
  /^(?:(?:SM|MM|AC|CA|PN|CH|IS|MG|VA|CF|RE)[0-9a-f]{32}|(?:(?:[A-Z][A-Z0-9_]*=)?[a-z]+(?:-[a-z]+)+:(?:latest|\d{1,3})(?:,|$))+|@[\w-]+(?:\.[\w-]+)+(?:[:/].*)?)$/u,
  // Rules for a form's fields, and key combinations.
  /^(?:\w{1,20}:)?(?:required|nullable|sometimes|string|confirmed)\|/u,
  /^(?:(?:ctrl|control|strg|alt|altgr|shift|cmd|command|meta|super|option|win)\+){1,3}\w{1,12}$/iu,
  // Digests, Oracle Cloud ids, names of service account tokens.
  /^(?:hmac-)?sha\d{1,3}[-:]|^ocid1\.|-token-[a-z0-9]{5}$/iu,
  // The public halves of key pairs: of SSH, X.509, age, minisign, Stripe, Nostr, PostHog; ids of Slack.
  /^(?:AAAA[BCE][A-Za-z0-9]|MI(?:IBIjANBg|GfMA0G|ICIjANBg)|RW[\w+/]{50,60}={0,2}$|(?:age|npub)1[a-z0-9]{50}|pk_(?:live|test)_|phc_[A-Za-z0-9]{40}|pk\.eyJ|[BCDGTUW]0[A-Z0-9]{8,10}$)/u,
  // An Ethereum address.
  /^0x[0-9a-fA-F]{40}$/u,
  // What tools for encrypted settings, AWS KMS, Fernet and OpenSSL put in place of a value.
  /^(?:ENC|DEC)[[(]|^(?:(?:AQICAH|CiQA|gAAAAA|U2FsdGVkX1)[\w+/-]{30}|\{cipher\}|!encrypted)/u,
];

/** Whether a value is only a placeholder: templates, variables, masks, `<your-token>`, `changeme`. */
export function isStandIn(value: string): boolean {
  return (
    value.length < 4 ||
    isMask(value) ||
    isSequence(value) ||
    IN_PLACE.some((pattern) => pattern.test(value)) ||
    isFilledIn(value) ||
    isKeyName(value) ||
    saysStandIn(value)
  );
}

/** Whether a value is a template with nothing secret around its variables. */
function isFilledIn(value: string): boolean {
  const rest = value.replace(/\$?\{\{?[^{}]*\}\}?/gu, '');
  return /\$\{\{?[^{}]*\}|\{\{[^{}]*\}\}/u.test(value) && !looksRandom(rest);
}

/**
 * Whether a value is a keyring's name for an entry, such as `app:<host>:refresh`: words at both ends, and between them
 * words, hosts, ports and placeholders. A password in the last place would have to be a plain word.
 */
function isKeyName(value: string): boolean {
  const [first = '', ...rest] = value.split(':');
  const last = rest.pop() ?? '';
  const isWord = (part: string) => /^[a-z]{3,20}(?:[-_][a-z]{3,20}){0,3}$/u.test(part);
  const isMiddle = (part: string) =>
    isWord(part) ||
    /^(?:<[\w .-]{1,40}>|\$?\{\w{1,40}\}|localhost|\d{1,5}|[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*){1,6})$/u.test(part);
  return rest.length > 0 && isWord(first) && isWord(last) && rest.every(isMiddle);
}

/** Whether the words of a value say that it is not a secret: `my-secret-token`, `your_key_here`. */
function saysStandIn(value: string): boolean {
  if (TECHNICAL.test(value)) return true;
  if (/(?:^|[^A-Za-z])(?:(?:change|set|replace|fill)[-_]?(?:me|it|in)|fix-?me|to-?do)(?:$|[^A-Za-z])/iu.test(value))
    return true;
  const runs = value.match(/[A-Za-z]+/gu) ?? [];
  const isNamed = (word: string) => STAND_INS.has(word.toLowerCase());
  if (!runs.some((run) => isNamed(run) || run.match(PIECES)?.some(isNamed))) return false;
  if (/(?:^|[^A-Za-z])(?:change-?_?me|placeholder|redacted|your|dummy|example)(?:$|[^A-Za-z])/iu.test(value))
    return true;
  const rest = value.replace(/[A-Za-z]+/gu, (run) => (isNamed(run) ? '' : run));
  return !looksRandom(rest) && !SPECIAL.test(rest);
}

/** Whether an unquoted value is an expression of a programming language rather than a literal. */
export function isCode(value: string): boolean {
  if (
    /^(?:await|new|async|function|return|typeof|lambda|not|if|this|self|null|nil|None|undefined|true|false)\b/u.test(
      value,
    )
  )
    return true;
  const called = /^([A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*)[([]/u.exec(value)?.[1];
  if (called !== undefined && ((called.length > 2 && !looksRandom(called)) || /[)\]][;,}]{0,4}$/u.test(value)))
    return true;
  if (/^!?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+[;,)]*$/u.test(value)) return !looksRandom(value);
  return /^[([{&|]|=>|\w>?\($|\w>\(|\/\*|;(?:return|var|let|const|if|for|throw|break)\b|^[A-Za-z_$!][\w.$!()[\]]*(?:\|\||&&|\?\?)[\w.$!()[\]]*$|^[A-Z]\w*<|^[a-z]+\|[a-z]+$|^[\w$.]{1,40}\?[\w$.()[\]]{1,80}:/u.test(
    value,
  );
}

/** Whether a value names a place: a path, a file, an address without a password, an e-mail address. */
export function isPlace(value: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(value)) return true;
  if (/^(?:~|\.{1,2})?\/[\w@.~-]+(?:\/[\w@.~-]+)*\/?$/u.test(value)) return !looksRandom(value);
  if (/^[A-Za-z]:\\/u.test(value)) return true;
  if (
    /^[\w-]+(?:[./][\w-]+)*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|txt|py|rb|go|rs|java|php|sh|env|pem|key|crt|cfg|ini|conf|html?|css|log|lock|b64|enc|gpg|age)(?::\d{1,6}){0,2}$/iu.test(
      value,
    )
  )
    return true;
  if (/^[\w-]+(?:\/[\w.-]+)+(?::\d{1,6}|@[0-9a-f]{40})?$/u.test(value))
    return !looksRandom(value.replace(/@[0-9a-f]{40}$|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu, ''));
  return /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,12}|[A-Z]{2,12})$/u.test(value) && !/^\D*\d[^@]*@/u.test(value);
}

/** Whether a value is a date, a version, a duration, a plain number or an address. */
export function isMeasure(value: string): boolean {
  // A Debian version.
  if (/^(?:\d+:)?\d+(?:\.\d+)*(?:[-+~](?:[a-z]{0,3}|ubuntu|dfsg|deb|build|alpha|beta)\d[\w.]{0,12}){1,4}$/u.test(value))
    return true;
  return /^(?:v?\d+(?:\.\d+)+(?:[-+][\w.]+)?|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?|[\d.,]+\s?(?:ms|s|m|h|d|[kmg]i?b|px|r?em|%|sec(?:onds?)?|min(?:utes?)?|hours?|days?|weeks?|bytes|chars|tokens?)?|0x[\da-f]{1,8}|S-1(?:-\d+)+|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?)$/iu.test(
    value,
  );
}
