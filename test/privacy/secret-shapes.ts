import { type Dice, KINDS, type Sample } from './secret-corpus.ts';

/** Wraps a value in the way in which some tool would print it. */
export interface Shape {
  shape: string;
  /** For which families of kinds this shape is real. */
  families: readonly string[];
  write(input: { name: string; value: string; dice: Dice }): string;
}

const ALL = ['known', 'named', 'password'] as const;
const camel = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string) => name.toLowerCase().replaceAll('_', '-');
const snake = (name: string) => name.toLowerCase();
const envFile = (name: string, value: string) => `NODE_ENV=production\nPORT=8080\n${name}=${value}\nLOG_LEVEL=info\n`;
const lines = (value: string) => value.split('\n');

function shape(name: string, families: readonly string[], write: Shape['write']): Shape {
  return { shape: name, families, write };
}

const SHAPES: readonly Shape[] = [
  shape('env file', ALL, ({ name, value }) => envFile(name, value)),
  shape('export', ALL, ({ name, value }) => `$ export ${name}='${value}'\n$ ./deploy.sh`),
  shape('env quoted', ALL, ({ name, value }) => `# mail\n${name}="${value}"\nSMTP_HOST=mail.internal\n`),
  shape('yaml', ALL, ({ name, value }) => `mail:\n  host: smtp.internal\n  ${snake(name)}: ${value}\n  port: 587\n`),
  shape('yaml quoted', ALL, ({ name, value }) => `settings:\n  - ${camel(name)}: '${value}'\n`),
  shape(
    'compose',
    ALL,
    ({ name, value }) => `services:\n  api:\n    environment:\n      - ${name}=${value}\n      - TZ=UTC\n`,
  ),
  shape(
    'kubernetes env',
    ALL,
    ({ name, value }) =>
      `        env:\n        - name: ${name}\n          value: "${value}"\n        - name: TZ\n          value: UTC\n`,
  ),
  shape('json', ALL, ({ name, value }) =>
    JSON.stringify({ host: 'db.internal', [camel(name)]: value, port: 5432 }, null, 2),
  ),
  shape('json escaped', ALL, ({ name, value }) =>
    JSON.stringify({ body: JSON.stringify({ [snake(name)]: value, ttl: 60 }) }),
  ),
  shape('json escaped twice', ALL, ({ name, value }) =>
    JSON.stringify(JSON.stringify(JSON.stringify({ [camel(name)]: value }))),
  ),
  shape('json of an env dump', ALL, ({ name, value }) => JSON.stringify({ stdout: envFile(name, value), exitCode: 0 })),
  shape('json pair', ALL, ({ name, value }) =>
    JSON.stringify({
      environment: [
        { name, value },
        { name: 'TZ', value: 'UTC' },
      ],
    }),
  ),
  shape('toml', ALL, ({ name, value }) => `[mail]\n${snake(name)} = "${value}"\nport = 587\n`),
  shape(
    'properties',
    ALL,
    ({ name, value }) => `server.port=8080\nspring.${snake(name).replaceAll('_', '.')}=${value}\n`,
  ),
  shape(
    'typescript',
    ALL,
    ({ name, value }) => `const ${camel(name)}: string = '${value}';\nconnect({ ${camel(name)} });\n`,
  ),
  shape(
    'python',
    ALL,
    ({ name, value }) => `import os\n${name} = "${value}"\nclient = Client(${snake(name)}=${name})\n`,
  ),
  shape('python dict', ALL, ({ name, value }) => `{'host': 'db', '${snake(name)}': '${value}', 'debug': False}`),
  shape('go', ALL, ({ name, value }) => `func main() {\n\t${camel(name)} := "${value}"\n\trun(${camel(name)})\n}\n`),
  shape(
    'xml',
    ALL,
    ({ name, value }) => `<server>\n  <id>central</id>\n  <${camel(name)}>${value}</${camel(name)}>\n</server>`,
  ),
  shape('app settings', ALL, ({ name, value }) => `<add key="${camel(name)}" value="${value}" />`),
  shape('terraform', ALL, ({ name, value }) => `variable "region" {}\n${snake(name)}   = "${value}"\n`),
  shape('flag', ALL, ({ name, value }) => `$ deployctl push --env prod --${kebab(name)} '${value}' --wait`),
  shape('flag with =', ALL, ({ name, value }) => `ps aux: 1234 /usr/bin/api --port=80 --${kebab(name)}=${value}`),
  shape('docker run', ALL, ({ name, value }) => `docker run -d --name api -e ${name}=${value} -p 80:80 acme/api:1.4`),
  shape('inline env', ALL, ({ name, value }) => `2. Run \`${name}=${value} node scripts/resend.js --id 1377\` again.`),
  shape('diff added', ALL, ({ name, value }) => `@@ -1,3 +1,4 @@\n HOST=db\n+${name}=${value}\n PORT=1\n`),
  shape(
    'diff removed',
    ALL,
    ({ name, value }) => `@@ -4,3 +4,2 @@\n   port: 1,\n-  ${camel(name)}: "${value}",\n   tls: true,\n`,
  ),
  shape(
    'listing with line numbers',
    ALL,
    ({ name, value }) => `     1→HOST=db\n     2→${name}=${value}\n     3→PORT=1\n`,
  ),
  shape('grep', ALL, ({ name, value }) => `.env.production:12:${name}=${value}\nREADME.md:3:Set ${name}.\n`),
  shape(
    'coloured grep',
    ALL,
    ({ name, value }) =>
      `\u001b[35m.env\u001b[m\u001b[36m:\u001b[m\u001b[01;31m\u001b[K${name}\u001b[m\u001b[K=${value}\n`,
  ),
  shape(
    'query',
    ['known', 'named'],
    ({ name, value }) =>
      `GET https://api.example.org/v1/items?limit=10&${snake(name)}=${encodeURIComponent(value)}&page=2 200`,
  ),
  shape(
    'bearer',
    ['known', 'named'],
    ({ value }) => `curl -sS -H "Authorization: Bearer ${value}" https://api.internal/v1/jobs`,
  ),
  shape(
    'header',
    ['known', 'named'],
    ({ name, value }) => `> GET /v1 HTTP/1.1\n> Host: api.internal\n> X-${kebab(name)}: ${value}\n> Accept: */*\n`,
  ),
  shape('told', ALL, ({ name, value }) => `The ${snake(name).replaceAll('_', ' ')} is ${value}, please keep it.`),
  shape(
    'told in backticks',
    ALL,
    ({ name, value }) => `I used the ${snake(name).split('_').at(-1)} \`${value}\` from the vault.`,
  ),
  shape('bare', ['known'], ({ value }) => `It works with ${value} again.`),
  shape('log', ['known'], ({ value }) => `2026-11-20T20:05:01Z WARN auth rejected credential=${value} status=401`),
  shape(
    'clone address',
    ['known', 'password'],
    ({ value }) => `origin\thttps://deploy:${encodeURIComponent(value)}@git.internal/acme/app.git (fetch)`,
  ),
  shape(
    'database address',
    ['password'],
    ({ value, dice }) =>
      `${dice.pick(['postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://svc_app:${encodeURIComponent(value)}@db-eu-1.internal:5432/billing`,
  ),
  shape(
    'unencoded address',
    ['password'],
    ({ value }) => `DATABASE_URL=postgresql://app:${value}@10.0.0.7/app?sslmode=require`,
  ),
  shape(
    'connection string',
    ['password', 'named'],
    ({ value }) => `Server=tcp:sql.internal,1433;Database=app;User Id=svc;Password=${value};Encrypt=True;`,
  ),
  shape('curl user', ['password'], ({ value }) => `$ curl -fsS -u 'deploy:${value}' https://nexus.internal/repo`),
  shape('sql', ['password'], ({ value }) => `CREATE USER app WITH PASSWORD '${value}';`),
  shape(
    'basic',
    ['password'],
    ({ value }) => `Authorization: Basic ${Buffer.from(`deploy:${value}`).toString('base64')}`,
  ),
  shape(
    'base64 of an env file',
    ALL,
    ({ name, value }) => `data:\n  env: ${Buffer.from(envFile(name, value)).toString('base64')}\n`,
  ),
  shape(
    'wrapped base64',
    ALL,
    ({ name, value }) =>
      `$ base64 .env\n${Buffer.from(envFile(name, value)).toString('base64').replace(/.{76}/g, '$&\n')}\n`,
  ),
  shape(
    'backslash at line end',
    ['known', 'named'],
    ({ name, value }) => `${name}=${value.slice(0, 12)}\\\n${value.slice(12)}\nPORT=1\n`,
  ),
  shape(
    'concatenated',
    ['known', 'named'],
    ({ name, value }) => `+const ${camel(name)} = '${value.slice(0, 14)}' +\n+  '${value.slice(14)}';\n`,
  ),
  shape('narrow terminal', ['known'], ({ name, value }) => `${`${name}=${value}`.replace(/.{30}/g, '$&\n')}\nOK\n`),
  shape('file', ['block'], ({ value }) => `$ cat id_rsa\n${value}\n$ ls\n`),
  shape('file in json', ['block'], ({ value }) =>
    JSON.stringify({ type: 'service_account', private_key: `${value}\n`, id: '12' }),
  ),
  shape('file in escaped json', ['block'], ({ value }) => JSON.stringify(JSON.stringify({ key: value }))),
  shape('file in env', ['block'], ({ value }) => `PORT=1\nTLS_KEY="${value.replaceAll('\n', '\\n')}"\nHOST=db\n`),
  shape('file cut off', ['block'], ({ value }) => `${lines(value).slice(0, -2).join('\n')}\n\n... [cut]\n`),
  shape('end of a file', ['block'], ({ value }) => `$ tail -n 4 key.pem\n${lines(value).slice(-4).join('\n')}\n`),
  shape(
    'file in a diff',
    ['block'],
    ({ value }) =>
      `@@ -0,0 +1,9 @@\n${lines(value)
        .map((line) => `+${line}`)
        .join('\n')}\n`,
  ),
  shape('file with line numbers', ['block'], ({ value }) =>
    lines(value)
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join('\n'),
  ),
  shape(
    'indented file',
    ['block'],
    ({ value }) =>
      `tls:\n  key: |\n${lines(value)
        .map((line) => `    ${line}`)
        .join('\n')}\n  port: 1\n`,
  ),
];

/** Every kind in every shape that is real for it, `rounds` times. */
export function secretSamples(dice: Dice, rounds: number): Sample[] {
  return Array.from({ length: rounds }).flatMap(() =>
    KINDS.flatMap(({ kind, name, family, value: make }) =>
      SHAPES.filter(({ families }) => families.includes(family)).map(({ shape, write }): Sample => {
        const value = make(dice);
        const text = write({ name, value, dice });
        return { kind, shape, family, text, needles: needlesOf(value, family, text) };
      }),
    ),
  );
}

/** What of a value must not be left in a text that holds it. */
export function needlesOf(value: string, family: string, text: string): string[] {
  if (family === 'block')
    return lines(value)
      .slice(1, -1)
      .filter((line) => text.includes(line));
  const halves = [value.slice(0, Math.ceil(value.length / 2)), value.slice(Math.ceil(value.length / 2))];
  // Behind an encoding the value itself is not in the text; then what encodes it must be gone.
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    ...(value.length >= 24 ? halves : []),
  ].filter((form) => text.includes(form));
  return forms.length > 0 ? forms : (text.match(/[A-Za-z0-9+/=]{20,}/g) ?? []);
}
