import { GitMemError } from '../../errors.ts';
import { decode } from '../../memory/codec.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { splitFrontMatter } from '../../memory/front-matter.ts';
import { isId } from '../../memory/id.ts';
import { outlineReader } from '../../memory/outline.ts';
import { KINDS, OBSERVATION_TYPES, type YamlValue } from '../../memory/record.ts';
import type { Arrival, Importer } from './importer.ts';
import { instantOf, listOfTexts, textOf, titled } from './note.ts';
import { namedPlace, problem, type SourceFile, sourceFiles } from './place.ts';

/**
 * Bundles of the Open Knowledge Format: a folder of Markdown files, each with front matter that has a `type`. Source:
 * https://github.com/GoogleCloudPlatform/open-knowledge-format, SPEC.md of version 0.2. git-mem's own exports come back
 * unchanged.
 */
export const okf: Importer = {
  name: 'okf',
  describe: 'a bundle of the Open Knowledge Format: a folder',
  *read({ path, workspace }) {
    const place = namedPlace(path, 'A bundle has no usual place.', 'Name its folder: `git mem import okf DIR`.');
    for (const file of sourceFiles(place, workspace, isConcept)) {
      if (file.kind !== 'file') yield file;
      else {
        const arrival = arrivalOf(file);
        if (arrival !== undefined) yield arrival;
      }
    }
  },
};

/** `index.md` and `log.md` are reserved at every level. */
function isConcept(name: string): boolean {
  return /\.md$/i.test(name) && !/(?:^|\/)(?:index|log)\.md$/.test(name);
}

function arrivalOf(file: SourceFile): Arrival | undefined {
  // A README without front matter is for people; git-mem's own folder has one.
  if (/(?:^|\/)README\.md$/i.test(file.path) && !/^(?:\ufeff)?---\r?\n/.test(file.text)) return undefined;
  try {
    const { data, body } = splitFrontMatter(file.text, file.path);
    const isRecord = isId(textOf(data.id)) && KINDS.some((kind) => kind === data.kind);
    return isRecord ? recordArrival(file) : conceptArrival(file, data, body);
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    return problem(file.path, error.message.split('\n')[0] ?? '');
  }
}

function recordArrival({ text, path }: SourceFile): Arrival {
  const decoded = decode(text, path, outlineReader);
  const { type: _, ...others } = decoded.extra ?? {};
  // Prompts have no type of their own; the format requires one.
  const record = decoded.kind === 'prompt' ? { ...decoded, extra: others } : decoded;
  return { kind: 'record', at: { place: path }, brought: { record, isDated: true, isAnchored: true, isOurs: true } };
}

function conceptArrival(file: SourceFile, data: Record<string, YamlValue>, body: string): Arrival {
  const { type, title, description, tags, timestamp, created, ...extra } = data;
  const named = textOf(type);
  if (named === '') return problem(file.path, 'It has no "type", which the format requires.');
  const known = OBSERVATION_TYPES.find((one) => one === named);
  const at = instantOf(timestamp) ?? instantOf(created);
  const subtitle = textOf(description);
  return {
    kind: 'record',
    at: { place: file.path },
    origin: { from: 'okf', key: file.key },
    brought: {
      record: {
        id: '',
        kind: 'observation',
        type: known ?? 'discovery',
        facts: [],
        ...titled(textOf(title) || file.path.replace(/\.md$/i, ''), body.trim()),
        ...(subtitle && { subtitle }),
        concepts: listOfTexts(tags),
        files_modified: [],
        files_read: [],
        anchors: {},
        supersedes: [],
        generated: { by: 'okf', at: at ?? wholeSeconds(file.modified) },
        extractor: 'import/okf',
        // Unknown keys are kept, including the type if we map it to another one.
        extra: { ...foreignKeys(extra), ...(known === undefined && { okf_type: named }) },
      },
      isDated: at !== undefined,
      isAnchored: true,
      isOurs: false,
    },
  };
}

/** Without the keys that mean something else in a record. */
function foreignKeys(data: Record<string, YamlValue>): Record<string, YamlValue> {
  const taken = new Set(
    'id kind subtitle concepts files_modified files_read files_edited anchors supersedes session prompt_number branch commit generated extractor discovery_tokens started stopped commits checked taken_back source targets by hashes hashed_with guards asks'.split(
      ' ',
    ),
  );
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [taken.has(key) ? `okf_${key}` : key, value]));
}
