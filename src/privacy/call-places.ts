import { isGivenInQuotes } from './given-values.ts';
import { isAnnouncedPassword, isPassword, isPositional, isStrongPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, isStandIn, looksRandom } from './secret-values.ts';
import { isPhraseChain } from './spaced-values.ts';

// Between the fields of a frame: zero bytes, or lines, as they are or escaped.
const ZERO = '(?:\\\\(?:0{1,3}|x00|u0000)|\\x00)';
const BREAK = '(?:\\\\r\\\\n|\\r?\\n)';

/** Places where library calls, and tools for keys and secret stores, put a credential. */
export const CALL_PLACES: readonly Place[] = [
  {
    kind: 'token',
    source: 'Twilio: an account and its token',
    example: "const client = twilio('AC00112233445566778899aabbccddeeff', '{hex}');",
    hints: ['ac'],
    pattern: /\b(?:AC|SK)[0-9a-f]{32}["']?[ ]{0,4}[:,][ ]{0,4}["']?([0-9a-f]{32}|[A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    accepts: (value) => !isStandIn(value),
  },
  {
    kind: 'password',
    source: 'calls that hash, check or fill in a password: PHP, bcrypt, argon2, forms',
    example: "$hash = password_hash('{password}', PASSWORD_BCRYPT);",
    hints: ['password_', 'bcrypt', 'argon2', 'hashpw', 'pass', 'pwd', 'pw'],
    pattern:
      /\b(?:password_(?:hash|verify)|bcrypt\.(?:hash|compare)(?:sync)?|hashpw|argon2\.(?:hash|verify))\(\s{0,10}b?["']([^"'\n$]{4,200})["']|["'][#.]?(?:\w{0,20}_)?(?:pass|password|passwd|pwd?)["']\s{0,4}[)\]]{1,3}\.(?:value\s{0,4}=\s{0,4}|val\(|type\(|send_?keys\(|fill\(|set\()["']([^"'\n]{4,200})["']|\b(?:fill|fill_?in|type|set_?value|send_?keys|input_?text|enter_?text)\(?\s{0,10}["'][^"'\n]{0,60}(?:pass(?:word|wd)?|pwd?)["']?\]?["'],\s{0,10}(?:with:\s{0,10})?["']([^"'\n]{4,200})["']/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'libcurl: a user and a password; Redis: auth(); JSON Web Tokens: the secret that signs; ssh-keygen -N',
    example: 'curl_easy_setopt(h, CURLOPT_USERPWD, "joe:{password}");',
    hints: ['userpwd', 'auth(', 'jwt.', 'ssh-keygen'],
    pattern:
      /\bCURLOPT_(?:PROXY)?USERPWD\s{0,4},\s{0,4}["'][^:"'\n]{1,80}:([^"'\n]{6,100})["']|\bred(?:is)?\w{0,20}[.:]auth\(\s{0,4}["']([^"'\n]{6,100})["']|\bjwt\.(?:sign|verify)\((?:[^()"'\n]|["'][^"'\n]{0,80}["']){1,200}?,\s{0,4}["']([^"'\n]{8,200})["'][,)]|\bssh-keygen[ ][^\n|;&]{0,200}?-N[ ]["']([^"'\n]{6,100})["']/gi,
    accepts: isGivenInQuotes,
  },
  {
    kind: 'password',
    source: 'frames of protocols: fields that end in zero bytes, Redis AUTH',
    example: 'user\\0joe\\0pass\\0{password}\\0',
    hints: ['\\0', '\\x00', '\\u0000', '\0', 'auth', 'hello'],
    pattern: new RegExp(
      `(?:(?:pass|pwd|secret|token)\\w{0,10}${ZERO}|\\b(?:AUTH|HELLO${BREAK}\\$1${BREAK}3${BREAK}\\$4${BREAK}AUTH)${BREAK}(?:\\$\\d{1,3}${BREAK}[\\w.@-]{1,60}${BREAK})?\\$\\d{1,3}${BREAK})([^\\s"'\\\\\\x00]{4,200})(?=${ZERO}|${BREAK}|["']|$)`,
      'gi',
    ),
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'lists of a host, a user and a password: Lisp, tuples, commands that save a login',
    example: '(("mail.acme.org" 587 "joe" "{password}"))',
    hints: ['"', "'", ':'],
    pattern:
      /(?:[([{]\s{0,4}["'](?:[\w-]{1,40}\.){1,6}[\w-]{1,40}["'][\s,.]{1,4}(?:["']?\d{2,5}["']?[\s,.]{1,4})?["'][\w.@\\-]{2,60}["'][\s,.]{1,4}(?=["'])|\b(?:set|add|store|save|login|connect|register|create)\b[^\n]{0,60}?[ ][\w.-]{2,80}:\d{2,5}(?:@\w{1,40})?[ ]["']?[\w.@\\-]{2,60}["']?[ ])["']?([^\s"'-][^\s"']{5,100})(?=["'\s]|$)/gi,
    accepts: isPositional,
  },
  {
    kind: 'password',
    source: 'fields of a user and a password behind what they are: OPC UA',
    example: 'UserIdentity=UserName;joe;{password}',
    hints: ['user', 'login', 'basic', 'cred', 'account', 'identity'],
    pattern:
      /[=:][ ]?["']?(?:user_?(?:name|pass)?|login|account|basic|cred(?:ential)?s?|identity)(?:;[\w.@\\-]{2,60};|\|[\w.@\\-]{2,60}\||,[\w.@\\-]{2,60},)([^\s"';|,]{6,100})(?=["';|,\s]|$)/gi,
    accepts: isPositional,
  },
  {
    kind: 'key',
    source: 'keys of 16 and 32 bytes: Consul, Serf, Nomad, Elixir; a file of one',
    example: '$ cat config/master.key\n{token}',
    hints: ['=', 'key', 'secret', 'vault', 'cookie'],
    pattern:
      /(?:(?<![\w.-])(?:[\w.-]{0,30}[_.-])?(?:(?:en|de)crypt(?:ion)?|gossip|cluster|erlang|cookie|master|fernet|cipher|keyring|seal|secret)(?:[_.-]?(?:key|cookie|secret|keyring|bytes|base64|b64))?["']?(?:[ ]{0,20}(?:=>|[:=])[ ]{0,4}|[ ]|\(b?)["']?(?=[\w+/-]{22}==(?:["'\s]|$)|[\w+/-]{43}=(?:["'\s]|$))|^(?![^\n]{0,200}(?:sha|md5|sum|dgst|hash|finger|commit|pub\b|public|\b(?:git|ls|rm|cp|mv|touch|chmod|stat)\b|foreign|primary|\.(?:enc|gpg|age|asc|sops|sealed)\b))[^\n]{0,120}(?:[./_-](?:key|secret|keyfile)|secret[\w-]{0,20}\.txt|vault[_-]pass\w{0,6}(?:\.txt)?|\.cookie)(?:[ ]?;[ ]?echo)?[ ]?[:<]{0,2}(?:[ ]?["']?[A-Z]\w{0,20})?["']?(?:[ ]<==)?\r?\n(?=[!-~]{8,100}[ \t]{0,4}(?:\r?\n|$)))([!-~]{8,100}?)(?=["'\s)]|$)/gim,
    accepts: (value) =>
      ((looksRandom(value) && !isPlace(value)) ||
        isStrongPassword(value) ||
        isPhraseChain(value) ||
        /^(?:[0-9a-f]{32,64}|[A-Z]{20})$/u.test(value)) &&
      !/^[0-9a-f]{40}$|:\/\//u.test(value),
  },
  {
    kind: 'password',
    source: 'Java: a password as characters',
    example: 'keys.load(in, "{password}".toCharArray());',
    hints: ['tochararray'],
    pattern: /"([^"\n]{6,200})"\.toCharArray\(\)/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'calls that send a line where a password is asked for, or type one into a device: Expect, adb, xdotool',
    example: '$exp->send("{password}\\n") if $exp->match =~ /assword/;',
    hints: ['assword'],
    pattern:
      /(?:->|\.)send(?:line)?\(["']([^"'\\\n]{4,200})(?:\\[rn])?["']\)(?=[^\n]{0,80}assword)|assword[^\n]{0,60}\n[^\n]{0,40}\b(?:input[ ]text|xdotool[ ]type)[ ]{1,4}["']?([^\s"']{4,200})/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'JMX: the password file; erl -setcookie, keytool -srcstorepass',
    example: 'monitorRole {password}',
    hints: ['monitorrole', 'controlrole', '-setcookie', 'storepass', 'keypass'],
    pattern:
      /^(?:monitorRole|controlRole)[ \t]+(?!read(?:only|write)\b)(\S{4,200})[ \t]*$|[ ]-(?:setcookie|(?:src|dest)(?:store|key)pass)[ ]{1,4}["']?([^\s"'$][^\s"']{3,200})/gm,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'stores of keys and values: a key that is called after a password',
    example: 'consul kv put app/db/password {password}',
    hints: [' put '],
    pattern:
      /\b(?:consul[ ]kv|etcdctl|zkcli|riak)[ ]put[ ]+["']?[\w./-]{0,200}(?:password|passwd|secret|token)["']?[ ]{1,4}["']?([^\s"'@$-][^\s"']{3,200})/gi,
    accepts: isPassword,
  },
];
