import { ALNUM, DIGITS, type Dice, HEX, LOWER, UPPER } from './secret-corpus.ts';

/** Texts that resemble secrets and hold none: hashes, ids, code, placeholders, documentation and talk. */
export function lookAlikes(dice: Dice, rounds: number): string[] {
  return Array.from({ length: rounds }).flatMap(() => [
    ...identifiers(dice),
    ...keyNames(dice),
    ...placeholders(dice),
    ...code(dice),
    ...talk(dice),
  ]);
}

const BASE64 = `${ALNUM}+/`;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

function uuid(dice: Dice): string {
  return [8, 4, 4, 4, 12].map((length) => dice.chars(HEX, length)).join('-');
}

/** Names under which keyrings keep tokens. */
function keyNames(dice: Dice): string[] {
  const host = `${dice.chars(LOWER, 5)}-${dice.chars(DIGITS, 1)}.auth.example.io`;
  return [
    `The password: entire:${host}:refresh is only the name in the keyring`,
    `password "entire:<host>:refresh", account of the user`,
    `token = "app:localhost:${dice.chars('123456789', 4)}:access"`,
    `keyring.Get("entire:${host}:refresh", user)`,
  ];
}

function identifiers(dice: Dice): string[] {
  const sha = dice.chars(HEX, 40);
  const id = dice.chars(CROCKFORD, 10);
  const digest = dice.chars(HEX, 64);
  return [
    `commit ${sha}\nAuthor: Bo <bo@example.org>\n\n    auth: rotate the session token on login\n`,
    `${sha.slice(0, 7)} fix: token refresh (#${dice.chars('123456789', 3)})\n${dice.chars(HEX, 7)} feat: password reset\n`,
    `index ${sha.slice(0, 7)}..${dice.chars(HEX, 7)} 100644\n--- a/src/auth/token.ts\n+++ b/src/auth/token.ts\n`,
    `"integrity": "sha512-${dice.chars(BASE64, 86)}==",\n"resolved": "https://registry.example.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz"`,
    `id: "${id}"\nkind: observation\nanchors: {"src/auth.ts": "${sha}", "src/clock.ts": "${dice.chars(HEX, 40)}"}\nsupersedes: ["${dice.chars(CROCKFORD, 10)}"]\n`,
    `session: "${uuid(dice)}"\nprompt_number: ${dice.below(9)}\ndiscovery_tokens: ${dice.chars('123456789', 5)}\n`,
    `.memory/observations/2026-11/20261120T200501Z-token-rejected-when-clock-runs-ahead-${id}.md`,
    `image: registry.internal/api@sha256:${digest}\npullPolicy: Always\n`,
    `github.com/golang-jwt/jwt v3.2.2+incompatible h1:${dice.chars(BASE64, 43)}=\n`,
    `name = "secrecy"\nversion = "0.8.0"\nchecksum = "${digest}"\n`,
    `{"requestId":"${uuid(dice)}","path":"/v1/tokens","status":401,"ms":12}`,
    `ETag: "${dice.chars(HEX, 32)}"\nX-Request-Id: ${uuid(dice)}\nCache-Control: no-store\n`,
    `dist/assets/login-${dice.chars(ALNUM, 8)}.js  12.40 kB\ndist/assets/password-reset-${dice.chars(HEX, 8)}.css  1.02 kB\n`,
    `trace_id=${dice.chars(HEX, 32)} span_id=${dice.chars(HEX, 16)} msg="auth ok" user_id=${dice.chars(DIGITS, 6)}`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${dice.chars(BASE64, 43)} deploy@build\n`,
    `SHA256:${dice.chars(BASE64, 43)} deploy@build (ED25519)\n`,
    `-----BEGIN CERTIFICATE-----\n${dice.chars(BASE64, 64)}\n${dice.chars(BASE64, 64)}\n-----END CERTIFICATE-----\n`,
    `-----BEGIN PUBLIC KEY-----\n${dice.chars(BASE64, 64)}\n-----END PUBLIC KEY-----\n`,
    `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${dice.chars(BASE64, 120)}==">`,
    `arn:aws:secretsmanager:eu-central-1:${dice.chars(DIGITS, 12)}:secret:prod/db-${dice.chars(ALNUM, 6)}`,
    `toolu_${dice.chars(ALNUM, 24)} finished; msg_${dice.chars(ALNUM, 24)} stop_reason=end_turn`,
    `cache-key: npm-linux-${digest}\nrestore-keys: npm-linux-\n`,
    `  primary_key: usr_${dice.chars(LOWER, 6)}_${dice.chars(DIGITS, 4)}\n  sort_key: 2026-11-20#${dice.chars(DIGITS, 4)}\n`,
    `"public_key": "${dice.chars(HEX, 64)}"`,
    `docker run acme/auth:${sha.slice(0, 12)} --port 8080`,
    `https://git.example.org:8443/acme/app/-/blob/${sha}/src/token.ts#L12`,
  ];
}

function placeholders(dice: Dice): string[] {
  const name = dice.pick(['API_KEY', 'DB_PASSWORD', 'AUTH_TOKEN', 'CLIENT_SECRET', 'STRIPE_SECRET_KEY']);
  const lower = name.toLowerCase();
  return [
    `${name}=\nPORT=8080\n`,
    `${name}=changeme\n`,
    `${name}=<your-${lower.replaceAll('_', '-')}>\n`,
    `${name}=your-${lower.replaceAll('_', '-')}-here\n`,
    `${name}=\${${name}}\nOTHER=\${${name}:-}\n`,
    `${name}=$(cat /run/secrets/${lower})\n`,
    `${name}=xxxxxxxxxxxxxxxx\n`,
    `${name}=********\n`,
    `${name}=...\n`,
    `${lower}: "{{ .Values.${lower} }}"\n`,
    `${lower}: \${{ secrets.${name} }}\n`,
    `${lower}: <redacted>\n${lower}_file: /run/secrets/${lower}\n`,
    `"${lower}": null, "${lower}_required": true`,
    `"${lower}": "string"`,
    `  - name: ${name}\n    valueFrom:\n      secretKeyRef:\n        name: api-credentials\n        key: ${lower}\n`,
    `curl -H "Authorization: Bearer $${name}" https://api.example.org`,
    `curl -H 'Authorization: Bearer <token>' -u "$USER:$PASS" https://api.example.org`,
    `postgres://user:password@localhost:5432/app`,
    `postgres://\${DB_USER}:\${DB_PASSWORD}@db:5432/app`,
    `mysql://root:****@db.internal/app and redis://localhost:6379/0`,
    `export ${name}=op://vault/item/${lower}`,
    `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx and sk-your-api-key-here`,
    `password=... and api_key=api_key, token=TOKEN`,
    `{"password":"[redacted:password]","token":"[REDACTED]"}`,
    `const secret = 'unit-test-only';`,
    `docker login -u "$DOCKER_USER" -p "$DOCKER_PASS"`,
    `docker run -d -u node:node -p 8080:80 -e TZ=UTC acme/auth:1.4`,
    `mkdir -p src/auth/tokens && git log -p src/password-reset.ts`,
    `ssh -p 2222 deploy@build.internal; rsync -a build.internal:/srv/app-2026 ./backup`,
    `psql -U app -d billing -h db.internal; mysql -u root -p billing`,
    `kubectl get secret api-credentials -n prod -o name`,
    `docker run -p 5432:5432 -e POSTGRES_PASSWORD=postgres postgres:16.4`,
    `Data\n====\npassword:  ${dice.chars('123456789', 2)} bytes\nusername:  5 bytes\n`,
  ];
}

function code(dice: Dice): string[] {
  const fn = dice.pick(['getPassword', 'readSecret', 'loadToken', 'resolveCredential']);
  return [
    `const password = ${fn}();`,
    `const token = await sign({ sub: user.id }, config.secret, { algorithm: 'HS256' });`,
    `function login(user: string, password: string): Promise<Token> {`,
    `interface Session {\n  token: string;\n  refreshToken?: string | undefined;\n  secret: Buffer;\n}`,
    `password = os.environ["DB_PASSWORD"]\ntoken = request.headers.get("Authorization")`,
    `this.token = options.token ?? process.env.API_TOKEN;`,
    `if (password !== confirmPassword) throw new Error('passwords differ');`,
    `token = tokens[index + 1]`,
    `const apiKey = req.headers['x-api-key'];`,
    `password_hash = bcrypt.hashpw(password.encode(), salt)`,
    `secret: crypto.randomBytes(32).toString('hex'),`,
    `def authenticate(username: str, password: str = None, token: Optional[str] = None) -> bool:`,
    `auth := middleware.NewAuthenticator(cfg.Auth, logger)`,
    `z.object({ password: z.string().min(8), token: z.string().uuid() })`,
    `max_tokens: ${dice.chars('123456789', 4)}, token_count: 812, tokens: { input: 1200, output: 300 }`,
    `tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")`,
    `.sk-fading-circle-container .password-input:focus { color: #${dice.chars(HEX, 6)}; }`,
    `import { signToken, verifyPassword } from '../auth/jwt-helpers.ts';`,
    `<input type="password" name="password" placeholder="Your password" autocomplete="current-password">`,
    `"auth.password.required": "Please enter your password.", "auth.token.expired": "The token has expired."`,
    `test('rejects a token whose iat lies ${dice.below(90) + 10} s ahead', async () => {`,
    `    at verifyToken (/repo/src/auth/token.js:${dice.below(200) + 10}:15)\n    at authenticate (/repo/src/auth/index.js:8:3)`,
    `✔ hashes the password with argon2id (${dice.below(90) + 10}.${dice.chars(DIGITS, 4)}ms)`,
    `expect(secretName('token_count')).toBeUndefined();`,
    `key: \${{ runner.os }}-\${{ hashFiles('**/package-lock.json') }}`,
    `SELECT id, password_hash, token_expires_at FROM users WHERE api_key_id = $1;`,
    `ALTER TABLE users ADD COLUMN reset_token varchar(64) NOT NULL DEFAULT '';`,
    `resource "aws_secretsmanager_secret" "db_password" {\n  name = "prod/db_password"\n}`,
    `credentials: { provider: "vault", path: "kv/data/${dice.chars(LOWER, 8)}" }`,
    `Map<string, Token> tokensByUser = new HashMap<>();`,
  ];
}

function talk(dice: Dice): string[] {
  const file = dice.pick(['src/auth.ts', 'lib/session.py', 'cmd/login/main.go']);
  return [
    'The password is validated before the session is created, and the token is refreshed on every request.',
    `The token check in ${file} compares iat with the clock; 30 seconds of skew are allowed now.`,
    `Removed the secret in ${dice.chars(HEX, 40)} and rotated it; see commit ${dice.chars(HEX, 12)}.`,
    'Password reset: users get a mail with a link that is valid for 15 minutes.',
    'Use HS256 for the token, or RS256 where the key is shared between services.',
    `The API key belongs in .env, never in ${file}. Authorization: Bearer is the header.`,
    `auth: allow 30 s of clock skew (RFC 7519)\nsecret scanning: 0 findings in 214 files`,
    `Tokens: ${dice.chars('123456789', 5)} read, ${dice.chars('123456789', 6)} saved (94 %).`,
    'The basic auth middleware rejects requests without credentials with 401.',
    'Secrets are read with getSecretValue from AWS Secrets Manager at start-up.',
    `Session ${uuid(dice)} ended after ${dice.below(50)} tool calls.`,
    'Basic authentication over http is refused. Bearer authentication is required.',
    `git@github.com:acme/auth-service.git (fetch)\nhttps://example.org:8443/@scope/package`,
    `npm warn deprecated request-promise@4.2.6\nadded 214 packages, and audited 215 packages in ${dice.below(9)}s`,
    `The password policy: at least 12 characters, one digit, one of !@#$%.`,
    `Reads the token from the ${dice.pick(['X-Auth-Token', 'Authorization'])} header, then from the cookie session_id.`,
    `Cookie: theme=dark; lang=en; consent=accepted-all-cookies`,
    `Set-Cookie: session=; Max-Age=0; Path=/; HttpOnly`,
    `The auth tests take ${dice.below(900)} ms; auth/session.test.ts is the slowest.`,
    `| name | type | secret |\n|---|---|---|\n| password | string | yes |\n| api_key | string | yes |\n`,
    `Error: invalid token at position ${dice.below(400)} in JSON; unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
    `${dice.chars(UPPER, 4)}-${dice.chars('123456789', 3)}: token expiry is wrong when TZ=Europe/Berlin`,
    'Password hashing moved from sha256 to argon2id; the pepper comes from the key management service.',
    `private key rotation: key ids are kid-2026-11 and kid-2026-12, see docs/keys.md`,
  ];
}
