import { typeMeant } from '../../capture/extract/mode.ts';
import { GitMemError } from '../../errors.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { splitFrontMatter } from '../../memory/front-matter.ts';
import { type MarkdownLine, markdownLines } from '../../memory/markdown-lines.ts';
import { OBSERVATION_TYPES, type Observation, type YamlValue } from '../../memory/record.ts';
import { COMMENT, withoutParts } from '../../privacy/sanitise.ts';
import { type Arrival, type BroughtRecord, titled } from './importer.ts';
import { problem, type SourceFile } from './place.ts';

/** How the notes of a tool become observations. */
export interface NoteStyle {
  from: string;
  /** The author in the records. */
  by: string;
  /** The type of a note that does not name a known one. */
  typeOf(file: SourceFile, named: string): string;
  concepts?: string[];
  /** Whether a file is split at its headings, however short it is. */
  isSplit?: boolean;
}

/** Up to this many characters a note is one record, whatever headings it has: three of the longest narratives. */
const ONE_RECORD = 2000;

/** A file with more sections is a generated list, whose every entry would become a record. */
const MOST = 1000;

/** The records of one note: a short one as a whole, otherwise one for each heading of level two. */
export function* noteArrivals(file: SourceFile, style: NoteStyle): Generator<Arrival> {
  let note: ReturnType<typeof splitNote>;
  try {
    note = splitNote(file);
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    return yield problem(file.path, error.message.split('\n')[0] ?? '');
  }
  const { data, body } = note;
  const { title, sections } = sectionsOf(body);
  const named = textOf(data.title) || textOf(data.name) || title || titleOfName(file.path);
  if (sections.length > MOST) return yield problem(file.path, `It has ${sections.length} sections, more than ${MOST}.`);
  const isOne = !style.isSplit && (body.length <= ONE_RECORD || sections.length === 1);
  const seen = new Map<string, number>();
  let brought = 0;
  for (const { heading, narrative, facts } of isOne ? [wholeOf(body, sections)] : sections) {
    const nth = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, nth);
    if (narrative === '' && facts.length === 0) continue;
    const key = heading === '' ? file.key : `${file.key}#${heading}${nth > 1 ? ` ${nth}` : ''}`;
    const observation = observationOf(file, style, data, {
      title: heading === '' ? named : title === '' ? heading : `${title}: ${heading}`,
      narrative,
      facts,
    });
    brought++;
    yield { kind: 'record', at: { place: file.path }, brought: observation, origin: { from: style.from, key } };
  }
  // A file that is empty except for git-mem's own section is not a note.
  const isNote = body.trim() !== '' || Object.keys(data).length > 0;
  if (brought === 0 && isNote) yield problem(file.path, 'It has no text to remember, at most a title.');
}

/** A short note as one part; its lists become facts only if it has no headings except a title. */
function wholeOf(body: string, sections: Section[]): Section {
  const [only, other] = sections;
  if (only?.heading === '' && other === undefined) return only;
  return { heading: '', narrative: body.trim().replace(/^# .*/, '').trim(), facts: [] };
}

function splitNote({ text, path }: SourceFile): { data: Record<string, YamlValue>; body: string } {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const { data, body } = /^---[ \t]*\n/.test(plain) ? splitFrontMatter(plain, path) : { data: {}, body: plain };
  // git-mem's own section is memory already, and nobody sees comments.
  return { data, body: withoutParts(body, COMMENT) };
}

function observationOf(
  file: SourceFile,
  style: NoteStyle,
  data: Record<string, YamlValue>,
  said: { title: string; narrative: string; facts: string[] },
): BroughtRecord {
  const dated = instantOf(data.created) ?? instantOf(data.timestamp) ?? instantOf(data.date);
  const type = textOf(data.type);
  const subtitle = textOf(data.description);
  const record: Observation = {
    id: '',
    kind: 'observation',
    ...titled(said.title, said.narrative),
    facts: said.facts,
    type: typeMeant(type, OBSERVATION_TYPES, style.typeOf(file, type)),
    ...(subtitle && { subtitle }),
    concepts: [...(style.concepts ?? []), ...listOfTexts(data.tags)],
    files_modified: [],
    anchors: {},
    supersedes: [],
    // A note in the repository is cited, so that changes to it are noticed.
    files_read: file.repositoryPath === undefined ? [] : [file.repositoryPath],
    generated: { by: style.by, at: dated ?? wholeSeconds(file.modified) },
    extractor: `import/${style.from}`,
  };
  return { record, isDated: dated !== undefined, isAnchored: file.repositoryPath === undefined, isOurs: false };
}

/** `api_error-handling.md` as words. */
function titleOfName(path: string): string {
  const words = (path.split('/').at(-1) ?? path)
    .replace(/\.[a-z]+$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A front matter value as text; empty if it is not text. */
function textOf(value: YamlValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** A front matter value as a list: its texts, or the parts between commas. */
function listOfTexts(value: YamlValue | undefined): string[] {
  if (typeof value === 'string') return value.split(',').map((word) => word.trim());
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function instantOf(value: YamlValue | undefined): string | undefined {
  const time = new Date(textOf(value) || Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : wholeSeconds(time);
}

/** A part of a Markdown document under one heading. */
interface Section {
  /** Empty for the part before the first heading. */
  heading: string;
  narrative: string;
  /** Items of its lists, if it has no subsections. */
  facts: string[];
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/;

/** A note split at its headings of levels one and two; the first one of level one is its title. */
function sectionsOf(text: string): { title: string; sections: Section[] } {
  let title = '';
  const parts: { heading: string; lines: MarkdownLine[] }[] = [{ heading: '', lines: [] }];
  for (const line of markdownLines(text.split(/\r?\n/))) {
    const { level, words } = line;
    if (level === 1 && title === '') title = words;
    else if (level === 1 || level === 2) parts.push({ heading: words, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const sections = parts.map(({ heading, lines }) => ({ heading, ...divided(lines) }));
  return { title, sections: sections.filter(({ narrative, facts }) => narrative !== '' || facts.length > 0) };
}

/** Prose and list items. If subsections or code come between them, their order is meaningful and is kept. */
function divided(all: MarkdownLine[]): Omit<Section, 'heading'> {
  const lines = all.map(({ text }) => text);
  if (all.some(({ kind }) => kind !== 'text')) return { narrative: lines.join('\n').trim(), facts: [] };
  const prose: string[] = [];
  const facts: string[] = [];
  let isInItem = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) facts.push(item.trimEnd());
    else if (isInItem && /^[ \t]+\S/.test(line)) facts.push(`${facts.pop()}\n${line.trim()}`);
    else if (line.trim() !== '' || !isInItem) prose.push(line);
    isInItem = item !== undefined || (isInItem && /^(?:[ \t]|$)/.test(line));
  }
  return { narrative: prose.join('\n').trim(), facts };
}
