import { counted } from '../../quantities.ts';
import type { Check } from '../../setup/check.ts';
import type { Context, Flags } from './command.ts';
import { shown } from './print.ts';

const SIGNS = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

/** Prints what a doctor found: what is not in order, and with `all` the rest. Exit code 1 if something is broken. */
export function printChecks(context: Context, checks: Check[], { json, all }: Flags<'json' | 'all'>): void {
  const ok = checks.every(({ status }) => status !== 'fail');
  if (!ok) context.setExitCode(1);
  if (json) return void context.json({ ok, checks });
  const { style } = context;
  const told = checks.filter(({ status }) => all || status !== 'ok');
  const width = Math.max(...told.map(({ name }) => name.length));
  for (const { name, status, message, hint } of told) {
    const [colour, sign] = SIGNS[status];
    context.stdout.write(`${style(colour, sign)} ${style('dim', name.padEnd(width))} ${shown(message)}\n`);
    if (hint) context.stdout.write(`  ${' '.repeat(width)} ${style('dim', '→')} ${shown(hint)}\n`);
  }
  const rest = checks.length - told.length;
  if (rest > 0) context.stdout.write(`${style('green', '✓')} ${counted(rest, 'other check')} in order (--all).\n`);
}
