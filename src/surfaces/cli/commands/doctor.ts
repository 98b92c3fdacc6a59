import { GitMemError } from '../../../errors.ts';
import { loadSettings } from '../../../provenance/settings.ts';
import { counted } from '../../../quantities.ts';
import { type Check, fail } from '../../../setup/check.ts';
import { examineMachine, examineRepository } from '../../../setup/doctor.ts';
import { packageVersion } from '../../../templates.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

export const register: Register = (program, context) =>
  define(program, 'doctor', 'show what is wrong and how to fix it')
    .option('--all', 'show what is in order, too')
    .jsonAndNotes(`
Nothing is changed. Exits 1 when something is broken; what only deserves a look (!) does not count.

Example:
  git mem doctor --all      one line for each check`)
    .action(async (options: Flags<'json' | 'all'>) => printChecks(context, await examine(context), options));

async function examine(context: Context): Promise<Check[]> {
  const { env } = context;
  const machine = { env, node: process.versions.node, version: packageVersion(), now: context.now() };
  try {
    const { workspace } = context.project();
    const loaded = loadSettings(workspace);
    return await examineRepository({ ...machine, workspace, loaded });
  } catch (error) {
    if (!(error instanceof GitMemError) || error.code !== 'not-a-repository') throw error;
    return [...(await examineMachine(machine)), fail('repository', error.message, error.hint ?? '')];
  }
}

const SIGNS = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

/** Prints what a doctor found: what is not in order, and with `all` the rest. Exit code 1 if something is broken. */
export function printChecks(context: Context, checks: Check[], { json, all }: Flags<'json' | 'all'>): void {
  const ok = checks.every(({ status }) => status !== 'fail');
  if (!ok) context.setExitCode(1);
  if (json) return void context.json({ ok, checks });
  const { style, stdout } = context;
  const told = checks.filter(({ status }) => all || status !== 'ok');
  const width = Math.max(...told.map(({ name }) => name.length));
  for (const { name, status, message, hint } of told) {
    const [colour, sign] = SIGNS[status];
    stdout.write(`${style(colour, sign)} ${style('dim', name.padEnd(width))} ${shown(message)}\n`);
    if (hint) stdout.write(`  ${' '.repeat(width)} ${style('dim', '→')} ${shown(hint)}\n`);
  }
  const rest = checks.length - told.length;
  if (rest > 0) stdout.write(`${style('green', '✓')} ${counted(rest, 'other check')} in order (--all).\n`);
}
