/** Lines of mail, chats, games and media that hold a secret; `templates.ts` says how they are read. */
export const MAIL_AND_CHAT = `
Sendmail: authinfo
  "P:{any}" "M:
  "I:*" "P:{any}"
Exim: an authenticator in one string
  client_send = ^*^{any}$
Unity: a licence
  -serial {any} -username
Source engine: the token of a server
  +sv_setsteamaccount {key}
  ^sv_setsteamaccount {key}$
game servers: passwords typed as commands
  issued server command: /login {any}
  issued server command: /register {any} {any}
  issued server command: /changepassword {any} {any}
  \\password\\{any}\\
  ^rcon_password "{any}"
  -supw {any}
WeeChat: secured data
  /secure set * {any}
msmtp, mbsync: a command that prints the password
  passwordeval 'echo {any}'
  PassCmd 'echo {any}'
mail: an app password in the environment
  ^SMTP_PASS={apart}$
  ^*_PASSWORD={apart}$
  ^*_PASS={apart}$
Steam: what takes an authenticator away
  "revocation_code":"R{pin}"
  "revocation_code": "R{pin}"
Baidu Netdisk: what a link opens with
  提取码: {word}
  提取码:{word}
  提取码：{word}
  ?pwd={word}
streaming servers: the last part of an address
  rtmp://*/{key}
  rtmps://*/{key}
Exim, Postfix, Courier, Mailman, Majordomo, swaks: mail
  hide mysql_servers = */*/*/{any}$
  hide pgsql_servers = */*/*/{any}$
  imtest …-w {any}
  smtptest …-w {any}
  swaks …-ap {any}
  --auth-password {any}
  ^smtp.*,* * {any}$
  ['DBI:*', '*', '{any}']
  mmsitepass {any}
  ^approve {any} subscribe
  ^approve {any} unsubscribe
  Password // URL↵…↵*@* {any}$
  mailman/options/…↵*@* {any}$
  reject_rbl_client {key}.
  reject_rhsbl_sender {key}.
  rspamc …-P '{any}'
  passwd.nntp…↵*:*:{any}$
  ^*:*:{any}:authinfo$
IRC: servers, operators, BitlBee, NickServ
  ^C:*:{any}:*:*:*$
  ^N:*:{any}:*::*$
  ^O:*@*:{any}:
  account add * * {strong}$
  > identify {strong}$
  > register {strong}$
continuous integration and code hosts: agents, mail addresses, uploads
  incoming+*-{key}-issue@
  agentAutoRegisterKey="{key}"
  webhookSecret="{key}"
  snyk auth {key}
  codecov.io/bash…-t {key}
  codecov …-t {key}
  keys.properties↵*={key}$
  shodan init {key}
  b2 authorize-account * {key}
  b2 account authorize * {key}
messages and payments: keys of senders and merchants
  -F 'token={key}'
  -F 'user={key}'
  X-Gotify-Key: {any}
  access_token={key}"
  b'{any}', msg,
  sctapi.ftqq.com/{key}.send
  /with/key/{key}
  https://*/hooks/{key}
  TelegramClient('*', *, '{key}'
  WeChatPay('*', '*', *, '{key}'
  Client('{key}', '{key}'
  api.kavenegar.com/v1/{key}/
  *DO-NOT-SHARE-THIS…|_{key}
games, chats, media, torrents: logins of their servers and clients
  +login * {any}·
  +login * {any} {any} +
  ^*:*:*:{any}:https$
  .chpass * {any}$
  ^I=*↵P={any}$
  prosodyctl register * * '{any}'
  ejabberdctl register * * {any}
  Security Key↵{spaced}$
  Recovery Key↵{spaced}$
  [password])↵* {any}$
  [password])↵* *↵* {any}$
  X-Plex-Token={key}
  PLEX_CLAIM=claim-{key}
  transmission-remote …-n '*:{any}'
  ^localclient:{key}:10$
  localclient:*:10↵*:{any}:5$
  localclient:*:10↵*:{any}:10$
  /{key}/announce
  announce.php?passkey={key}
  &p=enc:{key}
  &p={any}&v=
  ?u=*&t={key}&s=
Signal: signal-cli
  signal-cli …verify {any}
notes: what a password was changed from and to
  changed …from {sure} to {sure}
  rotated …from {sure} to {sure}
NickServ, however it is addressed
  NickServ* IDENTIFY {any}$
  *NickServ* IDENTIFY {any}$
  NickServ IDENTIFY * {any}$
SMTP: AUTH PLAIN; Element: the key of a backup
  AUTH PLAIN {any}
  security key …↵{spaced}
  recovery key …↵{spaced}
  Stream key …: {any}$
  Stream key: {any}$
`;
