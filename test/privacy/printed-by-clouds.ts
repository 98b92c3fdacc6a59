import { ALL, base64, camel, PASSWORD, snake, type Table, TOKENS } from './shape-parts.ts';

/** What containers, clouds and their tools print. */
export const CLOUD: Table = {
  'docker inspect': [
    ALL,
    ({ name, value }) =>
      JSON.stringify([{ Config: { Env: ['PATH=/bin', `${name}=${value}`], Cmd: ['node'] } }], null, 4),
  ],
  'dockerfile env': [ALL, ({ name, value }) => `FROM node:20\nENV PORT=80 \\\n    ${name}=${value}\nRUN npm ci\n`],
  'docker login file': [
    PASSWORD,
    ({ value }) => JSON.stringify({ auths: { 'ghcr.io': { auth: base64(`ci:${value}`) } } }, null, '\t'),
  ],
  'kubernetes stringData': [
    ALL,
    ({ name, value }) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  ${name}: ${value}\n`,
  ],
  'kubernetes data': [
    ALL,
    ({ name, value }) => `apiVersion: v1\ndata:\n  ${name}: ${base64(value)}\nkind: Secret\nmetadata:\n  name: app\n`,
  ],
  'kubectl -o json': [
    ALL,
    ({ name, value }) =>
      JSON.stringify({ apiVersion: 'v1', data: { [name]: base64(value) }, kind: 'Secret', type: 'Opaque' }, null, 4),
  ],
  'kubectl describe pod': [
    ALL,
    ({ name, value }) => `    Environment:\n      PORT:               8080\n      ${name}:  ${value}\n    Mounts:\n`,
  ],
  'terraform plan': [
    ALL,
    ({ name, value }) =>
      `  ~ resource "aws_db_instance" "main" {\n      ~ ${snake(name)} = "${value}" -> (known after apply)\n        port = 5432\n    }\n`,
  ],
  'terraform state': [
    ALL,
    ({ name, value }) =>
      JSON.stringify(
        { resources: [{ type: 'random', instances: [{ attributes: { id: 'none', [snake(name)]: value } }] }] },
        null,
        2,
      ),
  ],
  'terraform output': [
    ALL,
    ({ name, value }) => `endpoint = "db.internal"\n${snake(name)} = "${value}"\nregion = "eu-central-1"\n`,
  ],
  'terraform output json': [
    ALL,
    ({ name, value }) => JSON.stringify({ [snake(name)]: { sensitive: true, type: 'string', value } }, null, 2),
  ],
  'helm values': [
    ALL,
    ({ name, value }) => `app:\n  image: api\n  secrets:\n    ${camel(name)}: "${value}"\n  replicas: 2\n`,
  ],
  'ansible vars': [
    ALL,
    ({ name, value }) => `- hosts: db\n  vars:\n    app_${snake(name)}: '${value}'\n    app_port: 80\n`,
  ],
  'actions env': [
    ALL,
    ({ name, value }) => `    - run: npm test\n      env:\n        CI: true\n        ${name}: ${value}\n`,
  ],
  'vault read': [
    ALL,
    ({ name, value }) =>
      `====== Data ======\nKey                  Value\n---                  -----\n${snake(name)}    ${value}\nusername             app\n`,
  ],
  'systemd unit': [
    ALL,
    ({ name, value }) =>
      `[Service]\nEnvironment="NODE_ENV=production"\nEnvironment="${name}=${value}"\nExecStart=/usr/bin/api\n`,
  ],
  'heroku config': [ALL, ({ name, value }) => `=== api Config Vars\n\n${name}:     ${value}\nLANG:        C\n`],
  'cloud function settings': [
    ALL,
    ({ name, value }) => JSON.stringify({ Environment: { Variables: { STAGE: 'prod', [name]: value } } }),
  ],
  'task definition': [
    ALL,
    ({ name, value }) => JSON.stringify({ containerDefinitions: [{ environment: [{ value, name }] }] }, null, 2),
  ],
  'nginx header': [
    TOKENS,
    ({ value }) =>
      `location /api {\n  proxy_set_header Authorization "Bearer ${value}";\n  proxy_pass http://api;\n}\n`,
  ],
  'get-secret-value': [
    ALL,
    ({ name, value }) =>
      JSON.stringify(
        { Name: 'prod/app', SecretString: JSON.stringify({ [snake(name)]: value }), VersionStages: ['AWSCURRENT'] },
        null,
        4,
      ),
  ],
};

/** Files of settings that tools keep. */
export const FILES: Table = {
  '.npmrc': [
    TOKENS,
    ({ value }) => `registry=https://npm.example.org/\n//npm.example.org/:_authToken=${value}\nalways-auth=true\n`,
  ],
  '.netrc': [ALL, ({ value }) => `machine api.example.org\n  login ci\n  password ${value}\n`],
  '.netrc on one line': [ALL, ({ value }) => `machine api.example.org login ci password ${value}\n`],
  '.pgpass': [PASSWORD, ({ value }) => `db.prod.internal:5432:app:app_rw:${value}\n`],
  '.git-credentials': [ALL, ({ value }) => `https://ci:${encodeURIComponent(value)}@git.example.org\n`],
  'pip.conf': [
    ALL,
    ({ value }) => `[global]\nindex-url = https://ci:${encodeURIComponent(value)}@pypi.example.org/simple\n`,
  ],
  'maven settings': [
    ALL,
    ({ value }) =>
      `<server>\n  <id>nexus</id>\n  <username>ci</username>\n  <password>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</password>\n</server>\n`,
  ],
  'gradle.properties': [ALL, ({ name, value }) => `org.gradle.jvmargs=-Xmx2g\n${camel(name)}=${value}\n`],
  'composer auth.json': [TOKENS, ({ value }) => JSON.stringify({ 'github-oauth': { 'github.com': value } })],
  'cargo credentials': [TOKENS, ({ value }) => `[registries.internal]\ntoken = "${value}"\n`],
  'ini section': [
    ALL,
    ({ name, value }) => `[default]\nregion = eu-central-1\n${snake(name)} = ${value}\noutput = json\n`,
  ],
  'appsettings connection': [
    PASSWORD,
    ({ value }) =>
      JSON.stringify({ ConnectionStrings: { Main: `Host=db;Username=app;Password=${value};Pooling=true` } }),
  ],
  'jdbc properties': [
    PASSWORD,
    ({ value }) =>
      `spring.datasource.url=jdbc:mysql://db:3306/app?user=app&password=${encodeURIComponent(value)}&useSSL=true\n`,
  ],
  'yaml folded': [TOKENS, ({ name, value }) => `auth:\n  ${snake(name)}: >-\n    ${value}\n  retries: 3\n`],
  'yaml with anchor': [ALL, ({ name, value }) => `x-env: &env\n  ${name}: &secret "${value}"\n  TZ: UTC\n`],
  plist: [ALL, ({ name, value }) => `<dict>\n\t<key>${camel(name)}</key>\n\t<string>${value}</string>\n</dict>\n`],
  'android strings': [
    TOKENS,
    ({ name, value }) => `<resources>\n  <string name="${snake(name)}">${value}</string>\n</resources>\n`,
  ],
  'supplicant file': [PASSWORD, ({ value }) => `network={\n\tssid="office"\n\tpsk="${value}"\n}\n`],
  'jupyter cell': [
    ALL,
    ({ name, value }) =>
      JSON.stringify({ cell_type: 'code', source: ['import os\n', `os.environ["${name}"] = "${value}"\n`] }, null, 1),
  ],
};
