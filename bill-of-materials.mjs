// What the bundles hold of other people's work: their licences as one text, and a CycloneDX bill of materials. Both come
// from what esbuild says it has put into the bundles, so that neither can forget a package, and the same packages give
// the same bytes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** What bundlers of packages write before the code of another package that they put in: `#region ../node_modules/.pnpm/a@1/...`. */
const INLINED = /#region \S*node_modules\/\.pnpm\/((?:@[^+/\s]+\+)?[^@/\s]+)@(\d[^_(/\s]*)/g;

/** Writes `THIRD-PARTY-LICENSES.txt` and `sbom.cdx.json` into a folder, for these bundles (metafiles of esbuild). */
export function writeBillOfMaterials(folder, metafiles) {
  const packages = packagesOf(metafiles);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences(packages));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`);
}

/** The packages with bytes in a bundle, sorted, with what the lockfile and their own manifest say of them. */
function packagesOf(metafiles) {
  const files = new Map();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const place =
          bytesInOutput > 0 && /^.*?(node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
        if (place) files.set(place, (files.get(place) ?? new Set()).add(path));
      }
    }
  }
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  return [...files.keys()].sort().map((place) => {
    const { name, version, license, author, repository } = JSON.parse(
      readFileSync(join(place, 'package.json'), 'utf8'),
    );
    const lock = locked[place];
    // Whoever builds from something else than what is locked would publish a list that is not true.
    if (lock?.version !== version)
      throw new Error(`${place} is ${version}, the lockfile says ${lock?.version}: npm ci`);
    const source = typeof repository === 'string' ? repository : repository?.url;
    const person = typeof author === 'string' ? author : author?.name;
    const inlined = inlinedIn([...files.get(place)]);
    return { place, name, version, license, person, source, integrity: lock.integrity, inlined };
  });
}

/** Packages whose code a package brings in its own files. */
function inlinedIn(paths) {
  const found = new Map();
  for (const path of paths) {
    for (const [, name, version] of existsSync(path) ? readFileSync(path, 'utf8').matchAll(INLINED) : []) {
      found.set(`${name.replace('+', '/')}@${version}`, { name: name.replace('+', '/'), version });
    }
  }
  return [...found.keys()].sort().map((key) => found.get(key));
}

function licences(packages) {
  const parts = packages.map(({ place, name, version, license, person, source, inlined }) => {
    const texts = readdirSync(place)
      .filter((file) => LICENCE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(place, file), 'utf8').replaceAll('\r\n', '\n').trim());
    const none = `The package brings no text of its licence. Author: ${person ?? 'not named'}. Source: ${source ?? 'not named'}.`;
    const inside = inlined.map((one) => `${one.name} ${one.version}`).join(', ');
    return [
      `${name} ${version} (${license})`,
      ...(inside === '' ? [] : [`It brings in its own files: ${inside}.`]),
      '',
      ...(texts.length === 0 ? [none] : [texts.join('\n\n')]),
    ].join('\n');
  });
  const head =
    'git-mem contains code of these packages. The comments that their authors want kept are in *.LEGAL.txt beside it.';
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** CycloneDX 1.6 without a time or a serial number, which would be others at every build. */
function billOfMaterials(packages) {
  const { name, version, license, description, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const root = `pkg:npm/${name}@${version}`;
  const components = packages.map((one) => {
    const purl = purlOf(one);
    return {
      type: 'library',
      // Two places may hold one version of a package.
      'bom-ref': `${purl}#${one.place}`,
      ...named(one.name),
      version: one.version,
      purl,
      scope: 'required',
      licenses: [/^[\w.+-]+$/.test(one.license) ? { license: { id: one.license } } : { expression: one.license }],
      hashes: hashesOf(one.integrity),
      ...(one.inlined.length > 0 && {
        components: one.inlined.map((inner) => ({
          type: 'library',
          'bom-ref': `${purlOf(inner)}#in-${one.name}`,
          ...named(inner.name),
          version: inner.version,
          purl: purlOf(inner),
        })),
      }),
    };
  });
  // Not inside: npm installs them beside git-mem where it can, in whatever version fits.
  const optional = Object.entries(optionalDependencies).map(([name, range]) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${name}`,
    name,
    purl: `pkg:npm/${name}`,
    scope: 'optional',
    properties: [{ name: 'git-mem:range', value: range }],
  }));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        description,
        purl: root,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...components, ...optional],
    dependencies: [{ ref: root, dependsOn: [...components, ...optional].map((one) => one['bom-ref']) }],
  };
}

/** A scope is a group in CycloneDX. */
function named(name) {
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return { ...(group && { group }), name: own };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Hashes of the package's archive, as the lockfile has them. */
function hashesOf(integrity) {
  return integrity.split(' ').map((one) => {
    const [algorithm, base64] = [one.slice(0, one.indexOf('-')), one.slice(one.indexOf('-') + 1)];
    const alg = algorithm.replace(/^sha(\d+)$/, 'SHA-$1');
    return { alg, content: Buffer.from(base64, 'base64').toString('hex') };
  });
}
