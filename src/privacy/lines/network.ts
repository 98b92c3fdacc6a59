/** Lines of network devices, tunnels, proxies, time servers and monitoring that hold a secret; `templates.ts` says how they are read. */
export const NETWORK = `
Cisco IOS and NX-OS: NHRP, NTP, SNMP
  ip nhrp authentication {password}
  ntp authentication-key * md5 {any}
  snmp-server user …auth * {any}
  snmp-server user …auth * * priv {any}
  snmp-server user …auth * * priv * * {any}
GPON: the password of a line
  password-auth {pin}
FortiOS, PAN-OS: encrypted with a key that all devices have
  set psksecret ENC {key}
  set password ENC {key}
  set passwd ENC {key}
  pre-shared-key key {key}
OpenWrt: /etc/config/wireless
  ^option key '{password}'$
modems: AT commands
  AT+CGAUTH=*,*,"{any}"
  AT+CGAUTH=*,*,"*","{any}"
  AT+CWJAP="*","{any}"
  AT+CPIN="{pin}"
  AT+CPIN="*","{pin}"
FreeRADIUS: radtest, radclient
  radtest * {any} * * {any}
  radclient …* auth {any}
  radclient …* acct {any}
strongSwan, racoon, hostapd: keys of peers and stations
  secret = 0s{key}
  ^secret = "{phrase}"$
  addresses↵*.*.*.* {strong}$
  USER_FQDN↵*@* {any}$
  ^vlanid=* *:*:*:*:*:* {any}$
  ^00:00:00:00:00:00 {any}$
NetworkManager: what nmcli prints
  nmcli …psk…↵{any}$
openconnect: passwords from standard input
  printf * '{any}' {pin} | sudo openconnect
  printf * '{any}' '{any}' | sudo openconnect
aircrack-ng
  KEY FOUND! [ {any} ]
  Master Key : {octets}↵{octets}
  Transient Key : {octets}↵{octets}
Nagios, Icinga: arguments of a check
  check_command *!*!{password}!
  check_command *!*!{password}$
  check_snmp!-C {any}
  check_snmp …-C {any}
OSSEC, Wazuh: keys of agents
  client.keys↵* * * {key}$
  client.keys↵* * * *↵* * * {key}$
Nagios: resource.cfg, whose names are numbers
  ^$USER*$={password}$
FTP, proxies, tunnels: users of a server
  SQLConnectInfo * * {any}$
  echo '{any}'; echo '{any}') | pure-pw
  BasicAuth * {strong}$
  *:CL:{any}·
  *:CL:{any}$
  ss://{key}@
  vless://{key}@
  trojan://{any}@
  vmess://{key}
  hysteria2://{any}@
  hy2://{any}@
  tuic://*:{any}@
  obfs-password={any}&
  ://*:{any}@:
  AUTHENTICATE "{any}"↵250
  :descriptor:x25519:{key}
  gost …relay+tls://*:{any}@
  vusers.txt↵*↵{any}$
  vusers.txt↵*↵*↵*↵{any}$
  basic_ldap_auth …↵* {any}↵OK
  psk.txt↵*:{key}$
  psk.txt↵*:*↵*:{key}$
  edge …-k {any} -a
NTP, clusters, monitoring: keys of daemons
  ^* * HEX:{key}$
  ^* * ASCII:{any}$
  auth 1↵1 sha1 {any}$
  auth 1↵1 md5 {any}$
  node.session.auth.password -v {any}
  node.session.auth.password_in -v {any}
  discovery.sendtargets.auth.password -v {any}
  ^MONITOR *@* * * {any} secondary
  ^MONITOR *@* * * {any} primary
  ^MONITOR *@* * * {any} master
  ^MONITOR *@* * * {any} slave
  allow *:{strong}$
  auth_file↵*: {any}$
  auth_file↵*: *↵*: {any}$
dial-up: scripts that answer prompts, PPPoE
  ssword: {any}$
  ogin: *↵word: {any}$
  authkey '{pin}' up
  authkey '{any}'$
VPN: vpnc, AnyConnect, Wireshark, NetBird, Headscale, stoken
  IPSec secret {strong}$
  Xauth password {strong}$
  printf '…' '{any}' | /opt/cisco/anyconnect
  ikev2_decryption_table↵*,*,{key},{key},…,{key},{key},
  CLIENT_RANDOM * {key}
  *_TRAFFIC_SECRET * {key}
  *_TRAFFIC_SECRET_0 * {key}
  EXPORTER_SECRET * {key}
  --setup-key {key}
  preauthkeys create …↵{key}$
  stoken import --token {long}
  --authkey {key}
switches, routers, firewalls: lines of a configuration and commands
  "cmd":"enable","input":"{any}"
  create account * * {strong}$
  shared-secret {strong}$
  *PreSharedKey val={any}·
  KeyPassphrase val={any}·
  …KeyPassphrase↵type: string, value: {any}$
  preshare "{any}"
  f5mku -K↵{key}$
  set system user * {any}$
  add system user * {any}$
  -radKey {any}
  test authserver * * * {any}$
  execute backup …* *.*.*.* * {any}$
  "/sys/login/user","data":{"user":"*","passwd":"{any}"
  },"session":"{key}"
  failover key {strong}$
  configure manager add * {any}
  test aaa group * * {any}·
  area-password {strong}$
  domain-password {strong}$
  isis password {strong}
  Preshared Key↵↵default * {any}$
  Preshared Key↵↵default * *↵* {any}$
  set-key ascii {any}
  1812 ascii {any}$
  mgmtuser add * {any}·
  inPassword="{any}"
  ascii-key {strong}$
backups and configuration of devices: Amanda, TSM, BackupPC, RANCID, Oxidized, LibreNMS
  register node * {strong}·
  update node * {strong}·
  $Conf{RsyncdPasswd} = '{any}'
  $Conf{ArchivePasswd} = '{any}'
  add password * {{any}}
  add password * * {{any}}
  add password * {*} {{any}}
  router.db …↵*:*:*:{any}:
  ^*:ios:*:{strong}:{strong}$
  ^*:ios:*:{strong}:$
  ^*:junos:*:{strong}:
  ^*:eos:*:{strong}:
  ^*:nxos:*:{strong}:
  addhost.php * {any} v
  pki ticket …↵{key}$
monitoring and logs: exporters, webhooks, Splunk, rsyslog, Snort
  DATA_SOURCE_NAME=*:{any}@(
  DATA_SOURCE_NAME: *:{any}@(
  alert.victorops.com/…/alert/{key}/
  edit user …-auth *:'{any}'
  splunk …-password '{any}'
  splunk …-auth *:{any}$
  ^pass4SymmKey = {any}$
  :ommysql:*,*,*,{any}$
  loggly.com/inputs/{key}/
  loggly.com/bulk/{key}/
  x-honeycomb-team={key},
  x-honeycomb-team: {key}
  *snapshot.tar.gz|{key}$
  oinkcode={key}
  /rules/*?oinkcode={key}
  agent-auth …-P '{any}'
pppd: chap-secrets, below its heading
  secret IP addresses↵* * {any} *
notes about a network
  SSID: …↵Key: {any}$
  SSID: …↵Pass: {any}$
  SSID: …↵PSK: {any}$
  Network: …↵Key: {strong}$
  auth_pass {any}$
WireGuard: what it prints for machines
  wg show * dump↵{key}·
SNMP: where traps go
  snmp-server host * version 2c {any}
  snmp-server host * version 1 {any}
  *.psk…↵# {key}$
Zabbix: the file of a key
  *.psk…↵{key}$
`;
