import { jsonIn } from '../../json.ts';
import type { ProviderReply } from './provider.ts';

/** Removes secrets from a text. */
export type Clean = (text: string) => Promise<string>;

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/**
 * Removes secrets from a model's raw answer, text by text: a secret that spans lines is no longer recognised once a
 * record's rules have joined the lines, nor while a line break is written `\n`.
 */
export async function cleanReply(reply: ProviderReply, clean: Clean): Promise<ProviderReply> {
  const output = await mapTexts(reply.output, clean);
  return { ...reply, output, text: await clean(await mapQuoted(reply.text, clean)) };
}

async function mapTexts(value: unknown, map: Clean): Promise<unknown> {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return Promise.all(value.map((one) => mapTexts(one, map)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await mapTexts(one, map)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Maps the JSON strings in a text that may hold other text too; the rest stays as it is. */
async function mapQuoted(text: string, map: Clean): Promise<string> {
  let result = '';
  let end = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    result += text.slice(end, index) + (await mapLiteral(quoted, map));
    end = index + quoted.length;
  }
  return result + text.slice(end);
}

async function mapLiteral(quoted: string, map: Clean): Promise<string> {
  const value = jsonIn(quoted);
  return typeof value === 'string' ? JSON.stringify(await map(value)) : quoted;
}
