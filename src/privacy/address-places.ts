import type { Place } from './place.ts';
import { isCredential, isHash } from './values.ts';

// Schemes that only name a service with a login; their passwords may contain a bare / or @.
const LOGIN_SCHEMES =
  '(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|amqps?|smtps?|ldaps?|imaps?|ftps?|sftp|mqtts?|nats|kafka|clickhouse|cockroachdb|mssql|sqlserver|oracle|couchdb|neo4j|bolt|cassandra|influxdb|snowflake|redshift)(?:[+:][a-z0-9+]{1,20}){0,2}';

/** Places in addresses, headers, cookies and files of logins by host. */
export const ADDRESS_PLACES: readonly Place[] = [
  {
    kind: 'url-password',
    source: 'RFC 3986: user information, of services with a login',
    example: 'postgres://svc_app:{password}@db-eu-1.internal:5432/billing',
    hints: ['://'],
    pattern: new RegExp(
      `(?<![A-Za-z])${LOGIN_SCHEMES}:\\/\\/[^\\s:/?#@"'\`<>]{0,100}:([^\\s"'\`<>]{1,200}?)@(?=[\\w[.-]{1,200}(?:[:/?,\\s"'\`)\\]}>;&|\\\\.]|$)(?![^\\s"'\`<>]{0,200}@))`,
      'gi',
    ),
    need: 'word',
  },
  {
    kind: 'url-password',
    source: 'RFC 3986: user information',
    example: 'https://deploy:{password}@git.internal/acme/app.git',
    hints: ['://'],
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"'`<>]{0,100}:([^\s/"'`<>]{1,300}?)@(?=[\w[])(?![^\s/"'`<>?]{0,200}@)/gi,
    need: 'word',
  },
  {
    // A token instead of the user name, as in a clone URL. The key of a Sentry DSN is public.
    kind: 'url-token',
    source: 'git: clone addresses',
    example: 'https://{token}@git.internal/acme/app.git',
    hints: ['://'],
    pattern: /\bhttps?:\/\/([^\s:/?#@"'`<>]{20,300})(?::x-oauth-basic)?@(?=[\w[])(?![\w.-]{0,60}sentry)/gi,
    need: 'token',
  },
  {
    // The data source name of Go's MySQL driver.
    kind: 'url-password',
    source: 'Go: data source names of go-sql-driver/mysql',
    example: 'app:{password}@tcp(db.internal:3306)/billing',
    hints: ['@tcp(', '@unix('],
    pattern: /\b[\w.-]{1,60}:([^\s"'`<>@]{4,100})@(?:tcp|unix)\(/g,
    need: 'word',
  },
  {
    kind: 'bearer-token',
    source: 'RFC 6750 and the schemes of other APIs',
    example: 'Authorization: SSWS {token}',
    hints: ['bearer', 'token', 'apikey', 'api-key', 'ssws', 'splunk', 'key'],
    pattern:
      /(?<!websocket-)\b(?:bearer|token|apikey|api-key|ssws|splunk|genie-?key|key)[ ]{1,4}([A-Za-z0-9._~+/|:-]{16,4000}={0,2})/gi,
    need: 'token',
    refuses: (value) =>
      isHash(value) || (value.length < 24 && !/[A-Z]/u.test(value)) || /^[A-Za-z][\w.-]*-[0-9a-f]{7,64}$/u.test(value),
  },
  {
    kind: 'bearer-token',
    source: 'RFC 6750',
    example: 'curl -H "Authorization: Bearer {token}" https://api.internal',
    hints: ['bearer'],
    pattern: /\bbearer[ ]{1,4}([A-Za-z0-9._~+/|:-]{8,4000}={0,2})/gi,
    need: isCredential,
  },
  {
    kind: 'authorization',
    source: 'RFC 9110: Authorization; Jenkins: crumbs',
    example: 'authorization: Token {token}',
    hints: ['authorization', '-crumb'],
    pattern:
      /(?:authorization|-crumb)["']?\]?\s{0,4}[:=]\s{0,4}["']?(?:[a-z][a-z0-9-]{1,20}[ ]{1,4})?([^\s"'`,;<>]{8,4000})/gi,
    need: isCredential,
  },
  {
    kind: 'basic-auth',
    source: 'RFC 7617',
    example: 'Authorization: Basic {basic}',
    hints: ['basic'],
    pattern: /\bbasic[ ]{1,4}([A-Za-z0-9+/_-]{8,1000}={0,2})/gi,
    need: (value) => /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,200}$/u.test(Buffer.from(value, 'base64').toString('latin1')),
  },
  {
    kind: 'signature',
    source: 'signed addresses of Amazon, Azure and Google',
    example: 'https://files.internal/a.zip?se=2026&sig={token}',
    hints: ['='],
    pattern:
      /[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|auth|key|code|hmac|st|appid)=([^\s&"'`<>#]{16,2000})/gi,
    need: 'token',
  },
  {
    kind: 'session',
    source: 'RFC 6265',
    example: 'Cookie: theme=dark; session={token}',
    hints: ['cookie', '-b'],
    pattern:
      /(?:(?:^|[\s"'{,])(?:set-)?cookie["']?\s{0,4}[:=]\s{0,4}["']?|(?:-b|--cookie)[ ]{1,4}["']?)([^\r\n"']{8,4000})/gi,
    need: 'token',
  },
  {
    // A login without a scheme, as in client messages.
    kind: 'password',
    source: 'messages of clients',
    example: 'deploy:{password}@nexus.internal',
    hints: ['@'],
    pattern:
      /(?<![\w/.-])(?!mailto:|[Uu][Ii][Dd]:|acct:|sip:|[\d.-]{1,40}:)(?:[\w.-]{1,40}\/)?[\w.-]{1,40}:["']?([^\s:@/"'`<>]{6,100})["']?@[\w-]{1,63}(?:(?:\.[\w-]{1,63}){1,8}|:(?=[\d/]))/g,
    need: 'password',
  },
  {
    kind: 'aws-secret-access-key',
    source: 'Amazon: the id of a key and its secret, as s3fs and others keep them',
    example: 'AKIAIOSFODNN7EXAMPLE:{token}ab',
    hints: ['akia', 'asia'],
    pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}["']?[\s:,|;"']{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    need: 'token',
  },
  {
    kind: 'password',
    source: 'ftp(1): .netrc',
    example: 'machine api.example.org login ci password {password}',
    hints: ['machine '],
    pattern: /\bmachine\s{1,20}\S{1,100}\s{1,20}login\s{1,20}\S{1,100}\s{1,20}password\s{1,20}(\S{4,200})/g,
    need: 'word',
  },
  {
    // .pgpass: host:port:database:user:password
    kind: 'password',
    source: 'PostgreSQL: .pgpass, any port',
    example: 'db.internal:6000:billing:svc_app:{password}',
    hints: [':'],
    pattern:
      /(?<![\w.*:/-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:([^\s"'`:][^\s"'`]{5,200})(?=$|[\s"'`])/gm,
    need: 'password',
  },
  {
    // The private members of a JSON Web Key.
    kind: 'private-key',
    source: 'RFC 7517: private members',
    example: '{"kty": "OKP", "d": "{token}"}',
    hints: ['"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"\s{0,10}:\s{0,10}"([A-Za-z0-9_-]{20,1000})"/g,
    need: 'token',
  },
  {
    // Logins by host, as Composer keeps them.
    kind: 'token',
    source: 'Composer: auth.json',
    example: '{"github-oauth": {"github.com": "{token}"}}',
    hints: ['oauth', 'token', 'bearer'],
    pattern:
      /"[\w-]{0,40}(?:oauth|token|bearer)s?"\s{0,10}:\s{0,10}\{\s{0,80}"[\w.:-]{1,100}"\s{0,10}:\s{0,10}"([^"\s]{12,400})"/gi,
    need: isCredential,
  },
];
