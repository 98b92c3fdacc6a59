import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Wrapper = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void;

/**
 * What better-sqlite3 exports, without Node's module loader: finding its dozen small files, and its binary by trial,
 * takes Node half as long as its own start. Undefined if the package has another shape than the known ones.
 */
export function loadPackageFiles(): unknown {
  const folder = installedFolder(import.meta.dirname, 'better-sqlite3');
  if (folder === undefined) return undefined;
  const nodeRequire = createRequire(join(folder, 'lib/index.js'));
  const modules = new Map<string, { exports: unknown }>();
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const from = dirname(file);
    const require = (name: string) => {
      if (name === 'bindings') return () => nodeRequire(join(folder, 'build/Release/better_sqlite3.node'));
      return name.startsWith('.') && !name.endsWith('.node') ? load(`${join(from, name)}.js`) : nodeRequire(name);
    };
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
    const wrapper: Wrapper = new Script(source, { filename: file }).runInThisContext();
    wrapper(module.exports, require, module, file, from);
    return module.exports;
  };
  return load(join(folder, 'lib/index.js'));
}

/** The folder in which Node finds a package from a folder, by its usual layout. */
function installedFolder(from: string, name: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? undefined : installedFolder(dirname(from), name);
}
