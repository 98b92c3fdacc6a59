import { isAnnouncedPassword, isPassword } from './password-values.ts';
import type { Place } from './places.ts';

/** Places where library calls, and tools for keys and secret stores, put a credential. */
export const CALL_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'calls that hash or check a password: PHP, bcrypt, argon2',
    example: "$hash = password_hash('{password}', PASSWORD_BCRYPT);",
    hints: ['password_', 'bcrypt', 'argon2', 'hashpw'],
    pattern:
      /\b(?:password_(?:hash|verify)|bcrypt\.(?:hash|compare)(?:sync)?|hashpw|argon2\.(?:hash|verify))\(\s{0,10}b?["']([^"'\n$]{4,200})["']/gi,
    accepts: isPassword,
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
    source: 'forms that a program fills in: a field that is called after a password',
    example: "form.field_with(name: 'pass').value = '{password}'",
    hints: ['pass', 'pwd'],
    pattern:
      /["'](?:\w{0,20}_)?(?:pass|password|passwd|pwd)["']\s{0,4}[)\]]{1,3}\.(?:value\s{0,4}=\s{0,4}|val\(|fill\(|set\()["']([^"'\n]{4,200})["']/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'calls that send a line where a password is asked for: Expect.pm, pexpect',
    example: '$exp->send("{password}\\n") if $exp->match =~ /assword/;',
    hints: ['assword'],
    pattern: /(?:->|\.)send(?:line)?\(["']([^"'\\\n]{4,200})(?:\\[rn])?["']\)(?=[^\n]{0,80}assword)/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'a word typed into a device where the line before says that it is a password: adb, xdotool',
    example: "# type the password\nadb shell input text '{password}'",
    hints: ['assword'],
    pattern: /assword[^\n]{0,60}\n[^\n]{0,40}\b(?:input[ ]text|xdotool[ ]type)[ ]{1,4}["']?([^\s"']{4,200})/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'JMX: the password file of remote management',
    example: 'monitorRole {password}',
    hints: ['monitorrole', 'controlrole'],
    pattern: /^(?:monitorRole|controlRole)[ \t]+(?!read(?:only|write)\b)(\S{4,200})[ \t]*$/gm,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'keys and cookies of tools: erl -setcookie, keytool -srcstorepass',
    example: 'keytool -importkeystore -srckeystore a.p12 -srcstorepass {password}',
    hints: ['-setcookie', 'storepass', 'keypass'],
    pattern: /[ ]-(?:setcookie|(?:src|dest)(?:store|key)pass)[ ]{1,4}["']?([^\s"'$][^\s"']{3,200})/g,
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
  {
    kind: 'password',
    source: 'a pepper for hashes, in source code',
    example: 'PEPPER = b"{password}"',
    hints: ['pepper'],
    pattern: /\b(?:\w{0,30}_)?pepper\s{0,4}[:=]\s{0,4}[bB]?["']([^"'\n]{6,200})["']/gi,
    accepts: isAnnouncedPassword,
  },
];
