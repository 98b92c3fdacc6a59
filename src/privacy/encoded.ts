import type { Finding } from './findings.ts';

// A run of base64, over several lines if a tool wraps it; the alphabets of URLs and of MIME.
const RUN =
  /(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{60,76}\r?\n[+\-> ]?[ \t]{0,40}){1,400}[A-Za-z0-9+/_-]{0,76}={0,2}|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** Longer runs, in characters, are files, not encoded secrets. */
const LONGEST = 200_000;

/**
 * Finds base64 whose decoded text holds a secret. `find` searches the decoded text; a run with a finding is a secret as
 * a whole.
 */
export function findEncoded(text: string, find: (decoded: string) => Finding[]): Finding[] {
  return Array.from(text.matchAll(RUN)).flatMap((match): Finding[] => {
    const run = match[0];
    if (run.length > LONGEST || !/[A-Z]/u.test(run)) return [];
    const found = inRun(run, find);
    // If the last line is as wide as the others, the text below may have been taken into the run.
    const shorter = found === undefined && run.includes('\n') ? run.slice(0, run.lastIndexOf('\n')).trimEnd() : '';
    const kind = found ?? (shorter === '' ? undefined : inRun(shorter, find));
    const length = found === undefined ? shorter.length : run.length;
    return kind === undefined ? [] : [{ start: match.index, end: match.index + length, kind }];
  });
}

/** RFC 4616: a user and a password between zero bytes. */
const SASL_PLAIN = /^\x00[\x20-\x7e]{1,200}\x00[\x20-\x7e\x80-\xff]{4,200}$/;

/** The kind of the first secret in a run of base64. */
function inRun(run: string, find: (decoded: string) => Finding[]): string | undefined {
  if (run.startsWith('A') && SASL_PLAIN.test(Buffer.from(run, 'base64').toString('latin1'))) return 'password';
  const decoded = decodedText(run.replace(/\r?\n[+\-> ]?[ \t]*/g, ''));
  return decoded === undefined ? undefined : find(decoded)[0]?.kind;
}

/** The text in a base64 run; undefined if it does not hold text. */
export function decodedText(run: string): string | undefined {
  // The first bytes decide for most runs: identifiers and paths decode to noise.
  const head = Buffer.from(run.slice(0, 16), 'base64').toString('latin1');
  if (/[^\t\n\r\x20-\x7e\x80-\xff]/u.test(head) || head.replace(/[^\x20-\x7e\s]/gu, '').length < head.length - 4)
    return undefined;
  const bytes = Buffer.from(run, 'base64');
  const decoded = bytes.toString('utf8');
  const odd = decoded.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/gu)?.length ?? 0;
  return odd > decoded.length * 0.02 ? undefined : decoded;
}

const IS_SECRET = /["']?kind["']?\s{0,4}:\s{0,4}["']?(?:Sealed)?Secret(?:List)?\b/;

/** Finds the entries under `data` and `stringData` of a Kubernetes Secret, whatever their names. */
export function findKubernetesSecrets(text: string): Finding[] {
  if (!IS_SECRET.test(text)) return [];
  return [...inYaml(text), ...inJson(text)];
}

function inYaml(text: string): Finding[] {
  const found: Finding[] = [];
  let inside: number | undefined;
  for (const line of text.matchAll(/^((?:[ ]{0,8}\d{1,6}[→|:\t])?[+\- ]?[ \t]{0,80})([^\r\n]*)$/gm)) {
    const [, indent = '', rest = ''] = line;
    if (/^(?:data|stringData):\s*$/.test(rest)) {
      inside = indent.length;
      continue;
    }
    if (inside === undefined || rest === '') continue;
    if (indent.length <= inside) {
      inside = undefined;
      continue;
    }
    const entry = /^["']?[\w.-]{1,253}["']?:[ \t]{1,20}["']?(?!\[redacted:)([^\s"'|>#][^\s"']{3,})/.exec(rest);
    const value = entry?.[1];
    if (!entry || value === undefined) continue;
    const start = line.index + indent.length + entry[0].length - value.length;
    found.push({ start, end: start + value.length, kind: 'secret' });
  }
  return found;
}

function inJson(text: string): Finding[] {
  return Array.from(text.matchAll(/"(?:data|stringData)"\s{0,10}:\s{0,10}\{([^{}]{0,50000})\}/g)).flatMap((object) => {
    const entries = object[1] ?? '';
    const from = object.index + object[0].length - 1 - entries.length;
    return Array.from(entries.matchAll(/"[^"\n]{1,253}"\s{0,10}:\s{0,10}"(?!\[redacted:)([^"\n]{4,})"/g), (entry) => {
      const value = entry[1] ?? '';
      const end = from + entry.index + entry[0].length - 1;
      return { start: end - value.length, end, kind: 'secret' };
    });
  });
}
