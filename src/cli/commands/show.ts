import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { SUMMARY_SECTIONS, sections } from '../../memory/body.ts';
import { type FileHistory, fileHistory } from '../../provenance/history.ts';
import type { Annotated } from '../../recall/annotate.ts';
import { pickPacked } from '../../recall/packed.ts';
import { pick, readEverything } from '../../recall/read.ts';
import { viewOf } from '../../recall/view.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Context } from '../context.ts';
import { fileHistoryLines } from '../file-history.ts';
import { printJson, shown, styler } from '../print.ts';
import { foldersOf } from '../store-folders.ts';

export function register(program: Command, context: Context): void {
  program
    .command('show')
    .description('show whole records')
    .argument('<id...>', 'ids, or their first four characters or more')
    .option('--raw', 'print the file as it is')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  git mem show k3v9           one record
  git mem show k3v9 p8w2      two
  git mem show k3v9 --raw     the Markdown file`,
    )
    .action(async (ids: string[], options: { raw?: boolean; json?: boolean }) => {
      const { workspace } = context.project();
      const { records } = await readEverything(workspace);
      const { found, missing: unknown } = pick(records, ids);
      const { packed, missing } = pickPacked(records, unknown);
      for (const { digest } of packed) if (!found.includes(digest)) found.push(digest);
      if (missing.length > 0) context.setExitCode(1);
      if (options.json) {
        const folders = foldersOf(workspace);
        const records = found.map(async (one) => ({ ...viewOf(one, folders), ...(await detailOf(workspace, one)) }));
        return printJson(context.stdout, {
          records: await Promise.all(records),
          ...(packed.length > 0 && { packed: packed.map(({ id, digest }) => ({ id, digest: digest.record.id })) }),
          missing,
        });
      }
      for (const [i, one] of found.entries()) {
        if (i > 0) context.stdout.write('\n');
        const file = join(workspace.stores[one.entry.store].dir, one.entry.path);
        if (options.raw) context.stdout.write(readFileSync(file));
        else {
          const { freshness_detail = [] } = await detailOf(workspace, one);
          const path = `${foldersOf(workspace)[one.entry.store]}/${one.entry.path}`;
          printRecord(one, context, path, fileHistoryLines(freshness_detail));
        }
      }
      for (const { id, digest } of packed) {
        context.stderr.write(
          `${id} was packed into the digest ${digest.record.id}; its text: git log -p -- ':(top,glob).memory/**/*${id}.md'\n`,
        );
      }
      for (const id of missing) {
        context.stderr.write(
          `No record has an id that starts with "${shown(id)}": \`git mem list --all\` shows them.\n`,
        );
      }
    });
}

/** What became of the cited files, where the record has anchors. */
async function detailOf(workspace: Workspace, { record }: Annotated): Promise<{ freshness_detail?: FileHistory[] }> {
  return record.kind === 'observation' ? { freshness_detail: await fileHistory(workspace, record) } : {};
}

function printRecord(
  { record, state, trust, freshness, readTokens }: Annotated,
  { stdout, env }: Context,
  path: string,
  histories: string[],
): void {
  const style = styler(stdout, env);
  const lines: string[] = [];
  const field = (name: string, value: string | undefined) => {
    if (value) lines.push(`${style('dim', `${name}:`.padEnd(12))}${shown(value)}`);
  };
  const heading = (text: string) => lines.push('', style('bold', text), '');
  const title = record.kind === 'mark' ? record.type : record.kind === 'prompt' ? 'Prompt' : record.title;
  lines.push(style('bold', shown(title)));
  if (record.kind === 'observation' && record.subtitle) lines.push(shown(record.subtitle));
  lines.push('');
  field('id', `${record.id} (${record.kind}${record.kind === 'observation' ? `, ${record.type}` : ''})`);
  field('created', `${record.generated.at} by ${record.generated.by}`);
  field('branch', [record.branch, record.commit?.slice(0, 10)].filter(Boolean).join(' @ '));
  field(
    'state',
    [
      trust,
      freshness,
      state.pinned && 'pinned',
      state.verified && 'verified',
      state.retired && 'retired',
      state.redacted && 'redacted',
      state.disputed && 'disputed',
      state.superseded_by.length > 0 && `superseded by ${state.superseded_by.join(', ')}`,
    ]
      .filter(Boolean)
      .join(', '),
  );
  for (const line of histories) lines.push(`${' '.repeat(12)}${line}`);
  if (record.kind === 'observation') {
    field('modified', record.files_modified.join(', '));
    field('read', record.files_read.join(', '));
    field('concepts', record.concepts.join(', '));
    field('supersedes', record.supersedes.join(', '));
    if (record.narrative) lines.push('', shown(record.narrative));
    if (record.facts.length > 0) heading('Facts');
    for (const fact of record.facts) lines.push(`- ${shown(fact).replaceAll('\n', '\n  ')}`);
  } else if (record.kind === 'summary') {
    field('edited', record.files_edited.join(', '));
    for (const [key] of sections()) {
      if (!record[key]) continue;
      heading(SUMMARY_SECTIONS[key]);
      lines.push(shown(record[key]));
    }
  } else if (record.kind === 'mark') {
    field('targets', record.targets.join(', '));
    field('by', record.by);
    if (record.reason) lines.push('', shown(record.reason));
  } else lines.push('', shown(record.text));
  lines.push('', style('dim', `${shown(path)} (${readTokens} tokens)`));
  stdout.write(`${lines.join('\n')}\n`);
}
