import { NAMED_DIGEST } from './named-values.ts';
import { isHash, isPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { isCode, isPlace, isStandIn, looksChosen, looksRandom } from './secret-values.ts';

// Schemes that only name a service with a login; their passwords may contain a bare / or @.
const LOGIN_SCHEMES =
  '(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|amqps?|smtps?|ldaps?|imaps?|ftps?|sftp|mqtts?|nats|kafka|clickhouse|cockroachdb|mssql|sqlserver|oracle|couchdb|neo4j|bolt|cassandra|influxdb|snowflake|redshift)(?:[+:][a-z0-9+]{1,20}){0,2}';

/** Places in addresses and in the headers of requests. */
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
    accepts: isPassword,
  },
  {
    kind: 'url-password',
    source: 'RFC 3986: user information',
    example: 'https://deploy:{password}@git.internal/acme/app.git',
    hints: ['://'],
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"'`<>]{0,100}:([^\s/"'`<>]{1,300}?)@(?=[\w[])(?![^\s/"'`<>?]{0,200}@)/gi,
    accepts: isPassword,
  },
  {
    // A token instead of the user name, as in a clone URL. Pages show the key of a Sentry DSN to everybody.
    kind: 'url-token',
    source: 'git: clone addresses',
    example: 'https://{token}@git.internal/acme/app.git',
    hints: ['://'],
    pattern: /\bhttps?:\/\/([^\s:/?#@"'`<>]{20,300})(?::x-oauth-basic)?@(?=[\w[])(?![\w.-]{0,60}sentry)/gi,
    accepts: looksRandom,
  },
  {
    // The data source name of Go's MySQL driver.
    kind: 'url-password',
    source: 'Go: data source names of go-sql-driver/mysql',
    example: 'app:{password}@tcp(db.internal:3306)/billing',
    hints: ['@tcp(', '@unix('],
    pattern: /\b[\w.-]{1,60}:([^\s"'`<>@]{4,100})@(?:tcp|unix)\(/g,
    accepts: isPassword,
  },
  {
    kind: 'bearer-token',
    source: 'RFC 6750 and the schemes of other APIs',
    example: 'Authorization: SSWS {token}',
    hints: ['bearer', 'token', 'apikey', 'api-key', 'ssws', 'splunk', 'key'],
    pattern:
      /(?<!websocket-)\b(?:bearer|token|apikey|api-key|ssws|splunk|genie-?key|key)[ ]{1,4}([A-Za-z0-9._~+/|:-]{16,4000}={0,2})/gi,
    accepts: (value) =>
      looksRandom(value) &&
      !isStandIn(value) &&
      !NAMED_DIGEST.test(value) &&
      !isPlace(value) &&
      (value.length >= 24 || /[A-Z]/u.test(value)) &&
      !isHash(value),
  },
  {
    kind: 'bearer-token',
    source: 'RFC 6750',
    example: 'curl -H "Authorization: Bearer {token}" https://api.internal',
    hints: ['bearer'],
    pattern: /\bbearer[ ]{1,4}([A-Za-z0-9._~+/|:-]{8,4000}={0,2})/gi,
    accepts: (value) => !isStandIn(value) && (looksRandom(value) || looksChosen(value)),
  },
  {
    kind: 'authorization',
    source: 'RFC 9110: Authorization; Jenkins: crumbs',
    example: 'authorization: Token {token}',
    hints: ['authorization', '-crumb'],
    pattern:
      /(?:authorization|-crumb)["']?\]?\s{0,4}[:=]\s{0,4}["']?(?:[a-z][a-z0-9-]{1,20}[ ]{1,4})?([^\s"'`,;<>]{8,4000})/gi,
    accepts: (value) => !isStandIn(value) && !isCode(value) && (looksRandom(value) || looksChosen(value)),
  },
  {
    kind: 'basic-auth',
    source: 'RFC 7617',
    example: 'Authorization: Basic {basic}',
    hints: ['basic'],
    pattern: /\bbasic[ ]{1,4}([A-Za-z0-9+/_-]{8,1000}={0,2})/gi,
    accepts: (value) =>
      /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,200}$/u.test(Buffer.from(value, 'base64').toString('latin1')),
  },
];
