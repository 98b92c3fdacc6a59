import { ALL, BLOCK, base64, camel, kebab, PASSWORD, snake, type Table, TOKENS } from './shape-parts.ts';

/** Shapes that no rule was tuned on. */
export const UNSEEN: Table = {
  'fish universal': [ALL, ({ name, value }) => `SETUVAR --export ${name}:${value}\nSETUVAR fish_greeting:hi\n`],
  direnv: [
    ALL,
    ({ name, value }) => `direnv: loading .envrc\nexport ${name}="${value}"  # staging\ndirenv: export +${name}\n`,
  ],
  'docker compose config': [
    ALL,
    ({ name, value }) =>
      `services:\n  db:\n    environment:\n      ${name}: ${value}\n      TZ: UTC\n    image: postgres:16\n`,
  ],
  'docker history': [ALL, ({ name, value }) => `<missing>  2 weeks ago  /bin/sh -c #(nop)  ENV ${name}=${value}  0B\n`],
  'git config list': [
    TOKENS,
    ({ value }) => `remote.origin.url=https://x-access-token:${encodeURIComponent(value)}@github.com/acme/app.git\n`,
  ],
  'kustomize generator': [
    ALL,
    ({ name, value }) => `secretGenerator:\n- name: app\n  literals:\n  - ${name}=${value}\n`,
  ],
  'pulumi settings': [
    ALL,
    ({ name, value }) => `config:\n  aws:region: eu-central-1\n  app:${camel(name)}: ${value}\n`,
  ],
  'cloud-init': [
    ALL,
    ({ name, value }) =>
      `#cloud-config\nwrite_files:\n- path: /etc/app.env\n  content: |\n    ${name}=${value}\n    TZ=UTC\n`,
  ],
  'insomnia export': [
    TOKENS,
    ({ value }) => JSON.stringify({ authentication: { type: 'bearer', token: value, prefix: '' } }),
  ],
  'postman variable': [
    ALL,
    ({ name, value }) =>
      JSON.stringify({ values: [{ key: snake(name), value, enabled: true, type: 'secret' }] }, null, 2),
  ],
  'har header': [
    TOKENS,
    ({ value }) => JSON.stringify({ headers: [{ name: 'Authorization', value: `Bearer ${value}` }] }),
  ],
  'swift constant': [ALL, ({ name, value }) => `static let ${camel(name)} = "${value}"\n`],
  'c define': [ALL, ({ name, value }) => `#define ${name} "${value}"\n#define PORT 80\n`],
  'kotlin build field': [ALL, ({ name, value }) => `buildConfigField("String", "${name}", "\\"${value}\\"")\n`],
  'lua table': [ALL, ({ name, value }) => `return { host = "db", ${snake(name)} = "${value}", port = 80 }\n`],
  'clojure map': [ALL, ({ name, value }) => `{:host "db" :${kebab(name)} "${value}" :port 80}\n`],
  'csharp record': [ALL, ({ name, value }) => `Settings { Host = db, ${camel(name)} = ${value}, Port = 80 }\n`],
  'jest each diff': [
    ALL,
    ({ name, value }) =>
      `    Expected: ObjectContaining {"${camel(name)}": Any<String>}\n    Received: {"${camel(name)}": "${value}", "port": 80}\n`,
  ],
  'sentry event': [
    ALL,
    ({ name, value }) => JSON.stringify({ vars: { self: '<Client>', [snake(name)]: `'${value}'` } }),
  ],
  'gdb print': [ALL, ({ name, value }) => `(gdb) p cfg->${snake(name)}\n$1 = 0x55d0 "${value}"\n`],
  'ldap bind': [PASSWORD, ({ value }) => `ldapwhoami -x -D cn=admin,dc=example -w '${value}' -H ldap://x\n`],
  'smb mount': [PASSWORD, ({ value }) => `mount -t cifs //nas/x /mnt -o username=ci,password=${value},vers=3\n`],
  'wget password': [PASSWORD, ({ value }) => `wget --user=ci --password='${value}' https://x.example.org/a.zip\n`],
  'rclone settings': [PASSWORD, ({ value }) => `[nas]\ntype = webdav\nuser = ci\npass = ${value}\n`],
  'dotnet secrets': [PASSWORD, ({ value }) => `dotnet user-secrets set "Smtp:Password" "${value}"\n`],
  'odbc string': [PASSWORD, ({ value }) => `Driver={ODBC Driver 18};Server=db;Uid=sa;Pwd=${value};Encrypt=yes\n`],
  'basic in javascript': [PASSWORD, ({ value }) => `headers: { Authorization: 'Basic ' + btoa('ci:${value}') }\n`],
  'docker config in kubernetes': [
    PASSWORD,
    ({ value }) =>
      `kind: Secret\ndata:\n  .dockerconfigjson: ${base64(JSON.stringify({ auths: { x: { password: value } } }))}\n`,
  ],
  'key in yaml list': [BLOCK, ({ value }) => `keys:\n- |\n${value.replaceAll(/^/gm, '  ')}\n- none\n`],
  'key in a chat': [BLOCK, ({ value }) => `> ${value.replaceAll('\n', '\n> ')}\nPlease rotate it.\n`],
};
