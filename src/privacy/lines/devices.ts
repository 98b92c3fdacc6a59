/** Lines of telephones, cameras, printers, meters, homes and machines that hold a secret; `templates.ts` says how they are read. */
export const DEVICES = `
RFC 4568, RFC 8839: keys of calls
  a=crypto:* * inline:{key}
  a=ice-pwd:{key}
Asterisk, FreeSWITCH, Grandstream: SIP
  register => *:{any}@
  ^auth {any}↵↵Content-Type: command/reply
  ^P2 = {any}$
  ^P34 = {any}$
mobile networks: keys of subscribers
  open5gs-dbctl add * {key} {key}
  ^*,mil,*,{key},opc,{key},
  ^*,mil,*,{key},op,{key},
printers: PJL
  @PJL JOB PASSWORD = {pin}
  @PJL DEFAULT PASSWORD = {pin}
Z-Wave: keys of a network
  S2_AccessControl: "{key}"
  S2_Authenticated: "{key}"
  S2_Unauthenticated: "{key}"
  S0_Legacy: "{key}"
Matter: chip-tool
  chip-tool pairing ble-wifi * * {any} {pin}
  chip-tool pairing code * {any}
  chip-tool pairing onnetwork * {pin}
Tasmota
  Backlog …Password1 {any};
  MqttPassword {any}$
  MqttPassword {any};
FreeSWITCH: fs_cli
  fs_cli …-p {any}
Asterisk: voicemail.conf
  ^* => {pin},…,…@
Tuya: the key of a device
  "key": "{key}", "ip"
  "local_key": "{key}"
TeamViewer, AnyDesk, RustDesk: what a visitor types
  TeamViewer …Pass* {any}
  TeamViewer …Kennwort {any}
  AnyDesk …Pass* {any}
  RustDesk …Pass* {any}
  AnyDesk …pw {any}
  TeamViewer …pw {any}
trackers, conferences: passwords in messages and dialling
  : begin{pin}$
  : begin{pin}↵
  ^password{pin} {pin}
  ,,*#,,,,\\*{pin}#
  ##*##{pin}
  @zoomcrc.com…(Meeting
  *.{pin}@zoomcrc.com
  * {any} getparam·
  * {any} setparam·
storage and virtual machines: arrays, NAS, QEMU, VMware, VirtualBox, Packer, BMCs
  createuser -c {any}·
  initchap -f {any}·
  targetchap -f {any}·
  API Token Created Expires↵* {key}·
  --setpw * '{any}'
  --enc_mount * '{any}'
  secret-set-value * {key}
  -object secret,id=*,data={any}·
  -gp '{any}'
  -gp {any}·
  --vrde-property VNCPassword={any}
  "*<enter><wait>",↵"{any}<enter>
  "*<enter>",↵"{any}<enter>
  SMCIPMITool * * {any}·
telephony: dial plans, conferences, agents, phones
  Authenticate({pin})
  DISA({pin},
  ^conf => *,{pin}$
  ^conf => *,{pin},
  ^conf => *,*,{pin}$
  ^agent => *,{pin},
  kamctl add * {any}
  kamctl passwd * {any}
  SET PROCPSWD {pin}
  SET ADMIN_PASSWORD {any}
cameras, lights, locks, meters, home and industrial networks
  netcam_userpass *:{any}$
  stream_authentication *:{any}$
  /api/{key}/lights
  /api/{key}/groups
  /api/{key}/config
  coap-client …-k '{any}'
  "9091":"{any}"
  /settings/sta?…&key={any}&
  dataset networkkey↵{key}$
  dataset pskc↵{key}$
  dataset networkkey {key}
  "AuthorizationKey","value":"{key}"
  bacdcc * * * {any}$
  wmbusmeters …{key}$
  add_route_to_plc("*", "*", "*", "*", "{any}"
  Password="{key}" Authentication="{key}"
  ^C: * * * {strong}$
  ^N: * * * {strong} 01 02
  ^F: * {strong} 1·
  /list?token={any}
  /lockAction?…&token={any}
  /lockState?…&token={any}
Zoom: what a meeting opens with
  meeting ID …passcode {any}
  Meeting ID: …↵Passcode: {any}$
  Zoom…passcode {any}
  Zoom…passcode: {any}
Philips Hue: what a bridge answers
  "username":"{key}","clientkey":"{key}"
routers: what their labels say
  FRITZ!Box-Kennwort: {any}$
  *schlüssel (WPA2): {quads}
  *schlüssel: {quads}
  Network Key: {quads}
  WPA2 key: {quads}
tables of codes in notes
  | …keypad …| {pin}
  | …alarm …PIN | {pin}
  | …alarm …code | {pin}
  | …lock code | {pin}
`;
