import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { type Checkout, readHead } from '../../git/locate.ts';
import { below } from '../../git/paths.ts';
import { canonical } from '../../memory/canonical.ts';
import { contentId } from '../../memory/id.ts';
import { outlineReader } from '../../memory/outline.ts';
import { type Content, LIMITS, type Observation, type StoreName, type YamlValue } from '../../memory/record.ts';
import { personalRoot } from '../../memory/store/personal.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { noteCited } from '../../provenance/bound-names.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import { anchorsOf } from '../../provenance/working-file.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanedHere } from '../drain/local-paths.ts';
import { mustWait, refuseSuspicious, waitingWords } from '../drain/must-wait.ts';
import { generatedBy, type Maker } from './maker.ts';

/** A hand-made observation, before git-mem adds what it knows itself. */
export type HandMade = Content &
  Pick<Observation, 'supersedes'> &
  Partial<Pick<Observation, 'id' | 'subtitle' | 'session' | 'prompt_number' | 'extractor' | 'inputs' | 'extra'>>;

/** A record that was saved; `created` is false if it existed already, `redacted` true if a secret was removed. */
export interface Saved {
  id: string;
  path: string;
  created: boolean;
  redacted: boolean;
  /** It waits in the private store, and why. */
  waits?: string;
}

/**
 * Writes a hand-made observation, with secrets removed and with the current branch, commit and anchors. Its id is a hash of its
 * content, so that adding it twice writes it once. Throws bad-input if the title is missing or too long, or if the given id
 * belongs to a record with other content; redacted if a redact mark keeps it out. A record that must wait for a person goes into
 * the private store, and so does any with `holds`.
 */
export async function save(
  workspace: Workspace,
  made: HandMade,
  { store: wanted, holds = false, ...making }: Making & { store: StoreName; holds?: boolean | undefined },
): Promise<Saved & { record: Observation; store: StoreName }> {
  const { record, redacted } = await prepare(workspace, made, making);
  const waits = holds || mustWait(workspace, record);
  const store = waits ? 'private' : wanted;
  if (made.id !== undefined) refuseOtherContent(workspace.stores[store], made.id, contentId(record));
  const { path, created } = workspace.stores[store].put(record, { waits });
  // Now, while its files are unchanged: what it names in them may be edited before it is first checked.
  await noteCited(workspace, record);
  return { id: record.id, path, created, redacted, record, store, ...(waits && { waits: waitingWords(record) }) };
}

/** A note on cited files that don't exist: a typo, or a file that the record says was removed. */
export function missingFiles(root: string, { files_modified, files_read }: Content): string[] {
  const missing = [...files_modified, ...files_read].filter((path) => !existsSync(join(root, path)));
  return missing.length === 0 ? [] : [`No such file now: ${[...new Set(missing)].join(', ')}.`];
}

/** Who makes a record, when, which directory its paths are relative to, and what removes secrets from it. */
type Making = { maker: Maker; now: Date; cwd: string; cleaner: Cleaner };

/** The record that `save` writes, before it is written, and whether a secret was removed from it. */
export async function prepare(
  workspace: Workspace,
  made: HandMade,
  { maker, now, cwd, ...making }: Making,
): Promise<{ record: Observation; redacted: boolean }> {
  const { checkout, format } = workspace;
  const { cleaner: secretless, hasRedacted } = noticing(making.cleaner);
  const cleaner = cleanedHere(secretless, workspace);
  const title = await cleaner.text(made.title);
  if (title.trim() === '') {
    throw new GitMemError('bad-input', 'The record has no title.', { hint: 'Give one with --title "One line".' });
  }
  const length = [...title.trim()].length;
  if (length > LIMITS.title) {
    throw new GitMemError('bad-input', `The title has ${length} characters, of at most ${LIMITS.title}.`, {
      hint: 'Put the gist in one line, and the rest in the narrative: `git mem check` refuses a longer one.',
    });
  }
  const paths = (files: string[]) => cleaner.names(files.map((file) => repositoryPath(checkout.root, cwd, file)));
  const files_modified = await paths(made.files_modified);
  const files_read = await paths(made.files_read);
  const subtitle = made.subtitle && (await cleaner.text(made.subtitle));
  const content = canonical({
    id: '',
    kind: 'observation',
    type: await cleaner.text(made.type),
    title,
    ...(subtitle && { subtitle }),
    concepts: await Promise.all(made.concepts.map((concept) => cleaner.text(concept))),
    files_modified,
    files_read,
    anchors: anchorsOf(checkout.root, [...files_modified, ...files_read], format),
    supersedes: made.supersedes,
    ...(made.session && { session: made.session }),
    ...(made.prompt_number !== undefined && { prompt_number: made.prompt_number }),
    ...(await headHere(checkout, cleaner)),
    generated: await generatedBy(maker, now, making.cleaner),
    ...(made.extractor && { extractor: made.extractor }),
    ...(made.inputs && { inputs: made.inputs }),
    narrative: await cleaner.text(made.narrative),
    facts: await Promise.all(made.facts.map((fact) => cleaner.text(fact))),
    ...(made.extra && { extra: await cleanEntries(made.extra, cleaner) }),
  });
  refuseSuspicious(content, { isPersonal: personalRoot(workspace.env) === checkout.root });
  (await activeRedactions(workspace)).refuse(content);
  return { record: { ...content, id: made.id ?? contentId(content) }, redacted: hasRedacted() };
}

/** The branch and commit of a checkout, without a branch whose name holds a secret. */
export async function headHere(checkout: Checkout, cleaner: Cleaner): Promise<{ branch?: string; commit?: string }> {
  const { branch: named, ...head } = readHead(checkout);
  const [branch] = await cleaner.names(named === undefined ? [] : [named]);
  return branch === undefined ? head : { branch, ...head };
}

/** A cleaner that remembers whether it removed a secret. */
export function noticing(cleaner: Cleaner): { cleaner: Cleaner; hasRedacted: () => boolean } {
  const marks = (text: string) => text.split('[redacted').length;
  let found = false;
  async function text(raw: string): Promise<string> {
    const clean = await cleaner.text(raw);
    found ||= marks(clean) > marks(raw);
    return clean;
  }
  async function names(given: readonly string[]): Promise<string[]> {
    const clean = await cleaner.names(given);
    found ||= clean.length < given.length;
    return clean;
  }
  return { cleaner: { ...cleaner, text, names }, hasRedacted: () => found };
}

/** A store only ever adds: an edited copy of a record would be dropped silently. */
function refuseOtherContent(store: Store, id: string, content: string): void {
  for (const entry of store.newest('observation')) {
    if (entry.id !== id) continue;
    const { record } = store.read(entry, outlineReader);
    if (record.kind !== 'observation' || contentId(record) === content) return;
    throw new GitMemError('bad-input', `A record with the id ${id} exists already with other content.`, {
      hint: `Remove the line with the id, and add \`--supersedes ${id}\` if the new record replaces it.`,
    });
  }
}

/** A person's own front matter; a key's name may be what makes its value a secret. */
export async function cleanEntries(
  entries: Record<string, YamlValue>,
  cleaner: Cleaner,
): Promise<Record<string, YamlValue>> {
  const keys = new Set(await cleaner.names(Object.keys(entries)));
  const harmless = Object.entries(entries).filter(([key]) => keys.has(key));
  const cleaned = harmless.map(async ([key, value]) => [key, await cleanValue(key, value, cleaner)]);
  return Object.fromEntries(await Promise.all(cleaned));
}

async function cleanValue(key: string, value: YamlValue, cleaner: Cleaner): Promise<YamlValue> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => cleanValue(key, item, cleaner)));
  if (typeof value !== 'string') return cleanEntries(value, cleaner);
  const line = `${key}: ${value}`;
  const cleaned = await cleaner.text(line);
  if (cleaned === line) return value;
  return cleaned.startsWith(`${key}: `) ? cleaned.slice(key.length + 2) : '[redacted]';
}

/**
 * A path in the form that records use; undefined for one outside the repository. It is relative to the working directory or, as
 * agents also write them, to the top of the checkout: whichever has the file, or else its folder.
 */
export function citedPath(root: string, cwd: string, path: string): string | undefined {
  const file = withoutLine(path);
  const isIn = (place: string) => existsSync(resolve(place, file));
  const hasFolder = (place: string) => existsSync(resolve(place, dirname(file)));
  const place = [cwd, root].find(isIn) ?? [cwd, root].find(hasFolder) ?? cwd;
  return below(root, resolve(place, file));
}

/** A path without the line numbers that may follow it: `src/a.ts:12-14`. */
function withoutLine(path: string): string {
  const colon = path.indexOf(':');
  return colon > 0 && /^[\d:,-]+$/.test(path.slice(colon + 1)) ? path.slice(0, colon) : path;
}

/** The same; throws bad-input for a path outside the repository. */
export function repositoryPath(root: string, cwd: string, file: string): string {
  const found = citedPath(root, cwd, file);
  if (found !== undefined) return found;
  throw new GitMemError('bad-input', `${file} is not in this repository.`, {
    hint: 'Cite files by their path from the current directory.',
  });
}
