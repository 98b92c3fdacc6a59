/** A token that its issuer marks, so that its shape alone says what it is. */
export interface KnownToken {
  kind: string;
  /** Who says so: the issuer's documentation, or the standard. */
  source: string;
  /** One of them; `{a36}` stands for 36 characters of an alphabet, which `test/privacy/pattern-table.test.ts` knows. */
  example: string;
  /** Literal texts one of which every match contains, or begins with where `leads` is set. */
  hints: readonly string[];
  leads: boolean;
  pattern: RegExp;
  /** The same without its right edge, for texts from which line breaks were taken out. */
  unbroken: RegExp;
  /** The shape alone is weak: the part behind the prefix must look random as well. */
  random: boolean;
}

// Not inside a longer word. A diff's `-` or a percent escape such as %3D may come directly before.
const EDGE = '(?:(?<![A-Za-z0-9_])(?<![A-Za-z0-9_-]-)|(?<=%[0-9A-Fa-f]{2}))';

/**
 * Each row: kind, source, example, hints, expression. Every expression is bounded or starts at the edge of a word, so that no text makes
 * it slow.
 */
export const TOKEN_TABLE: readonly KnownToken[] = [
  token(
    'aws-access-key-id',
    'docs.aws.amazon.com',
    'AKIA{U16}',
    'AKIA ASIA ABIA ACCA',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ),
  token('github-token', 'docs.github.com', 'ghp_{a36}', 'ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_[A-Za-z0-9]{20,255}'),
  token('github-token', 'docs.github.com', 'github_pat_{a22}_{a59}', 'github_pat_', 'github_pat_[A-Za-z0-9_]{20,255}'),
  token(
    'gitlab-token',
    'docs.gitlab.com',
    'glpat-{u20}',
    'gl',
    `${EDGE}gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|ffct|oas)-[A-Za-z0-9_.-]{16,255}`,
  ),
  token('gitlab-token', 'docs.gitlab.com', 'GR1348941{u20}', 'GR1348941', 'GR1348941[A-Za-z0-9_-]{20}'),
  token(
    'slack-token',
    'api.slack.com',
    'xoxb-{d12}-{d13}-{a24}',
    'xox xapp-',
    `${EDGE}(?:xox[abeoprst](?:\\.xox[bp])?-|xapp-)(?=[A-Za-z-]{0,60}\\d)[A-Za-z0-9-]{10,255}`,
  ),
  token(
    'slack-webhook',
    'api.slack.com',
    'hooks.slack.com/services/T{U8}/B{U10}/{a24}',
    'hooks.slack.com',
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}',
  ),
  shape(
    'discord-webhook',
    'discord.com/developers',
    'discord.com/api/webhooks/{d18}/{u68}',
    '/webhooks/',
    'discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{10,25}/[A-Za-z0-9_-]{40,100}',
  ),
  shape(
    'teams-webhook',
    'learn.microsoft.com',
    'acme.webhook.office.com/webhookb2/{g}@{g}/IncomingWebhook/{x32}/{g}',
    'webhook',
    '[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{60,300}',
  ),
  shape(
    'discord-token',
    'discord.com/developers',
    'M{a23}.{a6}.{u38}',
    '.',
    `${EDGE}[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}`,
  ),
  shape(
    'telegram-token',
    'core.telegram.org',
    '{n10}:AA{u33}',
    ':AA %3AAA',
    '(?<![0-9])\\d{8,10}(?::|%3A)AA[A-Za-z0-9_-]{32,34}',
  ),
  shape(
    'stripe-key',
    'docs.stripe.com',
    'sk_live_{a24}',
    '_live_ _test_',
    '(?:sk|rk|pk_org|sk_org)_(?:live|test)_[A-Za-z0-9]{10,255}',
  ),
  token('stripe-webhook-secret', 'docs.stripe.com', 'whsec_{a32}', 'whsec_', `${EDGE}whsec_[A-Za-z0-9+/=]{16,100}`),
  token('anthropic-key', 'docs.anthropic.com', 'sk-ant-api03-{u93}AA', 'sk-ant-', 'sk-ant-[A-Za-z0-9_-]{16,255}'),
  token(
    'openai-key',
    'platform.openai.com',
    'sk-proj-{a48}',
    'sk-',
    `${EDGE}sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?[A-Za-z0-9_-]{18,300}`,
    'random',
  ),
  token('google-api-key', 'cloud.google.com', 'AIza{u35}', 'AIza', 'AIza[A-Za-z0-9_-]{33,39}'),
  token('google-oauth-secret', 'cloud.google.com', 'GOCSPX-{u28}', 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{20,40}'),
  token(
    'google-oauth-token',
    'developers.google.com',
    'ya29.{u120}',
    'ya29. 1//0',
    `${EDGE}(?:ya29\\.|1//0)[A-Za-z0-9_-]{20,600}`,
  ),
  shape(
    'firebase-key',
    'firebase.google.com',
    'AAAA{u7}:APA91b{u134}',
    'APA91b',
    'AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}',
  ),
  token('npm-token', 'docs.npmjs.com', 'npm_{a36}', 'npm_', `${EDGE}npm_[A-Za-z0-9]{30,80}`),
  token('pypi-token', 'pypi.org/help', 'pypi-AgEIcHlwaS5vcmc{u80}', 'pypi-', 'pypi-[A-Za-z0-9_-]{32,400}', 'random'),
  token('rubygems-key', 'guides.rubygems.org', 'rubygems_{x48}', 'rubygems_', 'rubygems_[a-f0-9]{40,60}'),
  token(
    'crates-token',
    'doc.rust-lang.org/cargo',
    'cio{a32}',
    'cio',
    `${EDGE}cio[A-Za-z0-9]{32}(?![A-Za-z0-9])`,
    'random',
  ),
  token('nuget-key', 'learn.microsoft.com', 'oy2{l43}', 'oy2', `${EDGE}oy2[a-z0-9]{43}(?![A-Za-z0-9])`),
  token('docker-token', 'docs.docker.com', 'dckr_pat_{u27}', 'dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,80}'),
  shape('digitalocean-token', 'docs.digitalocean.com', 'dop_v1_{x64}', '_v1_', 'do[opr]_v1_[a-f0-9]{40,80}'),
  token(
    'doppler-token',
    'docs.doppler.com',
    'dp.pt.{a43}',
    'dp.',
    `${EDGE}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,120}`,
  ),
  token(
    'huggingface-token',
    'huggingface.co/docs',
    'hf_{a34}',
    'hf_ api_org_',
    `${EDGE}(?:hf|api_org)_[A-Za-z0-9]{28,60}`,
    'random',
  ),
  token('groq-key', 'console.groq.com', 'gsk_{a52}', 'gsk_', `${EDGE}gsk_[A-Za-z0-9]{30,80}`),
  token('replicate-token', 'replicate.com/docs', 'r8_{a37}', 'r8_', `${EDGE}r8_[A-Za-z0-9]{30,60}`),
  token('xai-key', 'docs.x.ai', 'xai-{a80}', 'xai-', `${EDGE}xai-[A-Za-z0-9]{40,120}`),
  token('perplexity-key', 'docs.perplexity.ai', 'pplx-{a48}', 'pplx-', `${EDGE}pplx-[A-Za-z0-9]{30,80}`),
  token(
    'sendgrid-key',
    'docs.sendgrid.com',
    'SG.{u22}.{u43}',
    'SG.',
    `${EDGE}SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{16,80}`,
  ),
  token('twilio-key', 'www.twilio.com/docs', 'SK{x32}', 'SK', `${EDGE}SK[a-f0-9]{32}(?![A-Za-z0-9])`),
  token('mailgun-key', 'documentation.mailgun.com', 'key-{x32}', 'key-', `${EDGE}key-[a-f0-9]{32}(?![A-Za-z0-9])`),
  shape(
    'mailchimp-key',
    'mailchimp.com/developer',
    '{x32}-us12',
    '-us',
    `${EDGE}[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])`,
  ),
  token(
    'brevo-key',
    'developers.brevo.com',
    'xkeysib-{x64}-{a16}',
    'xkeysib- xsmtpsib-',
    'x(?:key|smtp)sib-[a-f0-9]{40,80}-[A-Za-z0-9]{10,40}',
  ),
  token('postmark-key', 'learning.postman.com', 'PMAK-{x24}-{x34}', 'PMAK-', 'PMAK-[a-f0-9]{20,30}-[a-f0-9]{30,40}'),
  token('shopify-token', 'shopify.dev', 'shpat_{x32}', 'shp', `${EDGE}shp(?:at|ss|ca|pa|tka)_[A-Fa-f0-9]{32,64}`),
  token(
    'square-token',
    'developer.squareup.com',
    'sq0csp-{u43}',
    'sq0 EAAA',
    `${EDGE}(?<![+/])(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{56,70}(?![A-Za-z0-9]))`,
  ),
  token(
    'braintree-token',
    'developer.paypal.com/braintree',
    'access_token$production${l16}${x32}',
    'access_token$',
    'access_token\\$(?:production|sandbox)\\$[a-z0-9]{10,30}\\$[a-f0-9]{24,40}',
  ),
  token('razorpay-key', 'razorpay.com/docs', 'rzp_live_{a14}', 'rzp_', `${EDGE}rzp_(?:live|test)_[A-Za-z0-9]{14,40}`),
  token(
    'plaid-token',
    'plaid.com/docs',
    'access-sandbox-{g}',
    'access-',
    `${EDGE}access-(?:sandbox|development|production)-[a-f0-9-]{36}`,
  ),
  shape(
    'azure-client-secret',
    'learn.microsoft.com',
    '{a3}8Q~{a34}',
    'Q~',
    '(?<![\\w~.-])[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}',
  ),
  shape('azure-devops-token', 'learn.microsoft.com', '{a76}AZDO{a4}', 'AZDO', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'),
  token(
    'atlassian-token',
    'support.atlassian.com',
    'ATATT3xFfGF0{u160}={X8}',
    'ATATT3 ATCTT3 ATBB',
    `${EDGE}(?:AT[AC]TT3[A-Za-z0-9_=-]{40,255}|ATBB[A-Za-z0-9]{28,40})`,
  ),
  shape(
    'terraform-token',
    'developer.hashicorp.com/terraform',
    '{a14}.atlasv1.{a67}',
    '.atlasv1.',
    '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}',
  ),
  token(
    'vault-token',
    'developer.hashicorp.com/vault',
    'hvs.{u90}',
    'hvs. hvb. hvr. s.',
    `${EDGE}(?:hv[sbr]\\.[A-Za-z0-9_-]{20,300}|s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9.(]))`,
    'random',
  ),
  token(
    'databricks-token',
    'docs.databricks.com',
    'dapi{x32}',
    'dapi dkea',
    `${EDGE}(?:dapi|dkea)[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])`,
  ),
  token(
    'grafana-token',
    'grafana.com/docs',
    'glsa_{a32}_{x8}',
    'glsa_ glc_',
    `${EDGE}(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})`,
  ),
  token(
    'newrelic-key',
    'docs.newrelic.com',
    'NRAK-{U27}',
    'NRAK- NRII- NRJS- NRSP- NRRA-',
    `${EDGE}NR(?:AK|II|JS|SP|RA)-[A-Za-z0-9_-]{19,60}`,
  ),
  shape('newrelic-key', 'docs.newrelic.com', '{x32}FFFFNRAL', 'FFFFNRAL', '[a-f0-9]{32,36}FFFFNRAL'),
  token('sentry-token', 'docs.sentry.io', 'sntrys_{u80}', 'sntry', `${EDGE}sntry[su]_[A-Za-z0-9+/=_-]{30,400}`),
  token('linear-key', 'linear.app/developers', 'lin_api_{a40}', 'lin_', `${EDGE}lin_(?:api|oauth)_[A-Za-z0-9]{32,80}`),
  token(
    'notion-token',
    'developers.notion.com',
    'ntn_{a46}',
    'secret_ ntn_',
    `${EDGE}(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})(?![A-Za-z0-9])`,
  ),
  token('figma-token', 'www.figma.com/developers', 'figd_{u40}', 'figd_ figdr_', `${EDGE}figdr?_[A-Za-z0-9_-]{36,60}`),
  token(
    'airtable-token',
    'airtable.com/developers',
    'pat{a14}.{x64}',
    'pat',
    `${EDGE}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}`,
  ),
  token('hubspot-token', 'developers.hubspot.com', 'pat-eu1-{g}', 'pat-', `${EDGE}pat-(?:na|eu|ap)\\d-[a-f0-9-]{36}`),
  token('contentful-token', 'www.contentful.com/developers', 'CFPAT-{u43}', 'CFPAT-', 'CFPAT-[A-Za-z0-9_-]{40,60}'),
  token('netlify-token', 'docs.netlify.com', 'nfp_{a40}', 'nfp_ nfc_ nfo_', `${EDGE}nf[pcoub]_[A-Za-z0-9]{34,60}`),
  token(
    'supabase-key',
    'supabase.com/docs',
    'sbp_{x40}',
    'sbp_ sb_secret_',
    `${EDGE}(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})`,
  ),
  token(
    'planetscale-token',
    'planetscale.com/docs',
    'pscale_tkn_{u43}',
    'pscale_',
    'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}',
  ),
  token('neon-key', 'neon.com/docs', 'napi_{l64}', 'napi_', `${EDGE}napi_[a-z0-9]{40,80}`),
  token(
    'fly-token',
    'fly.io/docs',
    'fm2_{a120}',
    'fm1 fm2 fo1',
    `${EDGE}(?:fm[12][ar]?_[A-Za-z0-9+/=_-]{80,4000}|fo1_[A-Za-z0-9_-]{40,60})`,
  ),
  token('render-key', 'render.com/docs', 'rnd_{a32}', 'rnd_', `${EDGE}rnd_[A-Za-z0-9]{28,40}`),
  token(
    'mapbox-token',
    'docs.mapbox.com',
    'sk.eyJ{a80}.{u22}',
    'sk.eyJ',
    `${EDGE}sk\\.eyJ[A-Za-z0-9_-]{30,200}\\.[A-Za-z0-9_-]{15,40}`,
  ),
  token('pulumi-token', 'www.pulumi.com/docs', 'pul-{x40}', 'pul-', `${EDGE}pul-[a-f0-9]{40}`),
  token(
    'postgres-scram',
    'RFC 5802, RFC 7677',
    'SCRAM-SHA-256$4096:{b22}==${b43}=:{b43}=',
    'SCRAM-SHA-256$',
    'SCRAM-SHA-256\\$\\d{1,7}:[A-Za-z0-9+/=]{8,60}\\$[A-Za-z0-9+/=:]{40,140}',
  ),
  token(
    'alibaba-key',
    'www.alibabacloud.com/help',
    'LTAI5t{a18}',
    'LTAI',
    `${EDGE}LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])`,
    'random',
  ),
  token(
    'tailscale-key',
    'tailscale.com/kb',
    'tskey-auth-{a17}-{a32}',
    'tskey-',
    `${EDGE}tskey-(?:[a-z]{3,12}-)?[A-Za-z0-9]{10,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}`,
  ),
  token(
    'dynatrace-token',
    'docs.dynatrace.com',
    'dt0c01.{U24}.{U64}',
    'dt0',
    `${EDGE}dt0[a-z]\\d{2}\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{60,70}`,
  ),
  token('nvidia-key', 'docs.nvidia.com', 'nvapi-{u64}', 'nvapi-', `${EDGE}nvapi-[A-Za-z0-9_-]{40,80}`),
  token(
    'launchdarkly-key',
    'launchdarkly.com/docs',
    'sdk-{g}',
    'sdk- api- mob-',
    `${EDGE}(?:sdk|api|mob)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![A-Za-z0-9])`,
  ),
  token('yandex-key', 'yandex.cloud/docs', 'AQVN{u35}', 'AQVN', `${EDGE}AQVN[A-Za-z0-9_-]{34,40}`),
  token(
    '1password-token',
    'developer.1password.com',
    'ops_eyJ{u400}',
    'ops_ey',
    `${EDGE}ops_eyJ[A-Za-z0-9_=-]{100,4000}`,
  ),
  token('clojars-token', 'clojars.org', 'CLOJARS_{l60}', 'CLOJARS_', 'CLOJARS_[a-z0-9]{60}'),
  token(
    'langchain-key',
    'docs.smith.langchain.com',
    'lsv2_pt_{x32}_{x10}',
    'lsv2_',
    `${EDGE}lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,12}`,
  ),
  token(
    'age-secret-key',
    'age-encryption.org',
    'AGE-SECRET-KEY-1{U58}',
    'AGE-SECRET-KEY-',
    'AGE-SECRET-KEY-1[A-Z0-9]{40,70}',
  ),
  token(
    'jwt',
    'RFC 7519',
    'eyJ{a20}.eyJ{a60}.{u43}',
    'eyJ',
    `${EDGE}eyJ[A-Za-z0-9_-]{8,8000}(?:\\.[A-Za-z0-9_-]{8,8000}){1,4}`,
  ),
  token(
    'password-hash',
    'crypt(5), RFC 9106',
    '$2b$12${a53}',
    '$',
    '\\$(?:2[abxy]\\$\\d\\d\\$[A-Za-z0-9./]{53}|(?:1|5|6|apr1)\\$(?:rounds=\\d{1,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{22,86}|y\\$[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{1,90}\\$[A-Za-z0-9./]{20,90}|argon2(?:id|i|d)\\$v=\\d{1,4}\\$[a-z0-9=,]{5,40}\\$[A-Za-z0-9+/]{8,90}\\$[A-Za-z0-9+/]{16,120})',
  ),
];

/** A token that begins with one of its hints. */
function token(kind: string, source: string, example: string, hints: string, pattern: string, random?: 'random') {
  return row({ kind, source, example, random: random !== undefined }, hints, pattern, 'y');
}

/** A token that has one of its hints somewhere inside. */
function shape(kind: string, source: string, example: string, hints: string, pattern: string, random?: 'random') {
  return row({ kind, source, example, random: random !== undefined }, hints, pattern, 'g');
}

function row(
  about: Pick<KnownToken, 'kind' | 'source' | 'example' | 'random'>,
  hints: string,
  pattern: string,
  flags: 'y' | 'g',
): KnownToken {
  return {
    ...about,
    hints: hints.split(' '),
    leads: flags === 'y',
    pattern: new RegExp(pattern, flags),
    unbroken: new RegExp(pattern.replaceAll('(?![A-Za-z0-9])', ''), flags),
  };
}
