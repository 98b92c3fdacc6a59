/**
 * How a value is written, which decides how much it must look like a secret: `env` NAME=value, `quoted` a literal,
 * `bare` after an operator, `told` after "is", `shown` quoted next to the name, `loose` merely next to it.
 */
export type Style = 'env' | 'quoted' | 'bare' | 'told' | 'shown' | 'loose';

export interface Written {
  start: number;
  end: number;
  style: Style;
}

/** How many characters around a name are searched for its value: more than the longest token has. */
const LONGEST = 4_000;
const OPENERS: Record<string, string> = { ')': '(', ']': '[', '}': '{', '>': '<' };

// The shapes in which a value follows its name, tried at the name's end; all are bounded. Where a value is on the
// next line, a diff's mark or a listing's number may come before it.
const PAIR =
  /["'`]?\s{0,40}[,;]?[\s+>|→\d-]{0,200}["']?(?:(?:value|stringValue|plainValue|val|content|default)["']?\s{0,20}[:=]|<\/\w{1,20}>[:=]?\s{0,40}<(?:value|td|dd|string|code|span|b|kbd|tt|pre|br)(?:[ ][^<>\n]{0,60})?\/?>|["']?[ ]--?(?:form|F|d|data)[ ]["']?value=|(?:[ ]\/t[ ]REG_SZ)?[ ]\/d(?=[ ])|[ ]--(?:value|data|body)(?:[ ]|=))\s{0,20}/iy;
// An interpreter's answer, or the next row of a numbered list, on the line below; the body of a form's part.
const NUMBERED =
  /["'`]?\]?\)?[ \t]{0,20}\r?\n(?:=>|->|\[1\]|\$\d{1,3}[ ]=|Out\[\d{1,4}\]:|\w{1,10}: String =|- : string =)[ ](?=["'])|["'`]?[ \t]{0,20}\r?\n[ \t]{0,20}\d{1,6}\)[ \t]{1,4}(?=["'`])/y;
const PART = /["']?(?:;[^\r\n]{0,200})?(?:\r?\n[A-Za-z-]{1,40}:[^\r\n]{0,200}){0,4}\r?\n\r?\n(?=\S)/y;
// A Terraform variable or output, a parameter with a default.
const NESTED =
  /["'`]?\s{0,20}:?\s{0,20}\{[^{}]{0,300}?\b(?:default|value|plaintext)["']?\s{0,10}[:=]\s{0,10}|:[ \t]{0,20}(?:\r?\n[ \t]{1,40}(?!default)\w{1,30}:[^\r\n]{0,200}){1,4}\r?\n[ \t]{1,40}default:[ \t]{0,20}/iy;
const PLIST = /<\/key>[\s+>|→\d-]{0,80}<string>/iy;
const ATTRIBUTE = /["'][^<>\n]{0,80}(?<!=)>\s{0,40}(?:<(?:value|val|string)>\s{0,10})?/iy;
const ELEMENT = /(?:\s[^<>\n]{0,80})?>\s{0,40}(?:<value>|<!\[CDATA\[)?(?=[^<]{1,4000}<)/iy;
const BLOCK = /["']?:[ \t]{0,20}[|>][-+]?\d?[ \t]{0,20}\r?\n[ \t+>|→\d-]{1,80}/y;
const TYPED =
  /\??\s{0,20}:\s{0,20}[&\w.<>[\]| ]{1,60}?[ \t]=[ \t]\s{0,20}|\s{0,20}:\s{0,20}[\w.() ]{1,50}:=\s{0,20}(?=["'])|\s{1,40}(?:PIC|TYPE)\s{1,20}\S{1,20}\s{1,60}VALUE\s{1,40}(?=["'])|\s(?:As[ ])?(?:string|text|String)\s{0,20}:?=\s{0,20}(?=["'`])|[ \t]{0,20}(?:\[\d{0,6}\]|\{[^{}"'`\n]{0,60}\})[ \t]{0,20}=\s{0,20}(?=[@$A-Za-z]{0,2}["'`])|\{(?=["'])|[ ][A-Za-z]{1,20}(?:\(\w{1,10}\))[ ]=[ ](?=N?')|[ \t]{0,20}::[^\n=]{1,80}\r?\n[\w']{1,80}[ ]=[ ](?=")/y;
const OPERATOR =
  /(?:["'`]\]?|\]|\)|\*\*|\?)?[ \t]{0,200}(?:=>|:=|:-|\?=|\+=|={1,3}|<<?-(?=[ ]["'])|!==?|:(?!:)|→|➜|➔|⇒|->|\|\||\?\?|or(?=\s)|\|(?=[^|\n]{1,200}\|[ \t]{0,20}(?:[\n"\\]|$)))\*{0,2}[ \t]{0,200}(?:!!str[ ])?/y;
// Rust's and Scala's options, wrappers of secrets, PHP's dumps, a string in parentheses, YAML's anchors.
const WRAPPER =
  /(?:(?:Some|Just|Ok|Right|String::from|(?:new[ ])?Secret\w{0,20}(?:::new|\.\w{1,30})?)?\(\s{0,80}|\s{0,80}string\(\d{1,6}\)[ ])(?=["'`])|&[\w-]{1,40}[ ](?=\S)|(?:(?:\$\(cat[ ])?<<[-~]?["']?[A-Z]\w{0,20}["']?|@["']|"""|''')[ \t]{0,20}\r?\n[ \t]{0,40}(?=\S)|\[\[(?=[^\s[\]]{6,400}\]\])|\[(?=[^\s[\]'"]{6,400}\](?:[\s,;.]|$))/y;
const CALL = /\((?:[\w.:]{1,30}\()?(?=["'`])/y;
// A mainframe's command: `PASSWORD(ABC123XY)`.
const UPPER_CALL = /(?<=\b[A-Z]{4,20})\((?=[A-Z0-9#@$]{0,20}\d[A-Z0-9#@$]{0,20}\))/y;
const ARGUMENT = /["'`]\s{0,20},\s{0,40}(?=["'`])/y;
// The default of an option on a command line, Kotlin's pairs, PHP's serialised ones.
const DEFAULT =
  /["'`]\s{0,20},\s{0,40}(?:[^"'`\n()]{0,60}[ ,])?default\s{0,4}=\s{0,4}(?=["'`])|["'`](?:[ ]to[ ]|;s:\d{1,5}:)(?=")/y;
// Erlang and Elixir: `{db_password, "..."}`.
const TUPLE = /[ \t]{0,10},[ \t]{0,10}(?:<<)?(?=["'])/y;
const FLAG = /(?:[ \t]{1,20}|["']?\r?\n[ \t]{0,40}-[ ])(?![-\s])/y;
// "secret key base is", "password for the mail relay is now".
const REST = '(?:[ ](?:access|key|base|phrase|value|string|token|expired|rejected|invalid|used|found)){0,2}';
const OF =
  '(?:[ \\t]{1,4}(?!reset|polic|hash|field|length|min|max|file|type|check|rule|manager|prompt)[a-z]{2,20}(?=[ ]?[:=])|[ \\t]{1,20}(?:for|of|to|on|in|at|from|für|von|zum|zur|di|del|della|de|du|do|da|van)[ \\t]+(?:[^\\s:=]{1,40}[ \\t]+){0,3}[^\\s:=]{1,40})?';
const STATED = new RegExp(
  `["'\`*_)]{0,4}${REST}${OF}(?:[ ]\\([^()\\n]{1,40}\\)(?=[ ]?[:=]))?[*_]{0,3}(?:(?<!\\b(?:for|of|by)[ ](?:user|username|account|login|email|host))[ \\t]{0,20}[:=]|[ \\t]{1,3}[-–—]|[ \\t]{1,20}(?:is|was|are|becomes?|(?:set|changed|rotated) to|(?:should|will|has to) be|equals|reads|lautet|ist|est|es|è|é|war|jest|adalah|estas|ay|är))` +
    '(?:[ \\t]{1,20}(?:now|still|currently|jetzt))?[ \\t]{0,20}:?\\s{1,20}(?=\\S)',
  'y',
);
// A pasted form: the name alone on its line, the value alone on the next.
const NEXT_LINE =
  /\)?[ \t]{0,20}:?[ \t]{0,20}\r?\n(?:\r?\n)?[ \t+>|→-]{0,40}(?![0-9a-f]{40}\b|[A-Z][A-Z0-9_]{2,40}=\S|[A-Za-z][A-Za-z_.-]{1,60}=)(?=\S{6,200}[ \t]{0,20}(?:\r?\n|$))/y;
// A parenthesis in prose: `API_TOKEN (...)`.
const ASIDE = /[ \t]\((?=[^\s()]{8,400}\))/y;
const LOOSE = new RegExp(`["'\`*_)]{0,4}${REST}[ \\t]{1,200}(?=\\S)`, 'y');

/** The value that follows the name at [start, end); undefined if nothing follows that could be one. */
export function valueAfter(text: string, start: number, end: number): Written | undefined {
  const name = text.slice(start, end);
  const before = text.charAt(start - 1);
  const next = text.charAt(end);
  if (/^[A-Z][A-Z0-9_]*$/u.test(name) && next === '=' && text.charAt(end + 1) !== '=')
    return literal(text, end + 1, 'env');
  const part = /name=["']?$/u.test(text.slice(Math.max(0, start - 6), start)) ? sticky(PART, text, end) : undefined;
  if (part !== undefined) return stretch(text, part, /[^\r\n]{1,4000}/y, 'quoted');
  const pair = sticky(PAIR, text, end) ?? sticky(NESTED, text, end) ?? sticky(NUMBERED, text, end);
  if (pair !== undefined) return literal(text, pair, 'bare');
  const element =
    ((before === '<' && text.charAt(start - 2) !== '=') || before === ':' ? sticky(ELEMENT, text, end) : undefined) ??
    sticky(PLIST, text, end) ??
    sticky(ATTRIBUTE, text, end);
  if (element !== undefined) return stretch(text, element, /(?:[^<\r\n\]]|\](?!\]>)){1,4000}/y, 'quoted');
  const block = sticky(BLOCK, text, end);
  if (block !== undefined) return stretch(text, block, /[^\r\n]{1,4000}/y, 'quoted');
  const assigned = sticky(TYPED, text, end) ?? sticky(OPERATOR, text, end);
  if (assigned !== undefined) {
    const wrapped = sticky(WRAPPER, text, assigned);
    return literal(text, wrapped ?? assigned, ownsLine(text, start) ? 'line' : 'bare');
  }
  const call = sticky(CALL, text, end) ?? sticky(UPPER_CALL, text, end);
  if (call !== undefined) return literal(text, call, 'bare');
  const fallback = sticky(DEFAULT, text, end);
  if (fallback !== undefined) return literal(text, fallback, 'bare');
  const argument = sticky(ARGUMENT, text, end);
  if (argument !== undefined) return literal(text, argument, 'told');
  const tuple = /[{(]/u.test(before) ? sticky(TUPLE, text, end) : undefined;
  if (tuple !== undefined) return literal(text, tuple, 'bare');
  if (name.startsWith('-') || /^(?:requirepass|masterauth)$/u.test(name)) {
    const flag = sticky(FLAG, text, end);
    return flag === undefined ? undefined : literal(text, flag, 'line');
  }
  const aside = sticky(ASIDE, text, end);
  if (aside !== undefined) return literal(text, aside, 'shown');
  const told = sticky(STATED, text, end) ?? sticky(NEXT_LINE, text, end);
  if (told !== undefined) return literal(text, told, 'told');
  const loose = sticky(LOOSE, text, end);
  if (loose !== undefined && isDefined(text, start, loose)) return literal(text, loose, 'env');
  return loose === undefined ? undefined : literal(text, loose, isSetting(text, start) ? 'bare' : 'loose');
}

// The pair of a name and a value, sorted so that the value comes first.
const PAIR_BEFORE =
  /(["']?value["']?[ \t]{0,20}:[ \t]{0,20}["']?)([^\s"',]{6,2000})["']?[ \t]{0,20},?\s{0,80}["']?(?:name|key)["']?[ \t]{0,20}:[ \t]{0,20}["']?$/u;

// A literal that is moved to a name.
const MOVED = /(["'])([^"'\s]{6,200})\1[ ]{1,4}(?:to|into|in|as|->|=>)[ ]{1,4}$/iu;

/** The value before a name, as in `VALUE is the password`, `use VALUE as token` and `{"value": VALUE, "name": ...}`. */
export function valueBefore(text: string, start: number): Written | undefined {
  const pair = PAIR_BEFORE.exec(text.slice(Math.max(0, start - LONGEST), start));
  if (pair?.[1] !== undefined && pair[2] !== undefined) {
    const from = Math.max(0, start - LONGEST) + pair.index + pair[1].length;
    return { start: from, end: from + pair[2].length, style: 'quoted' };
  }
  const moved = MOVED.exec(text.slice(Math.max(0, start - 220), start));
  if (moved?.[2] !== undefined) {
    const from = start - moved[0].length + 1;
    return { start: from, end: from + moved[2].length, style: 'quoted' };
  }
  if (!/[ \t](?:is|was|as|ist|als)[ \t]/u.test(text.slice(Math.max(0, start - 80), start))) return undefined;
  const floor = Math.max(0, start - 160);
  const match =
    /(?:^|[\s"'`(])([^\s"'`()]{8,100})["'`)]{0,2}[ \t]+(?:is|was|as|ist|als)[ \t]+(?:(?:the|a|an|my|our|your|its|das|der|die|mein|unser)[ \t]+)?(?:[\w-]{1,30}[ \t]+){0,2}$/u.exec(
      text.slice(floor, start),
    );
  const value = match?.[1];
  if (!match || value === undefined) return undefined;
  const from = floor + match.index + match[0].indexOf(value);
  return { start: from, end: from + value.length, style: 'loose' };
}

/** Whether a command sets the name: `git config`, `npm config set`, `setenv`, a Dockerfile's ENV. */
function isSetting(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  return /(?:\bconfig(?:ure)?(?:[ ]+--?[\w-]+)*(?:[ ]+set)?|\benv[ ]+(?:set|add)|\b\w+:set|\bsecrets?[ ]+(?:set|put|add)|\bchamber[ ]+write[ ]+\S{1,60}|--arg|\bsetenv|\bsetx|\bdefaults[ ]+write[ ]+\S{1,80}|\bset[ ]+-\w+|(?:^|\n)[ \t]{0,40}set|\bENV|\bARG)[ ]+[^\s]{0,60}$/u.test(
    before,
  );
}

/** Whether the string at `from` is what the name is defined as: C's `#define`, a Dockerfile's ENV. */
function isDefined(text: string, start: number, from: number): boolean {
  return (
    /["']/u.test(text.charAt(from)) &&
    /(?:^|\n)[ \t]*(?:#[ ]?define|ENV|ARG)[ ]+\w*$/u.test(text.slice(Math.max(0, start - 60), start))
  );
}

/** A name at the start of its line (after indentation, a list dash or a diff mark) may own the rest of the line. */
function ownsLine(text: string, start: number): boolean {
  const line = text.slice(Math.max(0, start - 40), start);
  return /(?:^|\n)[+\- \t]*(?:export[ ])?$/u.test(line);
}

// An unquoted value ends at white space or, if parameters share a line, at the next parameter.
const ALONE = /(?:[^\s\\]|\\(?![nrtu"'\\])){1,4000}/y;
const SHARED =
  /(?:[^\s"'`\\<&;,]|\\(?![nrtu"'\\])|<(?![/A-Za-z!])|&(?![A-Za-z_][\w.%[\]-]{0,60}=)|;(?![\w ]{1,30}=)|,(?!["'\w.-]{1,60}[=:])){1,4000}/y;

/** Reads a literal: quoted, or up to the end of an unquoted one in this style. */
function literal(text: string, from: number, style: Style | 'line'): Written | undefined {
  const opened = /(?:[A-Za-z@$]{1,2}(?=["']))?(["'`]{1,3})/y;
  opened.lastIndex = from;
  const quote = opened.exec(text)?.[1];
  if (quote) return quoted(text, opened.lastIndex, quote.charAt(0), style === 'line' ? 'bare' : style);
  if (style === 'env') return unclosed(text, stretch(text, from, ALONE, style));
  if (style === 'line') return trimmed(text, unclosed(text, stretch(text, from, ALONE, 'bare')));
  return trimmed(text, stretch(text, from, SHARED, style));
}

function quoted(text: string, from: number, quote: string, style: Style): Written | undefined {
  const rest = text.slice(from, from + LONGEST);
  const closing =
    quote === '"'
      ? /(?:[^"\\\r\n]|\\[^\r\n])*/y
      : quote === "'"
        ? /(?:[^'\\\r\n]|\\[^\r\n])*/y
        : /(?:[^`\\\r\n]|\\[^\r\n])*/y;
  const length = closing.exec(rest)?.[0].length ?? 0;
  const next = style === 'told' || style === 'env' ? style : style === 'loose' ? 'shown' : 'quoted';
  if (rest.charAt(length) === quote) return { start: from, end: from + length, style: next };
  return stretch(text, from, /(?:[^\s"'`\\]|\\(?!["'`])){1,4000}/y, next);
}

function stretch(text: string, from: number, pattern: RegExp, style: Style): Written | undefined {
  const end = sticky(pattern, text, from);
  return end === undefined ? undefined : { start: from, end: from + text.slice(from, end).trimEnd().length, style };
}

/** Leaves out the quote that closes the whole assignment, as in `"DB_PASSWORD=..."}`. */
function unclosed(text: string, written: Written | undefined): Written | undefined {
  if (!written) return undefined;
  const value = text.slice(written.start, written.end);
  const [closing, quote] = /(["'`])[}\]),;:\\n]{0,40}$/u.exec(value) ?? [];
  if (closing === undefined || quote === undefined || value.indexOf(quote) < value.length - closing.length)
    return written;
  return { ...written, end: written.end - closing.length };
}

/** Leaves out what belongs to the sentence or the surrounding brackets. */
function trimmed(text: string, written: Written | undefined): Written | undefined {
  if (!written) return undefined;
  const value = text.slice(written.start, written.end);
  const lone = Object.keys(OPENERS).filter((closer) => !value.includes(OPENERS[closer] ?? ''));
  let { end } = written;
  while (end > written.start && (lone.includes(text.charAt(end - 1)) || /[.,;:*_|]/u.test(text.charAt(end - 1))))
    end -= 1;
  return { ...written, end };
}

function sticky(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
