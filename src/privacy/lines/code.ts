/** Lines of code that hold a secret; `templates.ts` says how they are read. */
export const CODE = `
calls that open a connection: Perl DBI, ADO, R
  DBI->connect("*", '*', '{any}'
  .Open "…", "*", "{any}"
  .Unprotect "{any}"
  .Protect "{any}"
  key_get(*, *)↵[1] "{any}"
gdb, lldb: a structure with a login
  pass = 0x* "{any}"
  password = 0x* "{any}"
  passwd = 0x* "{any}"
Phoenix: salts
  signing_salt: "{any}"
  encryption_salt: "{any}"
formats of addresses, and what fills them in
  %s:%s@…", "*", "{phrase}"
  %v:%v@…", "*", "{phrase}"
  {}:{}@….format("*", "{phrase}"
  %s:%s@…" % ("*", "{phrase}"
code: calls that sign, encrypt or log in
  SignedString([]byte("{any}"))
  Credentials::new("*".to_string(), "{any}".to_string())
  PasswordAuthentication("*", "{any}"
  credentials('*', '*', '*' => '{any}')
  createHmac('*', '{any}')
  AES.decrypt(*, "{phrase}")
  AES.encrypt(*, "{phrase}")
  :basic-auth ["*" "{any}"]
  applyBasicAuth "*" "{any}"
  :basic-authorization '("*" "{any}")
  su -c '…' * <<< '{any}'
  "Argument.value">{any}</stringProp>
  [BasicAuth]↵*: {any}$
  Authorization: Basic * {any}$
settings of ASP.NET: the key of its tokens
  "Jwt": {…"Key": "{any}"
  "Jwt": {↵…↵"Key": "{any}"
scripts that type, debuggers, macros of Zabbix
  Send, {any}{Enter}
  password↵$* = 0x* "{any}"
  passwd↵$* = 0x* "{any}"
  password↵$* = "{any}"
  *PASSWORD}", "{any}"
  *PASS}", "{any}"
  *SECRET}", "{any}"
Erlang, Consul, Elasticsearch
  -setcookie {any}
  tokens { agent = "{key}"
  tokens {↵agent = "{key}"
  initial_management = "{key}"
  enrollment token …↵{key}
WordPress: an application password; RabbitMQ: its cookie; cards
  curl …-u '*:{six}'
  curl …--user '*:{six}'
  *ERLANG_COOKIE='{any}'
  card {pan} exp
  card {pan}…cvv
  card {pan}…CVC
keys and codes in calls
  {noformat}{strong}{noformat}
  TOTP("{any}")
  Key = Convert.FromBase64String("{key}"
  iex …--cookie {any}
  erl …-setcookie {any}
`;
