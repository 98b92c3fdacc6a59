import { canonical } from '../../memory/canonical.ts';
import { encode } from '../../memory/codec.ts';
import { storePath } from '../../memory/file-name.ts';
import { isContent, type MemoryRecord, oneLine } from '../../memory/record.ts';
import { sanitiseForTerminal } from '../../privacy/sanitise.ts';

/**
 * Records as a bundle of the Open Knowledge Format 0.2: their own files, and an index of each folder. Source:
 * https://github.com/GoogleCloudPlatform/open-knowledge-format, SPEC.md.
 */
export function* okfBundle(records: MemoryRecord[]): Generator<{ path: string; text: string }> {
  const folders = new Map<string, string[]>();
  for (const record of records) {
    const path = storePath(record);
    // The format requires a type in every file, and prompts have none.
    const typed = record.kind === 'prompt' ? { ...record, extra: { ...record.extra, type: 'prompt' } } : record;
    yield { path, text: encode(canonical(typed)) };
    const [folder = ''] = path.split('/');
    const list = folders.get(folder) ?? [];
    list.push(`* [${label(record)}](${path.slice(folder.length + 1)})`);
    folders.set(folder, list);
  }
  for (const [folder, lines] of folders) {
    yield { path: `${folder}/index.md`, text: `# ${folder}\n\n${lines.join('\n')}\n` };
  }
  const names = [...folders].map(([folder, lines]) => `* [${folder}](${folder}/index.md) - ${lines.length}`);
  yield { path: 'index.md', text: `---\nokf_version: "0.2"\n---\n\n# Memory\n\n${names.join('\n')}\n` };
}

function label(record: MemoryRecord): string {
  const words = isContent(record) ? record.title : `${record.kind} ${record.id}`;
  return oneLine(sanitiseForTerminal(words)).replace(/[[\]<>\\]/g, ' ');
}
