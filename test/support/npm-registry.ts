import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';

/** A registry on loopback that has the packages of this checkout's `node_modules`, so that npm installs without a network. */
export async function startRegistry(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const folder = name.startsWith('-/') ? name.slice(2) : undefined;
    if (folder !== undefined && foldersOf().includes(folder)) {
      // npm leaves out the first folder of an archive, whatever its name is.
      const args = ['-czhf', '-', '-C', dirname(folder), '--exclude=node_modules', basename(folder)];
      spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response);
      return;
    }
    const versions = foldersOf()
      .filter((path) => path.endsWith(`node_modules/${name}`))
      .map((path) => ({ ...manifestIn(path), dist: { tarball: `${address()}/-/${encodeURIComponent(path)}` } }));
    const latest = versions[0]?.version;
    const packument = {
      name,
      'dist-tags': { latest },
      versions: Object.fromEntries(versions.map((one) => [one.version, one])),
    };
    response.writeHead(latest === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(packument));
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: address(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The folders of installed packages, those at the top first; those for other systems are not there. */
function foldersOf(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, unknown> };
  const depth = (path: string) => path.split('node_modules/').length;
  return Object.keys(packages)
    .filter((path) => path !== '' && existsSync(path))
    .sort((a, b) => depth(a) - depth(b));
}

function manifestIn(folder: string): { version: string } {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
