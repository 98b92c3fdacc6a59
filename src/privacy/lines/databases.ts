/** Lines of databases, directories and business software that hold a secret; `templates.ts` says how they are read. */
export const DATABASES = `
ClickHouse: remote()
  remote('*', *, '*', '{any}')
  remoteSecure('*', *, '*', '{any}')
SAP HANA: hdbuserstore
  hdbuserstore …set * * * {any}
OpenLDAP, Active Directory
  unicodePwd:: {key}
  bindmethod=simple…credentials="{any}"
  ^rootpw {password}$
Oracle E-Business Suite: FNDCPASS
  FNDCPASS */{any}·
  FNDCPASS */* 0 Y */{any}·
  FNDCPASS */* 0 Y */* * * {any}
XML-RPC: a user and a password
  <methodName>wp.*</methodName>…↵<param><value><string>*</string></value></param>↵<param><value><string>{any}</string>
SAP: sapcontrol
  sapcontrol …-user * {any}
1C:Enterprise
  /N'*' /P'{any}'
PostgreSQL, pgpool: files and logs
  ^*:TEXT{any}$
  parameters: $1 = '{strong}', $2
  radiussecrets="{any}"
  radiussecret={any}
MySQL, MariaDB, Percona, phpMyAdmin, HeidiSQL
  master.info↵*↵*↵*↵*↵*↵{any}$
  h=*,u=*,p={any}·
  h=*,u=*,p={any}$
  u=*,p={any},
  keyfile↵*;{key}$
  keyfile↵*;*↵*;{key}$
  \\Password<|||>1<|||>{any}$
  ['controlpass'] = '{any}'
Oracle, SQL Server, Sybase: calls and tools
  simple_bind_s(*, '…', '{any}')
  OPENROWSET('*', '*'; '*'; '{any}'
  sp_password '{any}', '{any}'
  sp_password NULL, '{any}'
  sp_addlogin '*', '{any}'
  sp_addlinkedsrvlogin …'{any}'$
  rskeymgmt …-p {any}
  /tp:'{any}'
  /sp:'{any}'
  isql …-P{any} -S
  isql …-P{any} -w
document, graph and other stores: shells and their arguments
  _config/admins/* -d '"{any}"'
  users").save("*", "{any}"
  connect remote:* * {any}$
  connect plocal:* * {any}$
  /query?…&p={any}&
  /query?p={any}&
  /write?…&p={any}&
  /write?p={any}&
  changeUserPassword("*", "{any}")
  -credentials *:{any}·
  -tspass {any}·
  -kspass {any}·
  -keypass {any}·
  SERVICE_TOKEN * = {key}
  replication = {'*:{any}@
  schema.user.passwd('*', '{any}')
  schema.user.create('*', {password = '{any}'
  beeline …-p {any} -e
  AUTH2 * {any} KEYS
  MIGRATE …AUTH {any} KEYS
  mpro …-P {any}
  db_dump -P {any}
  db_dump -P '{any}'
  [,rolename ...]↵*: {any}, *
  [,rolename ...]↵*: *↵*: {any}, *
  ctl admins add * {any}
directories and Kerberos: binds, keytabs, users
  authentication: simple (0)↵simple: {key}
  setuserinfo2 * 23 '{any}'
  printf * '{any}' '{any}' | smbpasswd
  kdb5_util …-P '{any}'
  @* (0x{key})
  accept.users=*::{any},
  accept.users=*::{any}$
  accept.users=*::*,*::{any}$
Neo4j: the user of a container
  NEO4J_AUTH=neo4j/{any}
  NEO4J_AUTH: neo4j/{any}
content management, shops, business software: their own settings and calls
  createAndPromote …'{any}'$
  key: '*:{key}', version
  _DB_PASSWD_', '{any}'
  _COOKIE_KEY_', '{any}'
  _COOKIE_IV_', '{any}'
  ->{'DatabasePw'} = '{any}'
  force://*:*:{key}@
  force://*::{key}@
  valueOf('*:{any}')
  .authenticate('*', '*', '{any}'
  .execute_kw('*', *, '{any}'
Oracle: rman, both of its logins
  catalog */{any}@
  target */{any}@
  auxiliary */{any}@
WildFly: Elytron
  clear-text="{any}"
  clear-text={any},
`;
