/** Lines of clouds, clusters, continuous integration and version control that hold a secret; `templates.ts` says how they are read. */
export const CLOUDS = `
Jenkins: the script console
  *Secret.decrypt(*)…↵Result↵{any}$
  *Secret.decrypt(*)…↵Result: {any}$
TeamCity: the token of its log
  Super user authentication token: {long}
Salt: a pillar
  pillar.get …pw↵*:↵{any}$
  pillar.get …password↵*:↵{any}$
OpenStack Swift: tempauth
  ^user_* = {any} .
Docker Swarm, OpenShift: keys and tokens
  SWMKEY-1-{key}
  sha256~{key}
Azure: keys of a storage account
  ^key1 Full {key}
  ^key2 Full {key}
Tuya, Alibaba Cloud: calls with an id and its key
  OutletDevice(*, *, '{any}'
  BulbDevice(*, *, '{any}'
  tinytuya.Device(*, *, '{any}'
  AcsClient('LTAI*', '{key}'
Nomad: ACLs
  ^Secret ID = {key}$
Terraform: the state of a generated password
  "random_password"…"result": "{any}"
  "random_password"…↵…"result": "{any}"
Algolia: an application and its key
  algoliasearch('*', '{key}'
Kubernetes and clouds: what sets, prints or keeps a secret
  patch secret …'{"stringData":{"*":"{any}"
  patch secret …'{"data":{"*":"{key}"
  --certificate-key {key}
  echo -n '{any}' | kubeseal
  printf '{any}' | kubeseal
  "SecureString",↵"Value": "{any}"
  Base32StringSeed↵{key}$
  functions:config:get↵{↵…↵…↵"key": "{key}"
  "primaryKey": "{key}"
  "secondaryKey": "{key}"
  secrets set *={key}·
  plaintext_password = "{any}"
  plaintext_password = "*" -> "{any}"
  encrypt_string …'{any}' --name
  DEC(*)::PKCS7[{any}]!
  DEC::PKCS7[{any}]!
  DEC::GPG[{any}]!
  "ParameterKey": "*Password", "ParameterValue": "{any}"
  "ParameterKey": "*Secret", "ParameterValue": "{any}"
  ^key {key}↵key_type otp
  {"Content":"{any}","UserName"
  ↵password{key}↵username
version control and package servers: logins and tickets
  K 8↵password↵V *↵{any}$
  p4 tickets↵* (*) {key}$
  fossil user password * {any}
  fossil user new * * {any}
  /login:*,{any}$
  /login:*,{any}·
  bundle config …*.* {any}:{any}$
  pro attach {any}$
  dl.cloudsmith.io/{key}/
  admin.password↵{any}$
search services: an application and its key
  SearchClient.create("*", "{key}"
  SearchClient("*", "{key}"
  SearchClientSync("*", "{key}"
Azure DevOps: a token that becomes a header
  printf …':{key}' | base64
  echo -n ':{key}' | base64
Terraform: a generated password, a line for each field
  "random_password",↵…↵…"result": "{any}"
  "random_password",↵…↵…↵…"result": "{any}"
`;
