import type { Finding } from './findings.ts';
import { isMask, looksRandom } from './secret-values.ts';

interface KnownToken {
  kind: string;
  /** Literal texts one of which every match contains, or begins with where `leads` is set. */
  hints: readonly string[];
  leads: boolean;
  pattern: RegExp;
  /** The same without its right edge, for texts from which line breaks were taken out. */
  unbroken: RegExp;
  /** The shape alone is weak: the part behind the prefix must look random as well. */
  random: boolean;
}

/**
 * Finds tokens that their issuers mark with a prefix or a fixed shape; `unbroken` is for texts from which line breaks
 * were taken out, where the next line's text follows at once.
 */
export function findKnown(text: string, shape: 'pattern' | 'unbroken' = 'pattern'): Finding[] {
  if (!SHORTEST.test(text)) return [];
  return KNOWN_TOKENS.flatMap((token) =>
    ranges(token, token[shape], text)
      .filter(({ start, end }) => isGenuine(text.slice(start, end), token.random))
      .map(({ start, end }) => ({ start, end, kind: token.kind })),
  );
}

/** No pattern below matches white space, nor fewer characters. */
const SHORTEST = /\S{15}/;

/** Looking for the literal prefix first is what makes a hundred patterns affordable. */
function ranges({ hints, leads }: KnownToken, pattern: RegExp, text: string): { start: number; end: number }[] {
  if (!leads) {
    if (!hints.some((hint) => text.includes(hint))) return [];
    return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
  }
  const found: { start: number; end: number }[] = [];
  for (const hint of hints) {
    for (let at = text.indexOf(hint); at >= 0; at = text.indexOf(hint, at)) {
      pattern.lastIndex = at;
      const matches = pattern.test(text);
      if (matches) found.push({ start: at, end: pattern.lastIndex });
      at = matches ? pattern.lastIndex : at + 1;
    }
  }
  return found;
}

/** Leaves out what stands in documentation: masks, `your-key-here`, Amazon's own example. */
function isGenuine(value: string, random: boolean): boolean {
  const secret = value.replace(/^[A-Za-z0-9]{2,12}[-_.](?:(?:live|test|proj|ant|api\d\d|pat|v1)[-_])*/u, '');
  if (isMask(secret) || /EXAMPLE|example|(?:your|my)[-_]|placeholder|redacted/u.test(value)) return false;
  return !random || looksRandom(secret);
}

/** A token that begins with one of its hints. */
function token(kind: string, hints: string, pattern: string, random?: 'random'): KnownToken {
  return known(kind, hints, pattern, 'y', random);
}

/** A token that has one of its hints somewhere inside. */
function shape(kind: string, hints: string, pattern: string, random?: 'random'): KnownToken {
  return known(kind, hints, pattern, 'g', random);
}

function known(kind: string, hints: string, pattern: string, flags: 'y' | 'g', random?: 'random'): KnownToken {
  return {
    kind,
    hints: hints.split(' '),
    leads: flags === 'y',
    pattern: new RegExp(pattern, flags),
    unbroken: new RegExp(pattern.replaceAll('(?![A-Za-z0-9])', ''), flags),
    random: random !== undefined,
  };
}

// Not inside a longer word. A diff's `-` or a percent escape such as %3D may come directly before.
const EDGE = '(?:(?<![A-Za-z0-9_])(?<![A-Za-z0-9_-]-)|(?<=%[0-9A-Fa-f]{2}))';

/** One line a kind. Every pattern is bounded or starts at the edge of a word, so that no text makes it slow. */
const KNOWN_TOKENS: readonly KnownToken[] = [
  token('aws-access-key-id', 'AKIA ASIA ABIA ACCA', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  token('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_[A-Za-z0-9]{20,255}'),
  token('github-token', 'github_pat_', 'github_pat_[A-Za-z0-9_]{20,255}'),
  token('gitlab-token', 'gl', `${EDGE}gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|ffct|oas)-[A-Za-z0-9_.-]{16,255}`),
  token('gitlab-token', 'GR1348941', 'GR1348941[A-Za-z0-9_-]{20}'),
  token(
    'slack-token',
    'xox xapp-',
    `${EDGE}(?:xox[abeoprst](?:\\.xox[bp])?-|xapp-)(?=[A-Za-z-]{0,60}\\d)[A-Za-z0-9-]{10,255}`,
  ),
  token(
    'slack-webhook',
    'hooks.slack.com',
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}',
  ),
  shape(
    'discord-webhook',
    '/webhooks/',
    'discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{10,25}/[A-Za-z0-9_-]{40,100}',
  ),
  shape('teams-webhook', 'webhook', '[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{60,300}'),
  shape('discord-token', '.', `${EDGE}[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}`),
  shape('telegram-token', ':AA %3AAA', '(?<![0-9])\\d{8,10}(?::|%3A)AA[A-Za-z0-9_-]{32,34}'),
  shape('stripe-key', '_live_ _test_', '(?:sk|rk|pk_org|sk_org)_(?:live|test)_[A-Za-z0-9]{10,255}'),
  token('stripe-webhook-secret', 'whsec_', `${EDGE}whsec_[A-Za-z0-9+/=]{16,100}`),
  token('anthropic-key', 'sk-ant-', 'sk-ant-[A-Za-z0-9_-]{16,255}'),
  token('openai-key', 'sk-', `${EDGE}sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?[A-Za-z0-9_-]{18,300}`, 'random'),
  token('google-api-key', 'AIza', 'AIza[A-Za-z0-9_-]{33,39}'),
  token('google-oauth-secret', 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{20,40}'),
  token('google-oauth-token', 'ya29. 1//0', `${EDGE}(?:ya29\\.|1//0)[A-Za-z0-9_-]{20,600}`),
  token('firebase-key', 'APA91b', 'AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}'),
  token('npm-token', 'npm_', `${EDGE}npm_[A-Za-z0-9]{30,80}`),
  token('pypi-token', 'pypi-', 'pypi-[A-Za-z0-9_-]{32,400}', 'random'),
  token('rubygems-key', 'rubygems_', 'rubygems_[a-f0-9]{40,60}'),
  token('crates-token', 'cio', `${EDGE}cio[A-Za-z0-9]{32}(?![A-Za-z0-9])`, 'random'),
  token('nuget-key', 'oy2', `${EDGE}oy2[a-z0-9]{43}(?![A-Za-z0-9])`),
  token('docker-token', 'dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,80}'),
  shape('digitalocean-token', '_v1_', 'do[opr]_v1_[a-f0-9]{40,80}'),
  token('doppler-token', 'dp.', `${EDGE}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,120}`),
  token('huggingface-token', 'hf_ api_org_', `${EDGE}(?:hf|api_org)_[A-Za-z0-9]{28,60}`, 'random'),
  token('groq-key', 'gsk_', `${EDGE}gsk_[A-Za-z0-9]{30,80}`),
  token('replicate-token', 'r8_', `${EDGE}r8_[A-Za-z0-9]{30,60}`),
  token('xai-key', 'xai-', `${EDGE}xai-[A-Za-z0-9]{40,120}`),
  token('perplexity-key', 'pplx-', `${EDGE}pplx-[A-Za-z0-9]{30,80}`),
  token('sendgrid-key', 'SG.', `${EDGE}SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{16,80}`),
  token('twilio-key', 'SK', `${EDGE}SK[a-f0-9]{32}(?![A-Za-z0-9])`),
  token('mailgun-key', 'key-', `${EDGE}key-[a-f0-9]{32}(?![A-Za-z0-9])`),
  shape('mailchimp-key', '-us', `${EDGE}[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])`),
  token('brevo-key', 'xkeysib- xsmtpsib-', 'x(?:key|smtp)sib-[a-f0-9]{40,80}-[A-Za-z0-9]{10,40}'),
  token('postmark-key', 'PMAK-', 'PMAK-[a-f0-9]{20,30}-[a-f0-9]{30,40}'),
  token('shopify-token', 'shp', `${EDGE}shp(?:at|ss|ca|pa|tka)_[A-Fa-f0-9]{32,64}`),
  token(
    'square-token',
    'sq0 EAAA',
    `${EDGE}(?<![+/])(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{56,70}(?![A-Za-z0-9]))`,
  ),
  token(
    'braintree-token',
    'access_token$',
    'access_token\\$(?:production|sandbox)\\$[a-z0-9]{10,30}\\$[a-f0-9]{24,40}',
  ),
  token('razorpay-key', 'rzp_', `${EDGE}rzp_(?:live|test)_[A-Za-z0-9]{14,40}`),
  token('plaid-token', 'access-', `${EDGE}access-(?:sandbox|development|production)-[a-f0-9-]{36}`),
  shape('azure-client-secret', 'Q~', '(?<![\\w~.-])[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'),
  shape('azure-devops-token', 'AZDO', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}'),
  token('atlassian-token', 'ATATT3 ATCTT3 ATBB', `${EDGE}(?:AT[AC]TT3[A-Za-z0-9_=-]{40,255}|ATBB[A-Za-z0-9]{28,40})`),
  shape('terraform-token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}'),
  token(
    'vault-token',
    'hvs. hvb. hvr. s.',
    `${EDGE}(?:hv[sbr]\\.[A-Za-z0-9_-]{20,300}|s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9.(]))`,
    'random',
  ),
  token('databricks-token', 'dapi dkea', `${EDGE}(?:dapi|dkea)[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])`),
  token('grafana-token', 'glsa_ glc_', `${EDGE}(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})`),
  token('newrelic-key', 'NRAK- NRII- NRJS- NRSP- NRRA-', `${EDGE}NR(?:AK|II|JS|SP|RA)-[A-Za-z0-9_-]{19,60}`),
  shape('newrelic-key', 'FFFFNRAL', '[a-f0-9]{32,36}FFFFNRAL'),
  token('sentry-token', 'sntry', `${EDGE}sntry[su]_[A-Za-z0-9+/=_-]{30,400}`),
  token('linear-key', 'lin_', `${EDGE}lin_(?:api|oauth)_[A-Za-z0-9]{32,80}`),
  token('notion-token', 'secret_ ntn_', `${EDGE}(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})(?![A-Za-z0-9])`),
  token('figma-token', 'figd_ figdr_', `${EDGE}figdr?_[A-Za-z0-9_-]{36,60}`),
  token('airtable-token', 'pat', `${EDGE}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}`),
  token('hubspot-token', 'pat-', `${EDGE}pat-(?:na|eu|ap)\\d-[a-f0-9-]{36}`),
  token('contentful-token', 'CFPAT-', 'CFPAT-[A-Za-z0-9_-]{40,60}'),
  token('netlify-token', 'nfp_ nfc_ nfo_', `${EDGE}nf[pcoub]_[A-Za-z0-9]{34,60}`),
  token('supabase-key', 'sbp_ sb_secret_', `${EDGE}(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})`),
  token('planetscale-token', 'pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}'),
  token('neon-key', 'napi_', `${EDGE}napi_[a-z0-9]{40,80}`),
  token('fly-token', 'fm1 fm2 fo1', `${EDGE}(?:fm[12][ar]?_[A-Za-z0-9+/=_-]{80,4000}|fo1_[A-Za-z0-9_-]{40,60})`),
  token('render-key', 'rnd_', `${EDGE}rnd_[A-Za-z0-9]{28,40}`),
  token('mapbox-token', 'sk.eyJ', `${EDGE}sk\\.eyJ[A-Za-z0-9_-]{30,200}\\.[A-Za-z0-9_-]{15,40}`),
  token('pulumi-token', 'pul-', `${EDGE}pul-[a-f0-9]{40}`),
  token('postgres-scram', 'SCRAM-SHA-256$', 'SCRAM-SHA-256\\$\\d{1,7}:[A-Za-z0-9+/=]{8,60}\\$[A-Za-z0-9+/=:]{40,140}'),
  token('alibaba-key', 'LTAI', `${EDGE}LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])`, 'random'),
  token('tailscale-key', 'tskey-', `${EDGE}tskey-(?:[a-z]{3,12}-)?[A-Za-z0-9]{10,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}`),
  token('dynatrace-token', 'dt0', `${EDGE}dt0[a-z]\\d{2}\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{60,70}`),
  token('nvidia-key', 'nvapi-', `${EDGE}nvapi-[A-Za-z0-9_-]{40,80}`),
  token(
    'launchdarkly-key',
    'sdk- api- mob-',
    `${EDGE}(?:sdk|api|mob)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![A-Za-z0-9])`,
  ),
  token('yandex-key', 'AQVN', `${EDGE}AQVN[A-Za-z0-9_-]{34,40}`),
  token('1password-token', 'ops_ey', `${EDGE}ops_eyJ[A-Za-z0-9_=-]{100,4000}`),
  token('clojars-token', 'CLOJARS_', 'CLOJARS_[a-z0-9]{60}'),
  token('langchain-key', 'lsv2_', `${EDGE}lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,12}`),
  token('age-secret-key', 'AGE-SECRET-KEY-', 'AGE-SECRET-KEY-1[A-Z0-9]{40,70}'),
  token('jwt', 'eyJ', `${EDGE}eyJ[A-Za-z0-9_-]{8,8000}(?:\\.[A-Za-z0-9_-]{8,8000}){1,4}`),
  token(
    'password-hash',
    '$',
    '\\$(?:2[abxy]\\$\\d\\d\\$[A-Za-z0-9./]{53}|(?:1|5|6|apr1)\\$(?:rounds=\\d{1,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{22,86}|y\\$[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{1,90}\\$[A-Za-z0-9./]{20,90}|argon2(?:id|i|d)\\$v=\\d{1,4}\\$[a-z0-9=,]{5,40}\\$[A-Za-z0-9+/]{8,90}\\$[A-Za-z0-9+/]{16,120})',
  ),
];
