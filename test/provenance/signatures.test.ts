import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { signedBlobs, trustOf } from '../../src/provenance/trust.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, observationOf } from '../support/written-records.ts';

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
if (!hasKeygen) console.info('Skipped: there is no ssh-keygen here to sign with.');

/** A repository with a reviewed start, on a branch, whose user has two keys and allows the signer of the first. */
function signing() {
  const repository = createRepository();
  const { folder, git, env } = repository;
  const key = (name: string) => {
    const path = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path], { env });
    return path;
  };
  const [allowed, other] = [key('allowed'), key('other')];
  const signers = join(folder, 'allowed_signers');
  writeFileSync(signers, `test@example.com ${readFileSync(`${allowed}.pub`, 'utf8')}`);
  git('config', '--global', 'gpg.format', 'ssh');
  git('config', '--global', 'gpg.ssh.allowedSignersFile', signers);
  git('commit', '--quiet', '--allow-empty', '-m', 'start');
  git('switch', '--quiet', '-c', 'work');
  let count = 0;
  const commit = (signer?: string) => {
    const path = drop(repository, observationOf({ id: idOf('signed', String(count)), title: `Record ${count++}` }));
    git('add', '--', path);
    const sign = signer === undefined ? ['--no-gpg-sign'] : [`--gpg-sign=${signer}.pub`];
    git('commit', '--quiet', ...sign, '-m', 'G SHA256:forged');
    return path;
  };
  return { ...repository, allowed, other, signers, commit };
}

async function levels({ root, env }: TestRepository, signatures = true): Promise<string[]> {
  const workspace = openWorkspace(root, env);
  const records = [...workspace.stores.team.newest()].map((entry) => workspace.stores.team.load(entry));
  const sorted = records.sort((a, b) => (a.text < b.text ? -1 : 1));
  const found = await trustOf(sorted, workspace, { signatures });
  return sorted.map(({ text }, i) => `${/Record \d/.exec(text)?.[0]} ${found[i]}`).sort();
}

describe.skipIf(!hasKeygen)('a record that came in by a signed commit', () => {
  it('is own where the user allows the signer, and no other signer counts', async () => {
    const repository = signing();
    repository.commit(repository.allowed);
    repository.commit(repository.other);
    repository.commit();
    expect(await levels(repository)).toEqual(['Record 0 own', 'Record 1 unreviewed', 'Record 2 unreviewed']);
    expect(await levels(repository, false)).toEqual(Array.from({ length: 3 }, (_, i) => `Record ${i} unreviewed`));
    repository.git('config', '--global', '--unset', 'gpg.ssh.allowedSignersFile');
    expect(await levels(repository)).toEqual(Array.from({ length: 3 }, (_, i) => `Record ${i} unreviewed`));
  });

  it('is unreviewed once its text differs, whether committed without a signature or not at all', async () => {
    const repository = signing();
    const path = join(repository.root, repository.commit(repository.allowed));
    appendFileSync(path, 'More.\n');
    expect(await levels(repository)).toEqual(['Record 0 unreviewed']);
    repository.git('commit', '--quiet', '--all', '--no-gpg-sign', '-m', 'edited');
    expect(await levels(repository)).toEqual(['Record 0 unreviewed']);
    repository.git('revert', '--no-edit', '--no-gpg-sign', 'HEAD');
    expect(await levels(repository)).toEqual(['Record 0 own']);
  });

  it('is checked against a list of signers that did not come with the checkout', async () => {
    const repository = signing();
    repository.commit(repository.allowed);
    copyFileSync(repository.signers, join(repository.root, 'allowed_signers'));
    for (const path of ['allowed_signers', './allowed_signers', join(repository.root, 'allowed_signers')]) {
      repository.git('config', '--global', 'gpg.ssh.allowedSignersFile', path);
      expect(await levels(repository)).toEqual(['Record 0 unreviewed']);
    }
    copyFileSync(repository.signers, join(repository.root, '.git/allowed_signers'));
    repository.git('config', '--global', 'gpg.ssh.allowedSignersFile', '.git/allowed_signers');
    expect(await levels(repository)).toEqual(['Record 0 own']);
    // The settings of the repository may have come with it.
    repository.git('config', '--global', '--unset', 'gpg.ssh.allowedSignersFile');
    repository.git('config', 'gpg.ssh.allowedSignersFile', repository.signers);
    expect(await levels(repository)).toEqual(['Record 0 unreviewed']);
  });
});

it('nothing counts as signed where no signers are named', async () => {
  const { root, env } = createRepository();
  expect(await signedBlobs(openWorkspace(root, env), [{ path: '.memory/x', blob: 'a' }])).toEqual(new Set());
});
