/**
 * Tokens that their issuers mark, one per line, in columns separated by two or more spaces:
 *
 * - the kind that the marker names: `[redacted:<kind>]`;
 * - `starts` if every token starts with one of the hints, `holds` if one is somewhere inside; `+edge` if it must not follow
 *   a letter, digit or `_`; `+random` if the shape is weak, so that the part after the prefix must also look random;
 * - the source: the issuer's documentation, or a standard;
 * - the hints: literal strings, one of which every token contains;
 * - an example, in which `<a36>` is 36 characters of an alphabet that `test/privacy/tables.test.ts` defines;
 * - the expression. It matches no white space, and is bounded, so that no text makes it slow.
 *
 * The last row is the shape that most new issuers use, after GitHub: a short prefix, `_`, and letters of both cases with digits.
 */
export const TOKEN_TABLE = String.raw`
aws-access-key-id  starts  docs.aws.amazon.com  AKIA ASIA ABIA ACCA  AKIA<U16>  (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])
github-token  starts  docs.github.com  ghp_ gho_ ghu_ ghs_ ghr_  ghp_<a36>  gh[pousr]_[A-Za-z0-9]{20,255}
github-token  starts  docs.github.com  github_pat_  github_pat_<a22>_<a59>  github_pat_[A-Za-z0-9_]{20,255}
gitlab-token  starts+edge  docs.gitlab.com  gl  glpat-<u20>  gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|ffct|oas)-[A-Za-z0-9_.-]{16,255}
gitlab-token  starts  docs.gitlab.com  GR1348941  GR1348941<u20>  GR1348941[A-Za-z0-9_-]{20}
slack-token  starts+edge  api.slack.com  xox xapp-  xoxb-<d12>-<d13>-<a24>  (?:xox[abeoprst](?:\.xox[bp])?-|xapp-)(?=[A-Za-z-]{0,60}\d)[A-Za-z0-9-]{20,255}(?![#*])
slack-webhook  starts  api.slack.com  hooks.slack.com  hooks.slack.com/services/T<U8>/B<U10>/<a24>  hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}
discord-webhook  holds  discord.com/developers  /webhooks/  discord.com/api/webhooks/<d18>/<u68>  discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{10,25}/[A-Za-z0-9_-]{40,100}
teams-webhook  holds  learn.microsoft.com  webhook  acme.webhook.office.com/webhookb2/<g>@<g>/IncomingWebhook/<x32>/<g>  [a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,300}
discord-token  holds+edge  discord.com/developers  .  M<a23>.<a6>.<u38>  [MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}
telegram-token  holds  core.telegram.org  :AA %3AAA  <n10>:AA<u33>  (?<![0-9])\d{8,10}(?::|%3A)AA[A-Za-z0-9_-]{32,34}
stripe-key  holds  docs.stripe.com  _live_ _test_  sk_live_<a24>  (?:sk|rk|pk_org|sk_org)_(?:live|test)_[A-Za-z0-9]{10,255}
stripe-webhook-secret  starts+edge  docs.stripe.com  whsec_  whsec_<a32>  whsec_[A-Za-z0-9+/=]{16,100}
anthropic-key  starts  docs.anthropic.com  sk-ant-  sk-ant-api03-<u93>AA  sk-ant-[A-Za-z0-9_-]{16,255}
openai-key  starts+edge+random  platform.openai.com  sk-  sk-proj-<a48>  sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?[A-Za-z0-9_-]{18,300}
google-api-key  starts  cloud.google.com  AIza  AIza<u35>  AIza[A-Za-z0-9_-]{33,39}
google-oauth-secret  starts  cloud.google.com  GOCSPX-  GOCSPX-<u28>  GOCSPX-[A-Za-z0-9_-]{20,40}
google-oauth-token  starts+edge  developers.google.com  ya29. 1//0  ya29.<u120>  (?:ya29\.|1//0)[A-Za-z0-9_-]{20,600}
firebase-key  holds  firebase.google.com  APA91b  AAAA<u7>:APA91b<u134>  AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}
npm-token  starts+edge  docs.npmjs.com  npm_  npm_<a36>  npm_[A-Za-z0-9]{30,80}
pypi-token  starts+random  pypi.org/help  pypi-  pypi-AgEIcHlwaS5vcmc<u80>  pypi-[A-Za-z0-9_-]{32,400}
rubygems-key  starts  guides.rubygems.org  rubygems_  rubygems_<x48>  rubygems_[a-f0-9]{40,60}
crates-token  starts+edge+random  doc.rust-lang.org/cargo  cio  cio<a32>  cio[A-Za-z0-9]{32}(?![A-Za-z0-9])
nuget-key  starts+edge  learn.microsoft.com  oy2  oy2<l43>  oy2[a-z0-9]{43}(?![A-Za-z0-9])
docker-token  starts  docs.docker.com  dckr_  dckr_pat_<u27>  dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,80}
digitalocean-token  holds  docs.digitalocean.com  _v1_  dop_v1_<x64>  do[opr]_v1_[a-f0-9]{40,80}
doppler-token  starts+edge  docs.doppler.com  dp.  dp.pt.<a43>  dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,120}
huggingface-token  starts+edge+random  huggingface.co/docs  hf_ api_org_  hf_<a34>  (?:hf|api_org)_[A-Za-z0-9]{28,60}
groq-key  starts+edge  console.groq.com  gsk_  gsk_<a52>  gsk_[A-Za-z0-9]{30,80}
replicate-token  starts+edge  replicate.com/docs  r8_  r8_<a37>  r8_[A-Za-z0-9]{30,60}
xai-key  starts+edge  docs.x.ai  xai-  xai-<a80>  xai-[A-Za-z0-9]{40,120}
perplexity-key  starts+edge  docs.perplexity.ai  pplx-  pplx-<a48>  pplx-[A-Za-z0-9]{30,80}
sendgrid-key  starts+edge  docs.sendgrid.com  SG.  SG.<u22>.<u43>  SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}
twilio-key  starts+edge  www.twilio.com/docs  SK  SK<x32>  SK[a-f0-9]{32}(?![A-Za-z0-9])
mailgun-key  starts+edge  documentation.mailgun.com  key-  key-<x32>  key-[a-f0-9]{32}(?![A-Za-z0-9])
mailchimp-key  holds+edge  mailchimp.com/developer  -us  <x32>-us12  [a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])
brevo-key  starts  developers.brevo.com  xkeysib- xsmtpsib-  xkeysib-<x64>-<a16>  x(?:key|smtp)sib-[a-f0-9]{40,80}-[A-Za-z0-9]{10,40}
postmark-key  starts  learning.postman.com  PMAK-  PMAK-<x24>-<x34>  PMAK-[a-f0-9]{20,30}-[a-f0-9]{30,40}
shopify-token  starts+edge  shopify.dev  shp  shpat_<x32>  shp(?:at|ss|ca|pa|tka)_[A-Fa-f0-9]{32,64}
square-token  starts+edge  developer.squareup.com  sq0 EAAA  sq0csp-<u43>  (?<![+/])(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{56,70}(?![A-Za-z0-9]))
braintree-token  starts  developer.paypal.com/braintree  access_token$  access_token$production$<l16>$<x32>  access_token\$(?:production|sandbox)\$[a-z0-9]{10,30}\$[a-f0-9]{24,40}
razorpay-key  starts+edge  razorpay.com/docs  rzp_  rzp_live_<a14>  rzp_(?:live|test)_[A-Za-z0-9]{14,40}
plaid-token  starts+edge  plaid.com/docs  access-  access-sandbox-<g>  access-(?:sandbox|development|production)-[a-f0-9-]{36}
azure-client-secret  holds  learn.microsoft.com  Q~  <a3>8Q~<a34>  (?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9])
azure-devops-token  holds  learn.microsoft.com  AZDO  <a76>AZDO<a4>  [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}
atlassian-token  starts+edge  support.atlassian.com  ATATT3 ATCTT3 ATBB  ATATT3xFfGF0<u160>=<X8>  (?:AT[AC]TT3[A-Za-z0-9_=-]{40,255}|ATBB[A-Za-z0-9]{28,40})
terraform-token  holds  developer.hashicorp.com/terraform  .atlasv1.  <a14>.atlasv1.<a67>  [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}
vault-token  starts+edge+random  developer.hashicorp.com/vault  hvs. hvb. hvr. s.  hvs.<u90>  (?:hv[sbr]\.[A-Za-z0-9_-]{20,300}|s\.[A-Za-z0-9]{24}(?![A-Za-z0-9.(]))
databricks-token  starts+edge  docs.databricks.com  dapi dkea  dapi<x32>  (?:dapi|dkea)[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])
grafana-token  starts+edge  grafana.com/docs  glsa_ glc_  glsa_<a32>_<x8>  (?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})
newrelic-key  starts+edge  docs.newrelic.com  NRAK- NRII- NRJS- NRSP- NRRA-  NRAK-<U27>  NR(?:AK|II|JS|SP|RA)-[A-Za-z0-9_-]{19,60}
newrelic-key  holds  docs.newrelic.com  FFFFNRAL  <x32>FFFFNRAL  [a-f0-9]{32,36}FFFFNRAL
sentry-token  starts+edge  docs.sentry.io  sntry  sntrys_<u80>  sntry[su]_[A-Za-z0-9+/=_-]{30,400}
linear-key  starts+edge  linear.app/developers  lin_  lin_api_<a40>  lin_(?:api|oauth)_[A-Za-z0-9]{32,80}
notion-token  starts+edge  developers.notion.com  secret_ ntn_  ntn_<a46>  (?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})(?![A-Za-z0-9])
figma-token  starts+edge  www.figma.com/developers  figd_ figdr_  figd_<u40>  figdr?_[A-Za-z0-9_-]{36,60}
airtable-token  starts+edge  airtable.com/developers  pat  pat<a14>.<x64>  pat[A-Za-z0-9]{14}\.[a-f0-9]{64}
hubspot-token  starts+edge  developers.hubspot.com  pat-  pat-eu1-<g>  pat-(?:na|eu|ap)\d-[a-f0-9-]{36}
contentful-token  starts  www.contentful.com/developers  CFPAT-  CFPAT-<u43>  CFPAT-[A-Za-z0-9_-]{40,60}
netlify-token  starts+edge  docs.netlify.com  nfp_ nfc_ nfo_  nfp_<a40>  nf[pcoub]_[A-Za-z0-9]{34,60}
supabase-key  starts+edge  supabase.com/docs  sbp_ sb_secret_  sbp_<x40>  (?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})
planetscale-token  starts  planetscale.com/docs  pscale_  pscale_tkn_<u43>  pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}
neon-key  starts+edge  neon.com/docs  napi_  napi_<l64>  napi_[a-z0-9]{40,80}
fly-token  starts+edge  fly.io/docs  fm1 fm2 fo1  fm2_<a120>  (?:fm[12][ar]?_[A-Za-z0-9+/=_-]{80,4000}|fo1_[A-Za-z0-9_-]{40,60})
render-key  starts+edge  render.com/docs  rnd_  rnd_<a32>  rnd_[A-Za-z0-9]{28,40}
mapbox-token  starts+edge  docs.mapbox.com  sk.eyJ  sk.eyJ<a80>.<u22>  sk\.eyJ[A-Za-z0-9_-]{30,200}\.[A-Za-z0-9_-]{15,40}
pulumi-token  starts+edge  www.pulumi.com/docs  pul-  pul-<x40>  pul-[a-f0-9]{40}
postgres-scram  starts  RFC 5802, RFC 7677  SCRAM-SHA-256$  SCRAM-SHA-256$4096:<b22>==$<b43>=:<b43>=  SCRAM-SHA-256\$\d{1,7}:[A-Za-z0-9+/=]{8,60}\$[A-Za-z0-9+/=:]{40,140}
alibaba-key  starts+edge+random  www.alibabacloud.com/help  LTAI  LTAI5t<a18>  LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])
tailscale-key  starts+edge  tailscale.com/kb  tskey-  tskey-auth-<a17>-<a32>  tskey-(?:[a-z]{3,12}-)?[A-Za-z0-9]{10,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}
dynatrace-token  starts+edge  docs.dynatrace.com  dt0  dt0c01.<U24>.<U64>  dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{60,70}
nvidia-key  starts+edge  docs.nvidia.com  nvapi-  nvapi-<u64>  nvapi-[A-Za-z0-9_-]{40,80}
launchdarkly-key  starts+edge  launchdarkly.com/docs  sdk- api- mob-  sdk-<g>  (?:sdk|api|mob)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}(?![A-Za-z0-9])
yandex-key  starts+edge  yandex.cloud/docs  AQVN  AQVN<u35>  AQVN[A-Za-z0-9_-]{34,40}
1password-token  starts+edge  developer.1password.com  ops_ey  ops_eyJ<u400>  ops_eyJ[A-Za-z0-9_=-]{100,4000}
clojars-token  starts  clojars.org  CLOJARS_  CLOJARS_<l60>  CLOJARS_[a-z0-9]{60}
langchain-key  starts+edge  docs.smith.langchain.com  lsv2_  lsv2_pt_<x32>_<x10>  lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,12}
age-secret-key  starts  age-encryption.org  AGE-SECRET-KEY-  AGE-SECRET-KEY-1<U58>  AGE-SECRET-KEY-1[A-Z0-9]{40,70}
extended-private-key  starts+edge  BIP 32  xprv yprv zprv tprv  xprv9s21ZrQH143K<a96>  [xyzt]prv[A-Za-z0-9]{90,120}(?![A-Za-z0-9])
jwt  starts  RFC 7519  eyJ  eyJ<a20>.eyJ<a60>.<u43>  (?<!pk\.)(?:(?<![A-Za-z0-9_])(?<![A-Za-z0-9_-]-)|(?<=%[0-9A-Fa-f]{2}))eyJ[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{8,8000}){1,4}
password-hash  starts  crypt(5), RFC 9106  $  $2b$12$<a53>  \$(?:2[abxy]\$\d\d\$[A-Za-z0-9./]{53}|(?:1|5|6|apr1)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{22,86}|y\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{1,90}\$[A-Za-z0-9./]{20,90}|argon2(?:id|i|d)\$v=\d{1,4}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{16,120})
kerberos-ticket  starts  hashcat.net: Kerberos tickets, from which passwords are guessed  $krb5  $krb5tgs$23$*svc$ACME.ORG$acme/svc*$<x32>$<x160>  \$krb5(?:tgs|asrep|pa)\$[^\s"'\x60]{60,8000}
nkey-seed  starts+edge  docs.nats.io  SA SC SN SO SU SX  SU<U56>  S[ACNOUX][A-Z2-7]{56}(?![A-Za-z0-9])
cloudflare-token  starts+edge  developers.cloudflare.com: tunnels  eyJhIjoi  eyJhIjoi<a160>  eyJhIjoi[A-Za-z0-9+/=]{80,400}
google-code  starts+edge  developers.google.com  4/0A  4/0A<u70>  4/0A[A-Za-z0-9_-]{50,120}
app-key  holds  laravel.com  base64:  base64:<b43>=  (?<![\w;,-])base64:[A-Za-z0-9+/]{43}=
sourcegraph-token  starts+edge  sourcegraph.com/docs  sgp_ slk_  sgp_<x40>  (?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|slk_[a-f0-9]{64})
nostr-key  starts+edge  github.com/nostr-protocol/nips: NIP-19  nsec1  nsec1<l58>  nsec1[a-z0-9]{58}(?![A-Za-z0-9])
aws-session-token  starts+edge  docs.aws.amazon.com: temporary credentials  IQoJb3JpZ2lu FwoGZXIvYXdz  IQoJb3JpZ2lu<b200>  (?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{80,4000}
firecrawl-key  starts+edge  docs.firecrawl.dev  fc-  fc-<x32>  fc-[0-9a-f]{32}(?![A-Za-z0-9])
dingtalk-secret  starts+edge  open.dingtalk.com: robots  SEC  SEC<x64>  SEC[0-9a-f]{64}(?![A-Za-z0-9])
encrypted-private-key  starts+edge+random  BIP 38  6P  6P<B56>  6P[1-9A-HJ-NP-Za-km-z]{56}(?![A-Za-z0-9])
posthog-key  starts+edge  posthog.com/docs  phx_  phx_<a43>  phx_[A-Za-z0-9_]{40,60}
apify-token  starts+edge  docs.apify.com  apify_api_  apify_api_<a36>  apify_api_[A-Za-z0-9-]{30,46}
duffel-token  starts+edge  duffel.com/docs  duffel_  duffel_live_<u43>  duffel_(?:live|test)_[A-Za-z0-9_=-]{40,50}
easypost-key  starts+edge  docs.easypost.com  EZAK EZTK  EZAK<a54>  EZ[AT]K[A-Za-z0-9]{50,60}
flutterwave-key  starts+edge  developer.flutterwave.com  FLWSECK  FLWSECK-<x32>-X  FLWSECK(?:_TEST)?-[a-f0-9]{12,40}(?:-X)?
frameio-token  starts+edge  developer.frame.io  fio-u-  fio-u-<u64>  fio-u-[A-Za-z0-9_=-]{50,80}
infracost-key  starts+edge+random  www.infracost.io/docs  ico-  ico-<a32>  ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])
prefect-key  starts+edge  docs.prefect.io  pnu_ pnb_  pnu_<l36>  pn[ub]_[A-Za-z0-9]{36}(?![A-Za-z0-9])
readme-key  starts+edge  docs.readme.com  rdme_  rdme_<l70>  rdme_[a-z0-9]{60,80}
shippo-token  starts+edge  docs.goshippo.com  shippo_  shippo_live_<x40>  shippo_(?:live|test)_[a-fA-F0-9]{40}
typeform-token  starts+edge  www.typeform.com/developers  tfp_  tfp_<a44>_<a14>  tfp_[A-Za-z0-9_.=-]{40,80}
resend-key  starts+edge+random  resend.com/docs  re_  re_<a8>_<a24>  re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9])
deepl-key  holds+edge  developers.deepl.com  :fx  <g>:fx  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx(?![A-Za-z0-9])
tavily-key  starts+edge  docs.tavily.com  tvly-  tvly-<a32>  tvly-(?:dev-|prod-)?[A-Za-z0-9-]{28,60}
cerebras-key  starts+edge+random  inference-docs.cerebras.ai  csk-  csk-<l48>  csk-[a-z0-9]{40,60}
fireworks-key  starts+edge+random  docs.fireworks.ai  fw_  fw_<a24>  fw_[A-Za-z0-9]{22,30}(?![A-Za-z0-9])
circleci-token  starts+edge  circleci.com/docs  CCIPAT_ CCIPRJ_  CCIPAT_<a22>_<x40>  CCIP(?:AT|RJ)_[A-Za-z0-9]{16,30}_[a-f0-9]{40}
buildkite-token  starts+edge  buildkite.com/docs  bkua_ bkct_  bkua_<x40>  bk(?:ua|ct)_[A-Za-z0-9]{32,60}
artifactory-key  starts+edge  jfrog.com/help  AKCp  AKCp<a69>  AKCp[A-Za-z0-9]{60,75}
artifactory-token  starts+edge  jfrog.com/help  cmVmdGtu  cmVmdGtu<a56>  cmVmdGtu[A-Za-z0-9]{50,60}
octopus-key  starts+edge+random  octopus.com/docs  API-  API-<U32>  API-(?=[A-F0-9]{0,30}[G-Z])[A-Z0-9]{25,36}(?![A-Za-z0-9])
heroku-key  starts+edge  devcenter.heroku.com  HRKU-  HRKU-AA<u58>  HRKU-[A-Za-z0-9_-]{36,70}
asana-token  starts+edge  developers.asana.com  1/ 2/  2/<n16>/<n16>:<x32>  [12]/\d{12,20}(?:/\d{12,20})?:[a-f0-9]{32}
adafruit-key  starts+edge+random  io.adafruit.com  aio_  aio_<a28>  aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])
scalingo-token  starts+edge  developers.scalingo.com  tk-us-  tk-us-<u48>  tk-us-[A-Za-z0-9_-]{40,60}
harness-token  starts+edge  developer.harness.io  pat. sat.  pat.<u22>.<x24>.<a20>  [ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}
facebook-token  starts+edge  developers.facebook.com  EAA  EAAC<a130>  EAA[A-Z][A-Za-z0-9]{80,300}
twitter-token  starts+edge+random  docs.x.com  AAAAAAAAAAAAAAAA  AAAAAAAAAAAAAAAAAAAA<a80>  A{16,26}[A-Za-z0-9%]{60,120}
yandex-token  starts+edge  yandex.ru/dev/id  y0_ y0__  y0_AgAAAA<u50>  y0_{1,2}[A-Za-z0-9_-]{40,80}
42-secret  starts+edge  api.intra.42.fr  s-s4t2  s-s4t2ud-<x64>  s-s4t2(?:ud|af)-[a-f0-9]{64}
elastic-key  starts+edge  www.elastic.co/docs  essu_  essu_<a60>  essu_[A-Za-z0-9+/=]{40,120}
onfido-token  starts+edge  documentation.onfido.com  api_live api_sandbox  api_live.<u11>.<u32>  api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9_-]{10,14}\.[A-Za-z0-9_-]{28,40}
gocardless-token  starts+edge+random  developer.gocardless.com  live_ sandbox_  live_<u40>  (?:live|sandbox)_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])
telnyx-key  starts+edge  developers.telnyx.com  KEY0  KEY0<X31>_<a22>  KEY0[A-F0-9]{31}_[A-Za-z0-9]{20,26}
stytch-secret  starts+edge  stytch.com/docs  secret-live- secret-test-  secret-live-<u36>  secret-(?:live|test)-[A-Za-z0-9_=-]{32,48}
voyage-key  starts+edge+random  docs.voyageai.com  pa-  pa-<u43>  pa-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])
cloudflare-key  starts+edge  developers.cloudflare.com  v1.0-  v1.0-<x24>-<x146>  v1\.0-[a-f0-9]{24}-[a-f0-9]{140,150}
webex-token  holds  developer.webex.com  _  <a64>_PF84_<g>  (?<![A-Za-z0-9])[A-Za-z0-9]{64}_[A-Za-z0-9]{4}_[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}
sumologic-key  holds  help.sumologic.com  :  su<a12>:<a64>  (?<![A-Za-z0-9])su[A-Za-z0-9]{12}:[A-Za-z0-9]{64}(?![A-Za-z0-9])
teamwork-token  starts+edge  apidocs.teamwork.com  tkn.v1_  tkn.v1_<a70>  tkn\.v1_[A-Za-z0-9+/_-]{50,120}=*
newrelic-key  holds  docs.newrelic.com  NRAL  <x36>NRAL  (?<![A-Za-z0-9])(?:eu01xx)?[a-f0-9]{30,36}NRAL(?![A-Za-z0-9])
newrelic-key  starts+edge  docs.newrelic.com  NRIQ- NRII- NRJS-  NRIQ-<u32>  NR(?:IQ|II|JS)-[A-Za-z0-9_-]{19,40}
salesforce-session  holds  help.salesforce.com  00D  00D<a12>!<a96>  (?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,140}
facebook-token  holds+random  developers.facebook.com  |  <n13>|<u27>  (?<![0-9A-Za-z|])\d{13,17}\|[A-Za-z0-9_-]{27}(?![\w|-])
teams-webhook  holds  learn.microsoft.com  office.com/webhook  outlook.office.com/webhook/<g>@<g>/IncomingWebhook/<x32>/<g>  outlook\.office\.com/webhook/[a-f0-9@/-]{60,120}/IncomingWebhook/[a-f0-9/-]{60,100}
dropbox-token  starts+edge  www.dropbox.com/developers  sl.  sl.<u130>  sl\.(?:u\.)?[A-Za-z0-9_-]{100,1200}
token  holds+random  github.blog: token formats  _  acme_<a40>  (?<![A-Za-z0-9_/.-])(?!pk_|phc_)[a-z][a-z0-9]{1,9}(?:_[a-z]{1,8}){0,2}_(?:[A-Za-z0-9]{4,16}_)?(?=[A-Za-z]{0,31}[0-9])(?=[a-z0-9]{0,60}[A-Z])(?=[A-Z0-9]{0,31}[a-z])[A-Za-z0-9]{32,120}(?![A-Za-z0-9_/.(-])
`;
