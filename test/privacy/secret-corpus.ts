/** Kinds of invented secrets: random in the alphabet and length that the issuer documents, or as people choose them. */
export interface Dice {
  below(bound: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  chars(alphabet: string, length: number): string;
}

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';
export const HEX = `${DIGITS}abcdef`;
export const ALNUM = LOWER + UPPER + DIGITS;
export const URLSAFE = `${ALNUM}-_`;
export const BASE64 = `${ALNUM}+/`;

/** Reproducible randomness (the mulberry32 recurrence). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  function below(bound: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    chars: (alphabet, length) => Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join(''),
  };
}

/** `known`: the value shows what it is; `named`: only its name does; `password`: chosen by a person; `block`: a key file. */
export type Family = 'known' | 'named' | 'password' | 'block';

/** One kind of secret, with the name that it usually has in an environment. */
export interface Kind {
  kind: string;
  name: string;
  family: Family;
  value(dice: Dice): string;
}

/** A kind called after its name. */
function kind(name: string, family: Family, value: (dice: Dice) => string): Kind {
  return { kind: name.toLowerCase().replaceAll('_', '-'), name, family, value };
}

export const WORDS = [
  'Sommer',
  'Kaffee',
  'Winter',
  'Dragon',
  'Monsoon',
  'Lantern',
  'Violet',
  'Harbor',
  'Pepper',
  'Falcon',
] as const;

export function uuid(dice: Dice): string {
  return [8, 4, 4, 4, 12].map((length) => dice.chars(HEX, length)).join('-');
}

function jwt(dice: Dice): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: dice.chars(LOWER, 9), iat: 1_790_000_000 + dice.below(9999) })}.${dice.chars(URLSAFE, 43)}`;
}

export function pem(dice: Dice, label = 'RSA PRIVATE KEY', lines = 8): string {
  const body = Array.from({ length: lines }, (_, index) => dice.chars(BASE64, index === lines - 1 ? 40 : 64));
  return ['-----BEGIN '.concat(label, '-----'), ...body, '-----END '.concat(label, '-----')].join('\n');
}

function leet(dice: Dice): string {
  const word = dice.pick(WORDS).replace('o', '0').replace('e', '3').replace('i', '1');
  return `${word}${dice.pick(['-', '_', '!', '#'])}${dice.chars(LOWER, 4)}${dice.chars(DIGITS, 2)}`;
}

function puttyKey(dice: Dice): string {
  const rows = (count: number) => Array.from({ length: count }, () => dice.chars(BASE64, 64)).join('\n');
  return [
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: deploy\nPublic-Lines: 2\n${rows(2)}`,
    `${'Private'}-Lines: 2\n${rows(2)}\n${'Private'}-MAC: ${dice.chars(HEX, 64)}`,
  ].join('\n');
}

/** Alphabets and lengths as the issuers document them. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  kind('AWS_ACCESS_KEY_ID', 'known', (d) => `${d.pick(['AKIA', 'ASIA'])}${d.chars(`${UPPER}234567`, 16)}`),
  kind('GITHUB_TOKEN', 'known', (d) => `gh${d.pick(['p', 'o', 's', 'u', 'r'])}_${d.chars(ALNUM, 36)}`),
  kind('GH_PAT', 'known', (d) => `${'github'}_pat_${d.chars(ALNUM, 22)}_${d.chars(ALNUM, 59)}`),
  kind('GITLAB_TOKEN', 'known', (d) => `gl${'pat'}-${d.chars(URLSAFE, 20)}`),
  kind(
    'SLACK_BOT_TOKEN',
    'known',
    (d) => `xo${'xb'}-${d.chars(DIGITS, 12)}-${d.chars(DIGITS, 13)}-${d.chars(ALNUM, 24)}`,
  ),
  kind(
    'SLACK_WEBHOOK',
    'known',
    (d) =>
      `https://hooks.slack.com/services/T${d.chars(UPPER + DIGITS, 8)}/B${d.chars(UPPER + DIGITS, 10)}/${d.chars(ALNUM, 24)}`,
  ),
  kind('DISCORD_TOKEN', 'known', (d) => `M${d.chars(ALNUM, 23)}.${d.chars(ALNUM, 6)}.${d.chars(URLSAFE, 38)}`),
  kind('TELEGRAM_BOT', 'known', (d) => `${d.chars('123456789', 10)}:AA${d.chars(URLSAFE, 33)}`),
  kind('STRIPE_SECRET_KEY', 'known', (d) => `${d.pick(['sk', 'rk'])}_live_${d.chars(ALNUM, 24)}`),
  kind('STRIPE_WEBHOOK', 'known', (d) => `${'whsec'}_${d.chars(ALNUM, 32)}`),
  kind('ANTHROPIC_API_KEY', 'known', (d) => `sk-${'ant'}-api03-${d.chars(URLSAFE, 93)}AA`),
  kind('OPENAI_API_KEY', 'known', (d) => `sk-${d.pick(['proj-', ''])}${d.chars(ALNUM, 48)}`),
  kind('GOOGLE_API_KEY', 'known', (d) => `AI${'za'}${d.chars(URLSAFE, 35)}`),
  kind('GOOGLE_CLIENT_SECRET', 'known', (d) => `GOC${'SPX'}-${d.chars(URLSAFE, 28)}`),
  kind('NPM_TOKEN', 'known', (d) => `${'npm'}_${d.chars(ALNUM, 36)}`),
  kind('PYPI_TOKEN', 'known', (d) => `${'pypi'}-AgEIcHlwaS5vcmc${d.chars(URLSAFE, 80)}`),
  kind('DIGITALOCEAN_TOKEN', 'known', (d) => `${'dop'}_v1_${d.chars(HEX, 64)}`),
  kind('HF_TOKEN', 'known', (d) => `${'hf'}_${d.chars(ALNUM, 34)}`),
  kind('SENDGRID_KEY', 'known', (d) => `S${'G'}.${d.chars(URLSAFE, 22)}.${d.chars(URLSAFE, 43)}`),
  kind('TWILIO_SID_KEY', 'known', (d) => `S${'K'}${d.chars(HEX, 32)}`),
  kind('MAILGUN_KEY', 'known', (d) => `key-${d.chars(HEX, 32)}`),
  kind('SHOPIFY_TOKEN', 'known', (d) => `${'shp'}at_${d.chars(HEX, 32)}`),
  kind('DATABRICKS_TOKEN', 'known', (d) => `${'dapi'}${d.chars(HEX, 32)}`),
  kind('VAULT_TOKEN', 'known', (d) => `h${'vs'}.${d.chars(URLSAFE, 90)}`),
  kind('GRAFANA_TOKEN', 'known', (d) => `${'glsa'}_${d.chars(ALNUM, 32)}_${d.chars(HEX, 8)}`),
  kind('LINEAR_KEY', 'known', (d) => `${'lin'}_api_${d.chars(ALNUM, 40)}`),
  kind('ATLASSIAN_TOKEN', 'known', (d) => `${'ATA'}TT3xFfGF0${d.chars(URLSAFE, 160)}=${d.chars(`${DIGITS}ABCDEF`, 8)}`),
  kind('AZURE_CLIENT_SECRET', 'known', (d) => `${d.chars(ALNUM, 3)}8${'Q'}~${d.chars(`${ALNUM}_~.-`, 33)}`),
  kind('AGE_KEY', 'known', (d) => `AGE-${'SECRET'}-KEY-1${d.chars('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`),
  kind('SERVICE_JWT', 'known', jwt),
  kind('DOCKER_PAT', 'known', (d) => `${'dckr'}_pat_${d.chars(URLSAFE, 27)}`),
  kind('AWS_SECRET_ACCESS_KEY', 'named', (d) => d.chars(BASE64, 40)),
  kind('AWS_SESSION_TOKEN', 'named', (d) => `IQoJb3JpZ2luX2Vj${d.chars(BASE64, 180)}==`),
  kind('DATADOG_API_KEY', 'named', (d) => d.chars(HEX, 32)),
  kind('TWILIO_AUTH_TOKEN', 'named', (d) => d.chars(HEX, 32)),
  kind('HEROKU_API_KEY', 'named', uuid),
  kind('CLOUDFLARE_API_TOKEN', 'named', (d) => d.chars(URLSAFE, 40)),
  kind('AZURE_STORAGE_ACCOUNT_KEY', 'named', (d) => `${d.chars(BASE64, 86)}==`),
  kind('OAUTH_CLIENT_SECRET', 'named', (d) => d.chars(ALNUM, d.pick([24, 32, 43]))),
  kind('DJANGO_SECRET_KEY', 'named', (d) => d.chars(`${LOWER}${DIGITS}!@#%^&*(-_=+)`, 50)),
  kind('RAILS_SECRET_KEY_BASE', 'named', (d) => d.chars(HEX, 128)),
  kind('JWT_SIGNING_KEY', 'named', (d) => d.chars(BASE64, 44)),
  kind('ENCRYPTION_KEY', 'named', (d) => Buffer.from(d.chars(ALNUM, 32)).toString('base64')),
  kind('WIREGUARD_PRIVATE_KEY', 'named', (d) => `${d.chars(BASE64, 43)}=`),
  kind('SMTP_PASSWORD', 'password', (d) => `${d.pick(WORDS)}-20${d.chars(DIGITS, 2)}!${d.chars(LOWER, 2)}`),
  kind(
    'DB_PASSWORD',
    'password',
    (d) => `${d.chars(LOWER, 1)}${d.chars(UPPER, 1)}-${d.chars(ALNUM, 8)}${d.chars(DIGITS, 1)}`,
  ),
  kind('ADMIN_PASSWORD', 'password', leet),
  kind('LDAP_BIND_PASSWORD', 'password', (d) => d.chars(ALNUM, 16)),
  kind('REDIS_PASSWORD', 'password', (d) => d.chars(`${ALNUM}!#%*+-_.`, 20)),
  kind('FTP_PASS', 'password', (d) => `${d.pick(WORDS)}${d.pick(WORDS)}${d.chars(DIGITS, 3)}`),
  kind(
    'ROOT_PWD',
    'password',
    (d) =>
      `${d.pick(WORDS).toLowerCase()}-${d.pick(WORDS).toLowerCase()}-${d.pick(WORDS).toLowerCase()}-${d.chars(DIGITS, 2)}`,
  ),
  kind('RSA_KEY_FILE', 'block', (d) => pem(d)),
  kind('OPENSSH_KEY_FILE', 'block', (d) => pem(d, 'OPENSSH PRIVATE KEY', 12)),
  kind('PGP_KEY_FILE', 'block', (d) => pem(d, 'PGP PRIVATE KEY BLOCK', 12)),
  kind('EC_KEY_FILE', 'block', (d) => pem(d, 'EC PRIVATE KEY', 3)),
  kind('FIGMA_TOKEN', 'known', (d) => `${'fig'}d_${d.chars(URLSAFE, 40)}`),
  kind('NOTION_TOKEN', 'known', (d) => `${'nt'}n_${d.chars(DIGITS, 11)}${d.chars(ALNUM, 35)}`),
  kind('AIRTABLE_PAT', 'known', (d) => `pat${d.chars(ALNUM, 14)}.${d.chars(HEX, 64)}`),
  kind('POSTMAN_API_KEY', 'known', (d) => `${'PM'}AK-${d.chars(HEX, 24)}-${d.chars(HEX, 34)}`),
  kind('NEW_RELIC_API_KEY', 'known', (d) => `${'NR'}AK-${d.chars(UPPER + DIGITS, 27)}`),
  kind('PULUMI_ACCESS_TOKEN', 'known', (d) => `${'pu'}l-${d.chars(HEX, 40)}`),
  kind('TFE_TOKEN', 'known', (d) => `${d.chars(ALNUM, 14)}.${'atlas'}v1.${d.chars(ALNUM, 67)}`),
  kind('DOPPLER_TOKEN', 'known', (d) => `${'dp'}.pt.${d.chars(ALNUM, 43)}`),
  kind('SENTRY_AUTH_TOKEN', 'known', (d) => `${'sntry'}u_${d.chars(HEX, 64)}`),
  kind('GEM_HOST_API_KEY', 'known', (d) => `${'ruby'}gems_${d.chars(HEX, 48)}`),
  kind('PLANETSCALE_TOKEN', 'known', (d) => `${'psc'}ale_tkn_${d.chars(URLSAFE, 43)}`),
  kind('SUPABASE_ACCESS_TOKEN', 'known', (d) => `${'sb'}p_${d.chars(HEX, 40)}`),
  kind('REPLICATE_API_TOKEN', 'known', (d) => `${'r8'}_${d.chars(ALNUM, 37)}`),
  kind('GROQ_API_KEY', 'known', (d) => `${'gs'}k_${d.chars(ALNUM, 52)}`),
  kind('PERPLEXITY_API_KEY', 'known', (d) => `${'pp'}lx-${d.chars(ALNUM, 48)}`),
  kind('XAI_API_KEY', 'known', (d) => `${'xa'}i-${d.chars(ALNUM, 80)}`),
  kind('SQUARE_ACCESS_TOKEN', 'known', (d) => `${'EA'}AA${d.chars(URLSAFE, 60)}`),
  kind('MAILCHIMP_API_KEY', 'known', (d) => `${d.chars(HEX, 32)}-us${d.chars('123456789', 1)}`),
  kind(
    'SLACK_APP_TOKEN',
    'known',
    (d) => `xa${'pp'}-1-A${d.chars(`${UPPER}234567`, 10)}-${d.chars(DIGITS, 13)}-${d.chars(HEX, 64)}`,
  ),
  kind('RUNNER_TOKEN', 'known', (d) => `gl${'rt'}-${d.chars(URLSAFE, 20)}`),
  kind('OPENROUTER_API_KEY', 'known', (d) => `sk-${'or'}-v1-${d.chars(HEX, 64)}`),
  kind('LAUNCHDARKLY_SDK_KEY', 'known', (d) => `${'sd'}k-${uuid(d)}`),
  kind('TAILSCALE_AUTHKEY', 'known', (d) => `${'ts'}key-auth-${d.chars(ALNUM, 12)}CNTRL-${d.chars(ALNUM, 32)}`),
  kind('NVIDIA_API_KEY', 'known', (d) => `${'nv'}api-${d.chars(URLSAFE, 64)}`),
  kind(
    'DYNATRACE_TOKEN',
    'known',
    (d) => `${'dt'}0c01.${d.chars(`${UPPER}234567`, 24)}.${d.chars(`${UPPER}234567`, 64)}`,
  ),
  kind('BREVO_API_KEY', 'known', (d) => `${'xkey'}sib-${d.chars(HEX, 64)}-${d.chars(ALNUM, 16)}`),
  kind(
    'DISCORD_WEBHOOK',
    'known',
    (d) => `https://discord.com/api/${'web'}hooks/${d.chars('123456789', 18)}/${d.chars(URLSAFE, 68)}`,
  ),
  kind('MAPBOX_TOKEN', 'known', (d) => `${'sk'}.eyJ1Ijoi${d.chars(ALNUM, 60)}.${d.chars(URLSAFE, 22)}`),
  kind('FLY_API_TOKEN', 'known', (d) => `${'fm'}2_lJPE${d.chars(BASE64, 160)}`),
  kind('CRATES_IO_TOKEN', 'known', (d) => `${'ci'}o${d.chars(ALNUM, 32)}`),
  kind('VERCEL_TOKEN', 'named', (d) => d.chars(ALNUM, 24)),
  kind('AZURE_DEVOPS_PAT', 'named', (d) => d.chars(`${LOWER}${DIGITS}`, 52)),
  kind('FASTLY_API_TOKEN', 'named', (d) => d.chars(URLSAFE, 32)),
  kind('ALGOLIA_ADMIN_API_KEY', 'named', (d) => d.chars(HEX, 32)),
  kind('PAGERDUTY_TOKEN', 'named', (d) => d.chars(`${ALNUM}+_-`, 20)),
  kind('OKTA_API_TOKEN', 'named', (d) => `00${d.chars(URLSAFE, 40)}`),
  kind('CIRCLECI_TOKEN', 'named', (d) => d.chars(HEX, 40)),
  kind('SNYK_TOKEN', 'named', uuid),
  kind('NEXTAUTH_SECRET', 'named', (d) => `${d.chars(BASE64, 43)}=`),
  kind('SESSION_SECRET', 'named', (d) => d.chars(HEX, 64)),
  kind('RAILS_MASTER_KEY', 'named', (d) => d.chars(HEX, 32)),
  kind('TWITTER_CONSUMER_SECRET', 'named', (d) => d.chars(ALNUM, 50)),
  kind('WEBHOOK_SECRET', 'named', (d) => d.chars(URLSAFE, 36)),
  kind('POSTGRES_PASSWORD', 'password', (d) => `${d.pick(WORDS)}_${d.pick(WORDS)}${d.chars(DIGITS, 2)}!`),
  kind('MYSQL_ROOT_PASSWORD', 'password', (d) => d.chars(ALNUM, 24)),
  kind('KEYSTORE_PASSWORD', 'password', (d) => `${d.pick(WORDS)}#${d.chars(DIGITS, 4)}`),
  kind(
    'PROXY_PASSWORD',
    'password',
    (d) => `${d.chars(LOWER, 3)}-${d.chars(UPPER, 3)}-${d.chars(DIGITS, 3)}${d.chars(LOWER, 2)}`,
  ),
  kind('GRAFANA_ADMIN_PASSWORD', 'password', (d) => `${d.chars(`${ALNUM}^*-_+`, 14)}${d.chars(DIGITS, 2)}`),
  kind('RABBITMQ_DEFAULT_PASS', 'password', (d) => `${d.chars(UPPER, 1)}${d.chars(LOWER, 5)}@${d.chars(DIGITS, 4)}`),
  kind('WIFI_PASSPHRASE', 'password', (d) => `${d.pick(WORDS)}.${d.chars(DIGITS, 3)}.${d.pick(WORDS)}`),
  kind('PKCS8_KEY', 'block', (d) => pem(d, ['PRIVATE', 'KEY'].join(' '), 14)),
  kind('ENCRYPTED_KEY', 'block', (d) => pem(d, ['ENCRYPTED', 'PRIVATE', 'KEY'].join(' '), 14)),
  kind('DSA_KEY', 'block', (d) => pem(d, ['DSA', 'PRIVATE', 'KEY'].join(' '), 6)),
  kind('PUTTY_KEY', 'block', puttyKey),
];
