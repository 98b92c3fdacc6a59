import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../../config.ts';
import type { Policy } from '../../policy.ts';
import type { Command, Context } from './command.ts';
import { printJson, shown } from './print.ts';

/** Adds `policy` below `config`: the settings that an organisation locks. */
export function registerPolicy(config: Command, context: Context): void {
  const policy = config
    .command('policy')
    .description("your organisation's locked settings")
    .notes(`
A policy is a signed file. It overrides all other settings from when you fetch it until you forget it; team and user may
still add to its lists of what is redacted or left out. It cannot name a program to run.

Examples:
  git mem config policy fetch https://hub.example/policy --key AfRz…   once; then without arguments
  git mem config policy forget                                         obey none
  git mem config policy sign policy.yaml --key policy-key.pem          for administrators`);
  addFetch(policy, context);
  addForget(policy, context);
  addSign(policy, context);
}

function addFetch(policy: Command, context: Context): void {
  policy
    .command('fetch')
    .description('fetch it, check its signature, and obey it from now on')
    .argument('[url]', 'its address, the first time')
    .option('--key <key>', "the organisation's public key, the first time")
    .option('--json', 'print JSON')
    .notes(`
A wrong signature, an older version and another key are refused, and the policy before stays. Your hub gets your token
(\`hub.url\`, GIT_MEM_HUB_TOKEN); no other server does.

Examples:
  git mem config policy fetch https://hub.example/policy --key AfRz…
  git mem config policy fetch`)
    .action(async (url: string | undefined, { key, json = false }: { key?: string; json?: boolean }) => {
      const { fetchPolicy } = await import('../../setup/policy.ts');
      // It is the user's, in whatever folder: no repository is asked.
      const { hub } = loadConfig('/nonexistent', context.env).config;
      const { stored, isNew } = await fetchPolicy({ url, key, hub }, context.env, context.now());
      if (json) return printJson(context.stdout, { ...summaryOf(stored.policy), url: stored.url, changed: isNew });
      const { organisation, version } = stored.policy;
      const state = isNew ? 'is obeyed from now on' : 'is the newest';
      context.stdout.write(`Version ${version} of the policy of ${shown(organisation)} ${state}.\n`);
    });
}

function addForget(policy: Command, context: Context): void {
  policy
    .command('forget')
    .description('stop obeying a policy')
    .option('--json', 'print JSON')
    .notes('\nExample:\n  git mem config policy forget')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { forgetPolicy } = await import('../../setup/policy.ts');
      const before = forgetPolicy(context.env);
      if (json) return printJson(context.stdout, { forgotten: before === undefined ? null : summaryOf(before) });
      const forgotten = before && `The policy of ${shown(before.organisation)} is forgotten.`;
      context.stdout.write(`${forgotten ?? 'There was no policy.'}\n`);
    });
}

function addSign(policy: Command, context: Context): void {
  policy
    .command('sign')
    .description('sign a policy that you wrote, for the members of your organisation')
    .argument('<file>', 'YAML with organisation, version and settings')
    .requiredOption('--key <file>', 'your private Ed25519 key in PEM')
    .option('--output <file>', 'write it to a file instead of printing it')
    .option('--json', 'print JSON')
    .notes(`
\`openssl genpkey -algorithm ed25519 -out policy-key.pem\` makes the key. The public one is printed: members give it once.

Examples:
  git mem config policy sign policy.yaml --key policy-key.pem --output policy.jws
  organisation: Acme
  version: 1
  settings:
    capture.destination: private
    privacy.redact: ['ACME-*']
    extract.provider: rules`)
    .action(async (file: string, { key, output, json = false }: { key: string; output?: string; json?: boolean }) => {
      const { signPolicy } = await import('../../setup/policy.ts');
      const made = signPolicy(resolve(context.cwd, file), resolve(context.cwd, key), context.now());
      if (output !== undefined) writeFileSync(resolve(context.cwd, output), `${made.signed}\n`);
      if (json) return printJson(context.stdout, { ...summaryOf(made.policy), key: made.key, signed: made.signed });
      if (output === undefined) context.stdout.write(`${made.signed}\n`);
      context.stderr.write(`The public key is ${made.key}.\n`);
    });
}

function summaryOf({ organisation, version, issued, settings }: Policy) {
  return { organisation, version, issued, settings };
}
