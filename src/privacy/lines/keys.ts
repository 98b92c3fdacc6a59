/** Lines of stores of keys, tokens and wallets that hold a secret; `templates.ts` says how they are read. */
export const KEYS = `
google-authenticator: the file of its secret
  ^{key}↵" RATE_LIMIT
  TOTP_AUTH↵{pin}$
  TOTP_AUTH↵*↵{pin}$
  TOTP_AUTH↵*↵*↵{pin}$
ykman, softhsm2-util, pkcs11-tool: PINs and keys of tokens
  change-management-key …-n {key}
  change-management-key …-m {key}
  change-pin …-P {pin}
  change-pin …-n {pin}
  change-puk …-n {pin}
  --pin {pin}
  --so-pin {pin}
  --new-pin {pin}
  --user-pin {pin}
  ?pin-value={pin}
  ;pin-value={pin}
BIP 39: the seed of a wallet
  BIP39 Seed↵{key}$
Cardano: a signing key
  *SigningKey…↵…↵"cborHex": "5820{key}"
OpenSSL, Borg, MongoDB: keys over several lines
  privateExponent:↵{block}
  prime1:↵{block}
  prime2:↵{block}
  exponent1:↵{block}
  exponent2:↵{block}
  coefficient:↵{block}
  ^priv:↵{block}
  BORG_KEY *↵{block}
  ^# cat *mongo*key↵{block}
  ^$ cat *mongo*key↵{block}
  ^# cat *keyfile↵{block}
Bitcoin Core
  importprivkey '{key}'
  dumpprivkey *↵{key}$
Bitwarden: the key of an unlocked vault
  *_SESSION='{key}'
  --session {key}
openssl enc
  openssl enc …-K {key}
Borg: the key on paper
  ^*: {groups} - *$
stores of passwords and encrypted disks: gopass, keyring, systemd, gocryptfs, dislocker, ccrypt
  gopass show -o *↵{any}$
  gopass otp *↵{pin}·
  pass show *↵{any}$
  get_password("*", "*")↵'{any}'
  set_password("*", "*", "{any}")
  recovery key …↵↵…{modhex}$
  master key is:↵↵{dashed}-↵{dashed}$
  dislocker …-u'{any}'·
  dislocker …-p{any}·
  ccrypt …-K '{any}'
  ^//*/* *%{any}·
wallets and nodes: keys, macaroons, addresses of a project
  getprivatekeys(*)↵"*:{key}"
  unlockAccount("*", "{any}"
  suiprivkey1{key}
  *macaroon: {key}
  infura.io/v3/{key}
  infura.io/ws/v3/{key}
  alchemy.com/v2/{key}
  alchemyapi.io/v2/{key}
  quiknode.pro/{key}
  BIP38: {key}
  Passphrase on the back: {phrase}$
Bitcoin: libbitcoin
  bx hd-new {key}
  bx mnemonic-new {key}
`;
