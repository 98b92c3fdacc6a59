import {
  ALL,
  BLOCK,
  base64,
  camel,
  kebab,
  oneLine,
  PASSWORD,
  snake,
  type Table,
  TOKENS,
  wrapped,
} from './shape-parts.ts';

/** What shells, their histories and the programs beside them print. */
export const SHELL: Table = {
  printenv: [ALL, ({ name, value }) => `HOME=/root\nLANG=C.UTF-8\n${name}=${value}\nPWD=/srv/app\nSHLVL=1\n`],
  'declare -x': [
    ALL,
    ({ name, value }) => `declare -x HOME="/root"\ndeclare -x ${name}="${value}"\ndeclare -x TERM="xterm"\n`,
  ],
  'windows set': [ALL, ({ name, value }) => `COMPUTERNAME=BUILD1\r\n${name}=${value}\r\nUSERNAME=ci\r\n`],
  '/proc environ': [ALL, ({ name, value }) => `PATH=/usr/bin\u0000${name}=${value}\u0000HOME=/root\u0000`],
  'zsh history': [
    ALL,
    ({ name, value }) => `: 1795251901:0;cd app\n: 1795251944:0;export ${name}=${value}\n: 1795251950:0;make\n`,
  ],
  'numbered history': [
    ALL,
    ({ name, value }) => `  501  cd app\n  502  export ${name}="${value}"\n  503  make deploy\n`,
  ],
  'xtrace of a script': [
    ALL,
    ({ name, value }) => `+ set -e\n+ export ${name}=${value}\n+ ${name}=${value}\n+ ./run\n`,
  ],
  strace: [
    ALL,
    ({ name, value }) =>
      `openat(AT_FDCWD, ".env", O_RDONLY) = 3\nread(3, "${name}=${value}\\nPORT=80\\n", 4096) = 91\n`,
  ],
  'ps with environment': [
    ALL,
    ({ name, value }) => `  412 ?  Ss  0:01 node server.js LANG=C ${name}=${value} HOME=/root\n`,
  ],
  'curl verbose': [
    TOKENS,
    ({ value }) =>
      `> GET /v2/jobs HTTP/2\r\n> host: api.example.org\r\n> authorization: Bearer ${value}\r\n> accept: */*\r\n`,
  ],
  'wget header': [TOKENS, ({ value }) => `wget -q --header="X-Api-Key: ${value}" https://api.example.org/export.csv\n`],
  httpie: [TOKENS, ({ value }) => `http POST api.example.org/v1/jobs Authorization:"Token ${value}" name=nightly\n`],
  'curl form': [
    ALL,
    ({ name, value }) => `curl -X POST https://id.example.org/token -d 'grant_type=x' -d '${snake(name)}=${value}'\n`,
  ],
  'curl json': [
    ALL,
    ({ name, value }) =>
      `curl -H 'Content-Type: application/json' --data '{"user":"ci","${camel(name)}":"${value}"}' https://x.example.org\n`,
  ],
  'secret from literal': [
    ALL,
    ({ name, value }) => `kubectl create secret generic app --from-literal=${kebab(name)}='${value}' -n prod\n`,
  ],
  'set in the cloud': [ALL, ({ name, value }) => `flyctl secrets set ${name}="${value}" --app api\n`],
  'piped into a command': [ALL, ({ name, value }) => `printf '%s' '${value}' | gh secret set ${name}\n`],
  'psql address': [
    PASSWORD,
    ({ value }) => `psql "postgresql://app:${encodeURIComponent(value)}@db.prod:5432/app" -c 'select 1'\n`,
  ],
  'redis auth': [PASSWORD, ({ value }) => `127.0.0.1:6379> AUTH ${value}\nOK\n127.0.0.1:6379> PING\nPONG\n`],
  'redis configuration': [
    PASSWORD,
    ({ value }) => `127.0.0.1:6379> CONFIG GET requirepass\n1) "requirepass"\n2) "${value}"\n`,
  ],
  'mysql -p': [PASSWORD, ({ value }) => `mysqldump -h db -u root -p'${value}' app > app.sql\n`],
  'ssh with sshpass': [PASSWORD, ({ value }) => `sshpass -p '${value}' ssh deploy@10.0.0.7 uptime\n`],
};

/** What is encoded, cut and wrapped. */
export const WRAPPED: Table = {
  'base64 at 76 columns': [
    ALL,
    ({ name, value }) =>
      `$ base64 app.env\n${wrapped(base64(`PORT=8080\nHOST=db.internal\n${name}=${value}\nTZ=UTC\n`), 76)}\n`,
  ],
  'base64 at 76, indented': [
    ALL,
    ({ name, value }) =>
      `data:\n  app.env: |\n    ${wrapped(base64(`PORT=8080\nHOST=db\n${name}=${value}\n`), 76, '    ')}\nkind: ConfigMap\n`,
  ],
  'base64 in json': [
    ALL,
    ({ name, value }) =>
      JSON.stringify({ content: base64(JSON.stringify({ [camel(name)]: value, port: 80 })), encoding: 'base64' }),
  ],
  'wrapped at 40 columns': [['known'], ({ name, value }) => `Loaded:\n${wrapped(`${name}=${value}`, 40)}\nDone.\n`],
  'wrapped at 76 with quote marks': [
    ['known'],
    ({ value }) => `> ${wrapped(`Somebody wrote that the deployment uses ${value} since Monday.`, 76, '> ')}\n`,
  ],
  'quoted-printable': [
    ['known'],
    ({ name, value }) =>
      `Content-Transfer-Encoding: quoted-printable\n\n${name}=3D${value.slice(0, 20)}=\n${value.slice(20)}\n`,
  ],
  'python continued string': [
    TOKENS,
    ({ name, value }) => `${name} = (\n    "${value.slice(0, 16)}"\n    "${value.slice(16)}"\n)\n`,
  ],
  'escaped unicode json': [
    TOKENS,
    ({ name, value }) =>
      `{"${camel(name)}":"${value.replaceAll('-', '\\u002d').replaceAll('=', '\\u003d').replaceAll('+', '\\u002b')}"}`,
  ],
  'query encoded twice': [
    TOKENS,
    ({ name, value }) =>
      `next=${encodeURIComponent(`https://x.example.org/?${snake(name)}=${encodeURIComponent(value)}`)}\n`,
  ],
  'html escaped': [ALL, ({ name, value }) => `<pre>${name}=&quot;${value}&quot;</pre>\n`],
};

/** Key files, whole and in pieces. */
export const KEYS: Table = {
  'cat of a key': [BLOCK, ({ value }) => `$ cat deploy.key\n${value}\n$\n`],
  'key on one line': [BLOCK, ({ value }) => `DEPLOY_KEY="${oneLine(value)}"\n`],
  'service account file': [
    BLOCK,
    ({ value }) => JSON.stringify({ type: 'service_account', project_id: 'x', private_key: `${value}\n` }, null, 2),
  ],
  'key with CRLF': [BLOCK, ({ value }) => `${value.replaceAll('\n', '\r\n')}\r\n`],
  'key in a heredoc': [BLOCK, ({ value }) => `cat > /etc/key.pem <<'EOF'\n${value}\nEOF\nchmod 600 /etc/key.pem\n`],
  'key in terraform': [
    BLOCK,
    ({ value }) => `resource "tls" "x" {\n  private_key = <<-EOT\n${value.replaceAll(/^/gm, '    ')}\n  EOT\n}\n`,
  ],
  'key in base64': [BLOCK, ({ value }) => `TLS_KEY_B64=${base64(value)}\n`],
  'key in base64 at 76 columns': [BLOCK, ({ value }) => `$ base64 deploy.key\n${wrapped(base64(value), 76)}\n`],
  'key in a python string': [
    BLOCK,
    ({ value }) =>
      `KEY = (\n${value
        .split('\n')
        .map((line) => `    "${line}\\n"`)
        .join('\n')}\n)\n`,
  ],
  'key in a grep': [
    BLOCK,
    ({ value }) =>
      value
        .split('\n')
        .map((line, i) => `certs/deploy.key:${i + 1}:${line}`)
        .join('\n'),
  ],
  'key with spaces for line feeds': [BLOCK, ({ value }) => `PRIVATE_KEY=${value.replaceAll('\n', ' ')}\n`],
};
