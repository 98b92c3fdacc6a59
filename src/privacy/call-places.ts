import type { Place } from './place.ts';
import { isStandIn } from './stand-ins.ts';
import { isSecret } from './values.ts';

/** Library calls and SQL, and tools for keys. */
export const CALL_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'calls that hash, check or fill in a password: PHP, bcrypt, argon2, forms',
    example: "$hash = password_hash('{password}', PASSWORD_BCRYPT);",
    hints: ['password_', 'bcrypt', 'argon2', 'hashpw', 'pass', 'pwd', 'pw'],
    pattern:
      /\b(?:password_(?:hash|verify)|bcrypt\.(?:hash|compare)(?:sync)?|hashpw|argon2\.(?:hash|verify))\(\s{0,10}b?["']([^"'\n$]{4,200})["']|["'][#.]?(?:\w{0,20}_)?(?:pass|password|passwd|pwd?)["']\s{0,4}[)\]]{1,3}\.(?:value\s{0,4}=\s{0,4}|val\(|type\(|send_?keys\(|fill\(|set\()["']([^"'\n]{4,200})["']|\b(?:fill|fill_?in|type|set_?value|send_?keys|input_?text|enter_?text)\(?\s{0,10}["'][^"'\n]{0,60}(?:pass(?:word|wd)?|pwd?)["']?\]?["'],\s{0,10}(?:with:\s{0,10})?["']([^"'\n]{4,200})["']/gi,
    need: 'word',
  },
  {
    kind: 'password',
    source: 'libcurl: a user and a password; Redis: auth(); JSON Web Tokens: the secret that signs; ssh-keygen -N',
    example: 'curl_easy_setopt(h, CURLOPT_USERPWD, "joe:{password}");',
    hints: ['userpwd', 'auth(', 'jwt.', 'ssh-keygen'],
    pattern:
      /\bCURLOPT_(?:PROXY)?USERPWD\s{0,4},\s{0,4}["'][^:"'\n]{1,80}:([^"'\n]{6,100})["']|\bred(?:is)?\w{0,20}[.:]auth\(\s{0,4}["']([^"'\n]{6,100})["']|\bjwt\.(?:sign|verify)\((?:[^()"'\n]|["'][^"'\n]{0,80}["']){1,200}?,\s{0,4}["']([^"'\n]{8,200})["'][,)]|\bssh-keygen[ ][^\n|;&]{0,200}?-N[ ]["']([^"'\n]{6,100})["']/gi,
    need: 'word',
  },
  {
    kind: 'password',
    source: 'Java: a password as characters',
    example: 'keys.load(in, "{password}".toCharArray());',
    hints: ['tochararray'],
    pattern: /"([^"\n]{6,200})"\.toCharArray\(\)/g,
    need: 'password',
  },
  {
    kind: 'password',
    source: 'SQL: IDENTIFIED BY, WITH PASSWORD',
    example: "CREATE USER app WITH PASSWORD '{password}';",
    hints: ['password', 'identified'],
    pattern:
      /(?<![-\w])(?:identified(?:[ ]+with[ ]+\w{1,40})?[ ]+by|with[ ]+(?:login[ ]+)?(?:encrypted[ ]+)?password|encrypted[ ]+password|set[ ]+password[ ]{0,4}(?:for[ ][^\n=;]{1,200})?=(?=[ '])(?:[ ]{0,4}password(?=\())?|password)(?:[ ]{0,8}(?<=[ =])|\()(?:N?'|")([^'"\n]{4,200})['"]/gi,
    need: 'word',
  },
  {
    kind: 'token',
    source: 'Twilio: an account and its token',
    example: "const client = twilio('AC00112233445566778899aabbccddeeff', '{hex}');",
    hints: ['ac'],
    pattern: /\b(?:AC|SK)[0-9a-f]{32}["']?[ ]{0,4}[:,][ ]{0,4}["']?([0-9a-f]{32}|[A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    need: (value) => !isStandIn(value),
  },
  {
    kind: 'key',
    source: 'keys of 16 and 32 bytes: Consul, Serf, Nomad, Elixir; a file of one',
    example: '$ cat config/master.key\n{token}',
    hints: ['=', 'key', 'secret', 'vault', 'cookie'],
    pattern:
      /(?:(?<![\w.-])(?:[\w.-]{0,30}[_.-])?(?:(?:en|de)crypt(?:ion)?|gossip|cluster|erlang|cookie|master|fernet|cipher|keyring|seal|secret)(?:[_.-]?(?:key|cookie|secret|keyring|bytes|base64|b64))?["']?(?:[ ]{0,20}(?:=>|[:=])[ ]{0,4}|[ ]|\(b?)["']?(?=[\w+/-]{22}==(?:["'\s]|$)|[\w+/-]{43}=(?:["'\s]|$))|^(?![^\n]{0,200}(?:sha|md5|sum|dgst|hash|finger|commit|pub\b|public|\b(?:git|ls|rm|cp|mv|touch|chmod|stat)\b|foreign|primary|\.(?:enc|gpg|age|asc|sops|sealed)\b))[^\n]{0,120}(?:[./_-](?:key|secret|keyfile)|secret[\w-]{0,20}\.txt|vault[_-]pass\w{0,6}(?:\.txt)?|\.cookie)(?:[ ]?;[ ]?echo)?[ ]?[:<]{0,2}(?:[ ]?["']?[A-Z]\w{0,20})?["']?(?:[ ]<==)?\r?\n(?=[!-~]{8,100}[ \t]{0,4}(?:\r?\n|$)))([!-~]{8,100}?)(?=["'\s)]|$)/gim,
    need: (value) =>
      (isSecret(value, 'token') || isSecret(value, 'password') || /^(?:[0-9a-f]{32,64}|[A-Z]{20})$/u.test(value)) &&
      !/^[0-9a-f]{40}$|:\/\//u.test(value),
  },
  {
    kind: 'password',
    source: 'expect(1) and its likes, browser tests: what answers a prompt for a password',
    example: 'child.expect("assword:")\nchild.sendline("{password}")',
    hints: ['assw', 'passphrase', 'pwd'],
    pattern:
      /(?:assw(?:or)?d|passphrase|\bpwd)\b[^\n]{0,80}(?:\n[^\n]{0,60}){0,2}?\b(?:send_?\w{0,10}|type|type_?\w{0,10}|fill|fill_?in|press_?sequentially|set_?\w{0,10}|enter_?text|input|write|read|key_?in|paste|put)(?:\(|[ ])\s{0,10}(?:\d{1,3},[ ])?["'`]([^\s"'`]{6,200}?)(?:\{enter\}|\\[rn]){0,2}["'`]/gi,
    need: 'password',
  },
];
