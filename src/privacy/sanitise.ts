/** Whole terminal escape sequences: CSI, then OSC and the like up to their end, then the short ones. */
const ESCAPE_SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,8}[0-~]/g;
const PLAIN = /^[\t\n\x20-\x7e]*$/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const SEPARATORS = /[\u2028\u2029]/g;
/** Marks that change the direction of text, so that it reads differently from its content. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Invisible, but read by a model: zero width, fillers, tag characters, variation selectors except emoji's two. */
const INVISIBLE =
  /\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u00ad\u115f\u1160\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0d]|(?<=\ufe0e|\ufe0f|^|\s)(?:\ufe0e|\ufe0f)/gu;
// Joiners stay where scripts need them: between pictographs, and between letters of joining scripts.
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Mongolian}';
const HAS_JOINERS = /[\u200c\u200d]/;

/** Joiners that join nothing. Compiled only when needed: V8 takes longer to parse the scripts than most texts. */
function strayJoiners(): RegExp {
  return new RegExp(
    `(?<![${JOINING}\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])[\\u200c\\u200d]|[\\u200c\\u200d](?![${JOINING}\\p{Extended_Pictographic}])`,
    'gu',
  );
}

/** More marks on one letter than any script needs, which cover the lines above and below. */
const FLOOD = /(\p{M}{8})\p{M}+/gu;

const TAG_OPENS = /[<\uff1c\ufe64]/;
// Any tag, whatever its name; with spaces inside, only names that a host or a model knows.
const TAG = /[<\uff1c\ufe64](?=[!?]|[/\uff0f\u2044\u2215]?[\p{L}_|])/gu;
const SPACED_TAG =
  /[<\uff1c\ufe64](?=[ \t/\uff0f\u2044\u2215]{1,20}(?:system|user|human|assistant|tool|function|invoke|parameter|antml|private|hook|persisted|claude|git[-_ ]mem(?:[-_ ]memory)?|command|local-command|task|environment|instructions?)\b)/giu;
const BRACKET_TAG = /\[(?=\/?(?:INST|SYS|SYSTEM|ASSISTANT|USER|HUMAN|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])/giu;
const ROLE = /^([ \t>*_#-]{0,20}(?:human|assistant|system|user|developer|tool)[ \t*_]{0,8}):/gimu;

/**
 * Text that is safe inside the fence of an injection: no control, hidden or direction characters, no HTML comments,
 * nothing that a host or a model could take for a tag, a role or the fence itself. Line feeds and tabs stay.
 */
export function sanitiseForModel(text: string): string {
  // Of an unclosed comment, only the opening mark is replaced, like that of a tag.
  let safe = withoutParts(sanitiseForTerminal(text), COMMENT);
  // Each only if its first or last character occurs: V8 takes longer to compile one of these than to read a title.
  if (TAG_OPENS.test(safe)) safe = safe.replace(TAG, '‹').replace(SPACED_TAG, '‹');
  if (safe.includes('[')) safe = safe.replace(BRACKET_TAG, '(');
  return safe.includes(':') ? safe.replace(ROLE, '$1꞉') : safe;
}

/** Text that is safe for a terminal: nothing moves the cursor, sets titles, hides characters or reverses them. */
export function sanitiseForTerminal(text: string): string {
  // Nearly all text is plain, and needs none of the steps below.
  if (PLAIN.test(text)) return text;
  const shown = text
    .toWellFormed()
    .replace(ESCAPE_SEQUENCES, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(BIDI, '')
    .replace(INVISIBLE, '');
  const joined = HAS_JOINERS.test(shown) ? shown.replace(strayJoiners(), '') : shown;
  return joined.replace(FLOOD, '$1');
}

/**
 * JSON in which characters that act on a terminal, or are invisible in it, are escaped: a JSON parser gets the same
 * values, and a reader sees that something is there.
 */
export function visibleJson(json: string): string {
  if (PLAIN.test(json)) return json;
  return [CONTROLS, BIDI, INVISIBLE, SEPARATORS].reduce((result, hidden) => result.replace(hidden, escaped), json);
}

function escaped(hidden: string): string {
  return Array.from(
    { length: hidden.length },
    (_, i) => `\\u${hidden.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

/**
 * Text without the parts from each `open` to its `close`; an unclosed part is kept, or dropped with the rest. By index,
 * since a regular expression would walk the rest of the text again for each unclosed part.
 */
export function withoutParts(
  text: string,
  { open, close, unclosed = 'kept' }: { open: string; close: string; unclosed?: 'kept' | 'dropped' },
): string {
  let result = '';
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return result + text.slice(at, start >= 0 && unclosed === 'dropped' ? start : undefined);
    result += text.slice(at, start);
    at = end + close.length;
  }
}

/** The marks of an HTML comment. */
export const COMMENT = { open: '<!--', close: '-->' };
