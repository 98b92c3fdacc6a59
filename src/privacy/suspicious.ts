/** Text that looks written for a model, or to hide something, rather than for a reader of the record. */
export interface Suspicion {
  code: string;
  /** What it looks like, never the text itself. */
  message: string;
  /** From 1. */
  line: number;
}

/**
 * Every kind of suspicion that a text raises, each once, at the first line where it appears. Takes linear time.
 * `isStrict`: later sessions follow the text, so it may neither switch off a safeguard nor send anything anywhere.
 */
export function findSuspicious(text: string, { isStrict = false } = {}): Suspicion[] {
  // Folded as the flags `i` and `u` compare: a long s and a Kelvin sign are an s and a k.
  const folded = text.toLowerCase().replaceAll('\u017f', 's');
  const found = (isStrict ? [...RULES, ...STRICT] : RULES).flatMap(({ code, message, find }) => {
    const at = find(text, folded);
    return at === undefined ? [] : [{ code, message, line: lineAt(text, at) }];
  });
  return found.filter(({ code }, i) => found.findIndex((other) => other.code === code) === i);
}

/** What to write instead of a text that raises a suspicion. */
export const INSTEAD: Record<string, string> = {
  instruction: 'Say what the text tries, in your own words: "The page asks agents to drop their rules."',
  secrecy: 'Say who decided what, and when: "Decided in the review of 12 May: ..."',
  exfiltration: 'Say in words what is sent where: "The script posts its environment to a server of its author."',
  command: 'Name what is installed and its page, without the line that runs it.',
  'tool-call': 'Put tags and roles into backticks.',
  'hidden-text': 'Leave the characters out, or name them: U+200B.',
  comment: 'Put the comment into backticks.',
  'data-url': 'Say what the address holds.',
  'encoded-command': 'Say what the command does.',
  safeguard: 'Say what fails and why: "The check fails on generated files." A person decides what is skipped.',
  sending: 'Say what the address is, and let a person send.',
};

/** The number of the line that holds this position, from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

interface Rule {
  code: string;
  message: string;
  /** Its position, in UTF-16 units; `folded` is the same text in lower case. */
  find(text: string, folded: string): number | undefined;
}

/** One sign of a suspicion. */
interface Sign {
  /** Lower-case strings, at least one of which is in every match: most texts contain none, and are not searched. */
  hints: string[];
  pattern: RegExp;
}

function sign(hints: string[], pattern: RegExp): Sign {
  return { hints, pattern };
}

/** Orders to a model to drop instructions; what they drop sets them apart from a record that is about instructions. */
const ORDERS: Sign[] = [
  sign(
    ['ignore', 'disregard', 'forget', 'override', 'bypass'],
    /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|my|these|those|of|everything)\s+){0,4}(?:previous|prior|above|earlier|preceding|existing|system|safety)\s+(?:[\w-]+\s+){0,2}(?:instructions?|rules|prompts?|guidelines?|directives?|guardrails|training)\b/iu,
  ),
  sign(
    ['ignore', 'disregard', 'forget'],
    /\b(?:ignore|disregard|forget)\s+(?:all\s+|everything\s+)?(?:of\s+)?(?:your|you were|you've been)\s+(?:[\w-]+\s+){0,2}(?:instructions?|rules|prompts?|guidelines?|told|training)\b/iu,
  ),
  sign(
    ['ignore', 'disregard', 'forget'],
    /\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:(?:that\s+)?(?:is|was|came|stands)\s+)?(?:above|before this|you were told)\b/iu,
  ),
  sign(['you are now'], /\byou are now\s+(?:in\s+)?(?:a|an|the|dan|developer mode|unrestricted|jailbroken|free)\b/iu),
  sign(
    ['from now on', 'starting now', 'henceforth'],
    /\b(?:from now on|starting now|henceforth),?\s+(?:you|always|never)\s+(?:must|will|should|are|run|execute|approve|answer|respond)\b/iu,
  ),
  sign(
    ['new', 'updated', 'revised'],
    /(?:^|\n|[.!:]\s)[^\S\n]*(?:new|updated|revised)\s+(?:system\s+)?(?:instructions?|prompt)\s*:/iu,
  ),
  sign(['override', 'end of'], /\bsystem\s+(?:prompt\s+)?override\b|\bend of (?:system )?(?:prompt|instructions)\b/iu),
  sign(
    ['system'],
    /\b(?:reveal|print|repeat|output|show)\s+(?:me\s+)?(?:your|the)\s+(?:(?:full|entire|hidden|initial)\s+){0,2}system\s+prompt\b/iu,
  ),
  sign(
    ['note', 'message', 'attention', 'instruction', 'important'],
    /\b(?:note|message|attention|instructions?|important)\s*(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:(?:ai|llm|language|coding)\s+)?(?:ai|llm|assistant|model|agent)s?\s*:/iu,
  ),
  sign(
    ['ignorier', 'vergiss', 'missachte'],
    /\b(?:ignorier|vergiss|missachte)[a-z]*\s+(?:alle\s+)?(?:bisherigen|vorherigen|vorigen|obigen|deine)\s+(?:anweisungen|regeln|instruktionen)\b/iu,
  ),
];

const SECRECY: Sign[] = [
  sign(
    ['do not', "don't", 'never', 'must not', 'without'],
    /\b(?:do not|don't|never|must not|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|ask(?:ing)?|mention(?:ing)?\s+(?:this|it|that)\s+to|reveal(?:ing)?\s+(?:this|it|that)\s+to|show(?:ing)?\s+(?:this|it|that)\s+to)\s+(?:the\s+|any\s+|your\s+)?(?:user|human|developer|operator|reviewer|maintainer)s?\b(?!['’]s|\s+(?:whether|why|which|how|twice|again|apart)\b)/iu,
  ),
  sign(
    ['hide', 'conceal', 'keep'],
    /\b(?:hide|conceal|keep)\s+(?:this|it|that|the change)\s+(?:secret\s+)?from\s+(?:the\s+)?(?:user|human|developer|operator|reviewer)s?\b/iu,
  ),
  sign(
    ['approved', 'authori', 'consented', 'agreed', 'confirmed'],
    /\b(?:the\s+)?(?:user|human|owner|operator|maintainer)\s+(?:has\s+)?(?:already\s+)(?:approved|authori[sz]ed|consented|agreed|confirmed)\b/iu,
  ),
  sign(
    ['need', 'asking', 'confirmation', 'permission'],
    /\b(?:no|without)\s+(?:need\s+to\s+ask|asking|(?:user\s+)?confirmation|permission)\b[^.\n]{0,40}\b(?:run|execute|push|merge|delete|approve)\b/iu,
  ),
];

/** Exfiltration: a program that sends data, next to something that should not be sent. */
const EXFILTRATION: Sign[] = [
  sign(
    ['$', '`env', '`printenv', '`cat', '@'],
    /\b(?:curl|wget|nc|ncat|iwr|invoke-webrequest)\b[^\n]{0,200}?(?:\$\(\s{0,4}(?:env|printenv|cat)\b|`(?:env|printenv|cat)\b|@(?:~|\$HOME|\/etc|\/root|\/home)?[^\s"']{0,80}(?:\.env|id_rsa|id_ed25519|credentials|\.npmrc|\.netrc|passwd)\b|\$\{?[A-Z_]{0,30}(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY)\b[^\n]{0,40}https?:\/\/|https?:\/\/[^\s]{0,120}\$\{?[A-Z_]{0,30}(?:TOKEN|SECRET|PASSWORD|KEY)\b)/u,
  ),
  sign(
    ['|'],
    /\b(?:env|printenv|cat\s+[^\n|]{0,80}(?:\.env|id_rsa|id_ed25519|credentials|\.npmrc|\.netrc|passwd))\b[^\n]{0,60}\|\s{0,8}(?:[\w ./-]{1,30}\|\s{0,8})?(?:curl|wget|nc|ncat)\b/u,
  ),
  sign(
    ['://'],
    /\b(?:send|post|upload|exfiltrate|leak|transmit|e?mail)\b[^.\n]{0,60}\b(?:env(?:ironment)? variables|\.env\b|secrets?|credentials|api keys?|tokens?|private keys?|ssh keys?)\b[^.\n]{0,40}\b(?:to\s+)?https?:\/\//iu,
  ),
];

const DOWNLOADS: Sign[] = [
  sign(
    ['|'],
    /\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n|]{0,300}\|\s{0,8}(?:sudo\s{1,8})?(?:ba|z|da|k)?sh\b/iu,
  ),
  sign(['<(', '$('], /\b(?:ba|z|da)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s{0,4}(?:curl|wget)\b/iu),
  sign(['base64'], /\bbase64\s+(?:-d|-D|--decode)\b[^\n|]{0,80}\|\s{0,8}(?:sudo\s{1,8})?(?:ba|z|da)?sh\b/iu),
  sign(
    ['iex', 'invoke-expression'],
    /\b(?:iex|invoke-expression)\b[^\n]{0,80}\b(?:downloadstring|iwr|invoke-webrequest|frombase64string)\b/iu,
  ),
];

const TOOL_CALLS: Sign[] = [
  sign(
    ['<'],
    /<\/?\s{0,8}(?:system-reminder|system|function_calls|function_results|invoke|tool_(?:use|call|calls|result)|antml:\w+|git-mem-memory|hook_context|assistant|human)\b\s{0,8}[^\n<>]{0,200}>/iu,
  ),
  sign(['<|', 'inst]', '<<'], /<\|[a-z_]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/iu),
  sign(['human:', 'assistant:', 'system:', 'user:'], /(?:^|\n)\s{0,3}(?:Human|Assistant|System|User):\s/u),
  sign(['"tool_'], /"type"\s{0,8}:\s{0,8}"tool_use"|"tool_calls"\s{0,8}:\s{0,8}\[/u),
];

/** Zero width, direction, fillers, tag characters. Joiners count only if the script does not need them, as Persian does. */
const HIDDEN = [
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u206a-\u206f\u3164\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0d]|\u034f|\u17b4|\u17b5/u,
  /(?<=[\p{ASCII}\p{Script=Latin}])(?:\u200c|\u200d|\ufeff)|(?:\u200c|\u200d)(?=[\p{ASCII}\p{Script=Latin}])/u,
];

/** What no rule or habit has reason to ask for, except to forbid it. */
const SAFEGUARDS: Sign[] = [
  sign(
    ['--', 'tls_reject', 'sslverify', 'stricthostkey', '777'],
    /(?<!\b(?:never|not|no|don't|without|avoid|forbid\w*|refuse\w*|instead of)\b[^.\n]{0,60})(?:--no-verify\b|--insecure\b|--dangerously-[\w-]+|--yolo\b|--allow-unauthenticated\b|NODE_TLS_REJECT_UNAUTHORIZED\s?=\s?["']?0|sslVerify\s?[= ]\s?false|StrictHostKeyChecking[= ]no|chmod (?:-R )?0?777)/iu,
  ),
  sign(
    ['approv', 'confirm', 'ask', 'permission', 'review'],
    /\b(?:without (?:asking|(?:any |a |further )?(?:review|approval|confirmation|permission))|auto-?(?:approve|confirm|accept)\w*|(?:do not|don't|never|no need to) (?:ask|wait) for (?:\w+ )?(?:review|approval|confirmation|permission)|(?:skip|bypass|disable) (?:the |all |any )?(?:code )?(?:reviews?|approvals?|confirmations?|permission))/iu,
  ),
];

const SENDING: Sign[] = [
  sign(
    ['://', '@'],
    /\b(?:sends?|posts?|uploads?|forwards?|e?mails?|reports?|cop(?:y|ies)|cc)\b[^.\n]{0,80}(?:https?:\/\/|\b[\w.+-]+@[\w-]+\.\w)/iu,
  ),
];

const RULES: Rule[] = [
  rule('instruction', 'It tells a model to change its instructions.', ORDERS),
  rule('secrecy', 'It asks to keep something from people, or claims their consent.', SECRECY),
  rule('exfiltration', 'It sends secrets or the environment somewhere.', EXFILTRATION),
  rule('command', 'It runs what it downloads or decodes.', DOWNLOADS),
  rule('tool-call', "It has the shape of a tool call, a role or a host's own tag.", TOOL_CALLS, withoutCode),
  rule(
    'hidden-text',
    'It holds characters that are invisible to readers.',
    HIDDEN.map((pattern) => sign([''], pattern)),
  ),
  rule(
    'comment',
    'It holds an HTML comment, which nobody sees when it is rendered.',
    [sign(['<!--'], /<!--/u)],
    withoutCode,
  ),
  rule('data-url', 'It holds a data: or javascript: address.', [
    sign(['data:'], /\bdata:(?:text|application|image)\/[a-z0-9.+-]{1,60}(?:;[a-z0-9=-]{1,30}){0,3},\S/iu),
    sign(['data:'], /\bdata:[a-z]{1,30}\/[a-z0-9.+-]{1,60};base64,/iu),
    sign(['script:'], /(?:\]\(|(?:href|src)\s{0,4}=\s{0,4}["']?|<)\s{0,4}(?:javascript|vbscript):/iu),
    sign(['javascript:'], /\bjavascript:[a-z_$][\w$.]{0,60}\(/iu),
  ]),
  { code: 'encoded-command', message: 'It holds a command in base64.', find: findEncodedCommand },
];

const STRICT: Rule[] = [
  rule('safeguard', 'It switches off a safeguard, or bypasses the people who decide.', SAFEGUARDS),
  rule('sending', 'It sends something to an address.', SENDING),
];

function rule(code: string, message: string, signs: Sign[], read = (text: string) => text): Rule {
  return {
    code,
    message,
    find(text, folded) {
      const possible = signs.filter(({ hints }) => hints.some((hint) => folded.includes(hint)));
      if (possible.length === 0) return undefined;
      const source = read(text);
      const places = possible.map(({ pattern }) => source.search(pattern)).filter((at) => at >= 0);
      return places.length === 0 ? undefined : Math.min(...places);
    },
  };
}

/**
 * Text with its short code spans blanked: a record that explains `<system>` quotes it in code, and tags in injected
 * text are replaced anyway. Positions do not change.
 */
function withoutCode(text: string): string {
  return text.replace(/(?<!`)`[^`\n]{1,60}`(?!`)/gu, (span) => '`'.repeat(span.length));
}

const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=_-])/gu;
const COMMAND =
  /\b(?:curl|wget|bash|sh -|powershell|eval|exec|rm -rf|chmod|nc -|python|node -e|ignore (?:all|previous)|https?:\/\/)/iu;

function findEncodedCommand(text: string): number | undefined {
  for (const match of text.matchAll(ENCODED)) {
    const decoded = Buffer.from(match[0], 'base64').toString('utf8');
    if (/^[\t\n\r\x20-\x7e]+$/u.test(decoded) && COMMAND.test(decoded)) return match.index;
  }
  return undefined;
}
