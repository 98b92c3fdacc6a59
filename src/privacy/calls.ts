import { type Finding, matchesOf } from './findings.ts';
import { looksRandom } from './randomness.ts';
import { isSecret } from './values.ts';

// Names of calls that take a login. Those of the first group take nothing else; the others also take files and titles,
// so two values must precede the password.
const LOGINS =
  'log_?[io]n|sign_?in|auth(?:enticat\\w{1,4}|entication)?|connect|connection|get_?connection|(?:set|change|update|reset)_?\\w{0,12}password|credentials?|credentials?impl|mysqli|simple_bind(?:_s)?|basic(?:_?auth)?|username_pw_set|gmail|(?:my|postgre)sql_password|wifi(?:multi)?\\.(?:begin|addAP)|as[A-Z]?user';
const OTHERS =
  'pdo|sequelize|new_?instance|client|open|ftp(?:_tls)?|create_?(?:super_?)?user|add_?user|set_?user|account|ldap_bind|database|session|smtp\\w{0,8}|imap\\w{0,8}';
const CALL = new RegExp(
  `\\b[\\w$]{0,30}?(?:(${LOGINS})(?:_?(?:password|user|with\\w{1,20}))?|${OTHERS})(?:\\]?::new|!)?(?:\\s{0,4}=\\s{0,4})?(?:\\(\\s{0,40}|[ ]{1,4}(?=["']))`,
  'gi',
);
const ARGUMENT =
  /(\w{1,30}\s{0,4}[=:]\s{0,4})?(?:[\w.]{1,30}\(|[bN@&])?(["'])((?:(?!\2)[^\\\r\n]|\\[^\r\n]){0,300})\2\)?|[^"'(),;\n]{1,120}(?:\([^()"'\n]{0,120}\))?/y;
const COMMA = /[ \t]{0,4}(?:\.\.\.)?,\s{0,80}/y;
/** Calls whose second value, or third, can only be a password, and those that take titles and names as well. */
const SECOND = /db\.auth|wifi|simple_bind|basic|username_pw|(?:smtp|imap|ftp|mail|server)\w{0,8}\.login/iu;
const THIRD = /mysqli/iu;
const NAMED = /^(?:log_?in|sign_?in|auth(?:enticate)?)\(/iu;
const MOST = 8;

/** Finds the password among the values of a call that logs in or connects: `connect("db", "svc", "...")`. */
export function findInCalls(text: string): Finding[] {
  return matchesOf(text, CALL).flatMap((match) => {
    const least = match[1] === undefined ? 2 : 1;
    const name = text.slice(Math.max(0, match.index - 12), match.index) + match[0];
    const isOnly = (index: number, value: string) =>
      index === (THIRD.test(match[0]) ? 2 : 1) &&
      (THIRD.test(match[0]) || SECOND.test(name) ? isSecret(value, 'word') : NAMED.test(match[0]) && isLiteral(value));
    const found: Finding[] = [];
    let at = match.index + match[0].length;
    for (let index = 0; index < MOST; index++) {
      ARGUMENT.lastIndex = at;
      const argument = ARGUMENT.exec(text);
      if (!argument) break;
      const value = argument[1] === undefined ? argument[3] : undefined;
      const isFound = (one: string) =>
        found.length > 0 ? one.length >= 20 && looksRandom(one) : isArgument(one, least) || isOnly(index, one);
      if (value !== undefined && index >= least && isFound(value)) {
        const start = at + argument[0].lastIndexOf(value);
        found.push({ start, end: start + value.length, kind: 'password' });
      }
      COMMA.lastIndex = ARGUMENT.lastIndex;
      if (!COMMA.test(text)) break;
      at = COMMA.lastIndex;
    }
    return found;
  });
}

/** Words joined by a mark, but not a host. */
function isLiteral(value: string): boolean {
  return isSecret(value, 'words') && !/^[\w-]+(?:\.[\w-]+)+$/u.test(value);
}

/** Such calls also take hosts, connection strings and names with a number: `replica-39`. */
function isArgument(value: string, least: number): boolean {
  if (value.length < 6 || /\s|^[a-z]{2,20}-\d{1,3}$/u.test(value) || !isSecret(value, 'password')) return false;
  if (isSecret(value, 'sure')) return true;
  return (
    (least === 1 || !/^\w+$/u.test(value)) &&
    !/^(?:[a-z_]{2,20}|[A-Z_]{2,20})[=:].|^[\w-]+(?:\.[\w-]+){0,5}\.[a-z]{2,12}(?::\d{1,5})?$/u.test(value)
  );
}
