import { ALL, base64, camel, PASSWORD, pascal, snake, type Table, TOKENS } from './shape-parts.ts';

/** What programs say of their own state: errors, traces, dumps, logs. */
export const TALK: Table = {
  'node inspect': [
    ALL,
    ({ name, value }) => `Config {\n  host: 'db',\n  ${camel(name)}: '${value}',\n  pool: [Object]\n}\n`,
  ],
  'axios error': [
    TOKENS,
    ({ value }) =>
      `AxiosError: Request failed with status code 401\n    at settle (axios.cjs:19:12) {\n  config: {\n    headers: Object [AxiosHeaders] {\n      Authorization: 'Bearer ${value}',\n      'User-Agent': 'axios/1.7'\n    }\n  }\n}\n`,
  ],
  'python traceback': [
    ALL,
    ({ name, value }) =>
      `Traceback (most recent call last):\n  File "app.py", line 12, in <module>\n    client = Client(${snake(name)}="${value}")\nValueError: refused\n`,
  ],
  'python locals': [
    ALL,
    ({ name, value }) =>
      `    def connect(host, ${snake(name)}):\n>       raise Refused()\n\nhost       = 'db'\n${snake(name)} = '${value}'\n\napp.py:12: Refused\n`,
  ],
  'python repr': [ALL, ({ name, value }) => `Settings(debug=False, ${snake(name)}='${value}', workers=4)\n`],
  'go struct': [
    ALL,
    ({ name, value }) => `2026/11/20 20:05:01 config: {Host:db Port:5432 ${pascal(name)}:${value} Debug:false}\n`,
  ],
  'rust debug': [
    ALL,
    ({ name, value }) => `Config {\n    host: "db",\n    ${snake(name)}: Some(\n        "${value}",\n    ),\n}\n`,
  ],
  'ruby inspect': [ALL, ({ name, value }) => `#<Client:0x000078a1 @host="db", @${snake(name)}="${value}", @port=80>\n`],
  'php var_dump': [
    ALL,
    ({ name, value }) =>
      `array(2) {\n  ["host"]=>\n  string(2) "db"\n  ["${snake(name)}"]=>\n  string(${value.length}) "${value}"\n}\n`,
  ],
  'php print_r': [ALL, ({ name, value }) => `Array\n(\n    [host] => db\n    [${snake(name)}] => ${value}\n)\n`],
  'java toString': [ALL, ({ name, value }) => `DEBUG Properties{url=jdbc:x, ${camel(name)}=${value}, retries=3}\n`],
  'java stack trace': [
    PASSWORD,
    ({ value }) =>
      `java.sql.SQLException: Cannot connect: jdbc:postgresql://db/app?user=app&password=${encodeURIComponent(value)}\n\tat org.postgresql.Driver.connect(Driver.java:298)\n`,
  ],
  'elixir map': [ALL, ({ name, value }) => `%{host: "db", ${snake(name)}: "${value}", port: 80}\n`],
  logfmt: [
    ALL,
    ({ name, value }) => `ts=2026-11-20T20:05:01Z level=debug msg="loaded" ${snake(name)}=${value} port=80\n`,
  ],
  'json log': [
    ALL,
    ({ name, value }) => JSON.stringify({ level: 'debug', ctx: { cfg: { [camel(name)]: value } }, msg: 'loaded' }),
  ],
  'test failure diff': [
    ALL,
    ({ name, value }) => `  Object {\n-   "${camel(name)}": undefined,\n+   "${camel(name)}": "${value}",\n  }\n`,
  ],
  'request log': [
    TOKENS,
    ({ value, dice }) =>
      `10.0.0.${dice.below(99)} - - [20/Nov/2026] "GET /hook?access_token=${value}&page=2 HTTP/1.1" 200 12\n`,
  ],
  'address fragment': [
    TOKENS,
    ({ value }) => `Redirected to https://app.example.org/cb#access_token=${value}&token_type=bearer&expires_in=3600\n`,
  ],
  'form body': [
    ALL,
    ({ value }) =>
      `POST /login HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\nuser=ci%40example.org&password=${encodeURIComponent(value)}&remember=1\n`,
  ],
  'multipart form': [
    ALL,
    ({ name, value }) => `--X1\r\nContent-Disposition: form-data; name="${snake(name)}"\r\n\r\n${value}\r\n--X1--\r\n`,
  ],
  'soap header': [
    PASSWORD,
    ({ value }) =>
      `<wsse:UsernameToken>\n  <wsse:Username>ci</wsse:Username>\n  <wsse:Password Type="PasswordText">${value}</wsse:Password>\n</wsse:UsernameToken>\n`,
  ],
  'smtp dialogue': [
    PASSWORD,
    ({ value }) =>
      `S: 334 VXNlcm5hbWU6\nC: ${base64('mailer@example.org')}\nS: 334 UGFzc3dvcmQ6\nC: ${base64(value)}\nS: 235 2.7.0 Accepted\n`,
  ],
  'session cookie': [
    TOKENS,
    ({ value }) => `Set-Cookie: session_token=${encodeURIComponent(value)}; Path=/; HttpOnly; Secure\n`,
  ],
  'sql insert': [
    ALL,
    ({ name, value }) => `INSERT INTO settings (name, value) VALUES ('host', 'db'), ('${snake(name)}', '${value}');\n`,
  ],
  'sql update': [
    ALL,
    ({ name, value }) => `UPDATE accounts SET ${snake(name)} = '${value}', updated_at = now() WHERE id = 7;\n`,
  ],
  'sql table': [
    ALL,
    ({ name, value }) => ` id | name | value\n----+------+------\n  1 | ${snake(name)} | ${value}\n(1 row)\n`,
  ],
  'csv with header': [ALL, ({ name, value }) => `host,${snake(name)},port\ndb,${value},5432\n`],
  'graphql variables': [
    ALL,
    ({ name, value }) =>
      JSON.stringify({
        query: 'mutation Login($i: I!) { login(input: $i) { id } }',
        variables: { i: { [camel(name)]: value } },
      }),
  ],
  'basic credentials': [PASSWORD, ({ value }) => `proxy-authorization: Basic ${base64(`ci:${value}`)}\n`],
  'chat message': [
    ALL,
    ({ name, value }) =>
      `Here is the ${snake(name).replaceAll('_', ' ')} for staging: ${value}\nDelete this message afterwards.\n`,
  ],
  'markdown table': [ALL, ({ name, value }) => `| Variable | Value |\n| --- | --- |\n| \`${name}\` | \`${value}\` |\n`],
  'commit message': [
    TOKENS,
    ({ name, value }) => `commit ${'1f'.repeat(20)}\n\n    remove ${name} (${value}) from config\n`,
  ],
};
