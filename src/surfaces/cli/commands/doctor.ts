import { GitMemError } from '../../../errors.ts';
import { loadSettings } from '../../../provenance/settings.ts';
import { type Check, fail } from '../../../setup/check.ts';
import { examineMachine, examineRepository } from '../../../setup/doctor.ts';
import { packageVersion } from '../../../templates.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { printChecks } from '../printed-checks.ts';

export const register: Register = (program, context) =>
  define(program, 'doctor', 'show what is wrong and how to fix it')
    .option('--all', 'show what is in order, too')
    .option('--json', 'print JSON')
    .notes(`
Nothing is changed. Exits 1 when something is broken; what only deserves a look (!) does not count.

Examples:
  git mem doctor            what is not in order
  git mem doctor --all      one line for each check
  git mem doctor --json     the same for scripts`)
    .action(async (options: Flags<'json' | 'all'>) => {
      const checks = await examine(context);
      printChecks(context, checks, options);
    });

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
