/** Lines of operating systems and their tools that hold a secret; `templates.ts` says how they are read. */
export const SYSTEMS = `
prompts that ask a second time
  Confirm input: {any}$
  ^Password confirmation: {strong}$
hashcat, John the Ripper: passwords that were guessed
  --show …↵*:{any}:*:*:…:/
  --show …↵*:{any}$
  ^*:{any}↵Session....
  --show …↵*:*↵*:{any}$
rsync: rsyncd.secrets
  rsyncd.secrets…↵*:{any}$
  rsyncd.secrets…↵*:*↵*:{any}$
zfs, cryptsetup: a passphrase from standard input
  echo '{phrase}' | zfs load-key
  printf * '{phrase}' | cryptsetup
  echo -n '{phrase}' | cryptsetup
mainframes: TSO, RACF, FTP steps, VTAM
  logon */{any} proc(
  PHRASE('{phrase}')
  PASSWORD({any}) NOEXPIRED
  INPUT DD *↵*↵{any}$
AutoHotkey, xdotool: keys that a script types
  Send…{Tab}↵SendRaw, {any}
  SendRaw, {any}↵…; password
  SendInput {any}{Enter}
Windows: the command line of an event
  net.exe" user * {any} /add
  net1 user * {any} /add
Vim: the key of an encrypted file
  ^:set key={any}$
cloud-init: chpasswd
  chpasswd:↵…↵list: |↵*:{any}$
  chpasswd:↵list: |↵*:{any}$
  chpasswd:↵…↵list: |↵*:*↵*:{any}$
  chpasswd:↵list: |↵*:*↵*:{any}$
  chpasswd:↵…↵list: |↵*:*↵*:*↵*:{any}$
  chpasswd:↵list: |↵*:*↵*:*↵*:{any}$
auditd: the arguments of a program
  "mysql" …"-p{any}"
  "mysqldump" …"-p{any}"
GRUB: users of its menu
  superusers="*"↵password * {password}$
qpdf, pdftk
  qpdf …--encrypt {any} {any} *
  owner_pw {any}
  user_pw {any}
Android: locksettings
  locksettings set-pin {pin}
  Pin set to '{pin}'
  locksettings set-password {any}
a password typed as the name of a user
  client> *\\r\\0↵…assword:·↵client> {any}\\r
PowerShell: secrets that a command prints or sets
  Invoke("SetPassword", @("{any}"))
  .SetPassword("{any}")
  -AsPlainText↵{any}$
  SecureStringToBSTR(…↵{any}$
  GetNetworkCredential().Password↵{any}$
  Get-LapsADPassword …↵…Password : {any}$
Windows: registry, rasdial, scripts, installers, dumps
  Password REG_BINARY {key}$
  *Password REG_BINARY {key}$
  ValidCommunities↵{any} REG_DWORD
  ValidCommunities↵↵*↵{any} REG_DWORD
  rasdial '…' * {any}$
  SysKey : {key}$
  cur/text: {any}$
  old/text: {any}$
  RunAs("*", *, "{any}"
  RunAsWait("*", *, "{any}"
  .OpenDSObject("*", "*", "{any}"
  .MapNetworkDrive "*", "*", *, "*", "{any}"
  echo *>> *↵echo {any}>> *↵echo binary
  /DECRYPT {any}·
  /DECRYPT {any}$
  LogonUserW(L"*", L"*", L"{any}"
  LogonUser("*", "*", "{any}"
  X509Certificate2(…, "{strong}"
  X509Certificate2(…), "{strong}"
  DirectoryEntry("*", @"*", "{any}"
  DirectoryEntry("*", "*", "{any}"
  (Unknown User):{any}$
  *_PWD property. Its value is '{any}'
  *PASSWORD property. Its value is '{any}'
  echo {any}|runas
  echo {any}| runas
  SetBiosSetting("*,*,{any},ascii
  SaveBiosSettings("{any},ascii
  DiscardBiosSettings("{any},ascii
macOS, iOS: accounts, images, profiles, backups
  kcpassword↵{key}$
  -passwd /Users/* '{any}' '{any}'$
  -passwd /Users/* '{any}'$
  printf * '{any}' | hdiutil
  echo -n '{any}' | hdiutil
  <key>SharedSecret</key>↵<data>{key}</data>
  <key>Password</key>↵<data>{key}</data>
  -setairportnetwork * '…' '{any}'
  backup encryption on '{any}'
  backup encryption off '{any}'
  backup changepw '{any}' '{any}'
  kSecValueData as String: "{any}"
  -setvncpw -vncpw {any}
  -vncpw {any}
Android: adb, preferences, accounts, code
  locksettings set-pin --old {pin} {pin}
  locksettings clear --old {pin}
  connect-network "*" wpa2 "{any}"
  connect-network * wpa3 "{any}"
  adb pair * {pin}
  <string name="refresh">{key}</string>
  <string name="*token">{key}</string>
  <string name="*session*">{key}</string>
  ^*@*|com.*|{any}$
  const-string v0, "{any}"↵invoke-virtual {v0}, Ljava/lang/String;->getBytes
at(1): what a job exports
  ^*KEY={any}; export
  ^*PASS={any}; export
  ^*TOKEN={any}; export
mainframes and old systems: z/VM, IMS, CICS, Top Secret, NonStop, DECnet
  ^USER * {any} *M *M·
  ^MDISK …MR {any} {any} {any}$
  ^link * * * rr {any}$
  ^link * * * mr {any}$
  /SIGN ON * {any}$
  Password . . . {any}$
  Password . . . . {any}$
  TSS REPLACE(*) PASSWORD({any},
  TSS ADDTO(*) PASSWORD({any},
  LOGON *.*,{any}$
  *"* {any}"::
attackers’ tools: what they found
  Success: '*:{any}' '
  -hashes :{key}
  -hashes *:{key}
  gpp-decrypt '*'↵{any}$
  gpp-decrypt '{key}'
  [+] *:{any} (Pwn
  login: * password: {any}$
Windows: the account that logs in by itself
  DefaultPassword REG_SZ {any}$
a password typed as a command
  ^* {strong}↵…typed the password
  ^* {strong}↵…typed my password
x11vnc
  x11vnc …-passwd {any}
htpasswd, with its options apart
  htpasswd -b -c * * {any}
  htpasswd -c -b * * {any}
  htpasswd -b * * {any}
notes: who logs in, and with what
  log in as * with {strong}
  login as * with {strong}
  logging in as * with {strong}
  security answer…as {strong}
  capital *…it's {strong}
  *PW" | xxd -p…↵{key}$
  *PASSWORD" | xxd -p…↵{key}$
links that sign in, keys that are typed into a telephone
  /magic?*={key}&
  /magic?*={key}$
  adb shell input text {pin}
evil-winrm, Vault: a hash, the secret of a role
  evil-winrm …-H {key}
  role_id=* secret_id={key}
  unlocks with {strong}
`;
