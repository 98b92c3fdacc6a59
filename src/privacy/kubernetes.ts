import type { Finding } from './findings.ts';

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
