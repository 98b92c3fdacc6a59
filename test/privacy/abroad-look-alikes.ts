import { BASE64, DIGITS, type Dice, HEX, LOWER } from './secret-corpus.ts';

/** What resembles the shapes of `abroad-shapes.ts` and holds no secret. */
export const ABROAD_LOOK_ALIKES: Record<string, (dice: Dice) => string[]> = {
  'sealed secret': (d) => [
    `apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: db\nspec:\n  encryptedData:\n    password: AgB${d.chars(BASE64, 120)}==\n    token: AgA${d.chars(BASE64, 700)}=\n`,
    `{"spec":{"encryptedData":{"DB_PASSWORD":"AgC${d.chars(BASE64, 90)}=="}}}`,
  ],
  'talk of passwords': (d) => [
    '密码：至少8位，包含字母和数字\n',
    '密码是必填项。修改密码：见 docs/auth.md\n',
    'パスワード：8文字以上の英数字\n',
    '비밀번호: 필수 입력 항목입니다\n',
    'Пароль: не менее 8 символов. Ключ: см. README.md\n',
    'Das Passwort ist erforderlich. Kennwort: mindestens 12 Zeichen\n',
    'La contraseña es obligatoria; el token es opcional.\n',
    'Le mot de passe est trop court (min-12-chars).\n',
    'Şifre: zorunlu alan. Heslo: povinné.\n',
    `A senha é validada em src/auth/password.ts desde a v1.${d.below(20)}.0.\n`,
    'const 密码 = formData.get("password");\n',
  ],
  'commands without one': (d) => [
    'sqlplus / as sysdba\nsqlplus /nolog @deploy.sql\n',
    `send "ls -la /var/log\\r"\nsend "yes\\r"\nsend "exit\\r"\nsend "show version\\r"\n`,
    'a001 OK LOGIN completed\na002 LOGIN {12}\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\n',
    `CREATE LOGIN svc WITH DEFAULT_DATABASE = app;\nGRANT LOGIN TO svc;\n`,
    'Changed the password policy from 8 to 12 characters.\n',
    `Moved the login page from src/login.tsx to src/auth/login.tsx in ${d.chars(HEX, 7)}.\n`,
    'Switched the secret store from vault-1.14 to vault-1.16.2.\n',
    'Renamed the credentials table from user_credentials to app_credentials.\n',
    'linux / amd64\nubuntu / jammy\ndarwin / arm64\n',
    'curl -u "$USER:$PASSWORD" https://x\ncurl -u user:${TOKEN} https://y\ncurl -u $(whoami):{{ token }} z\n',
    `db.internal:5432:billing:svc_app:*\nsrc/a.ts:${d.below(99) + 10}:5:error:TS2345\n`,
    "define('CACHE_KEY', 'user_posts');\ndefine('AUTH_KEY', 'put your unique phrase here');\ndefine('DB_PASSWORD', getenv('DB_PASSWORD'));\n",
    'net use Z: /delete\nnet use Z: \\\\files\\share *\n',
    'msiexec /p:patch.msp /quiet\ncl /p:release\n',
    'ConvertTo-SecureString "$password" -AsPlainText\n',
    'htpasswd -b .htpasswd deploy "$PASS"\nhtpasswd -c .htpasswd deploy\n',
    `7z x -pnone a.7z\nunrar x -p- a.rar\nrar a -ep1 x.rar\n`,
    'DriverManager.getConnection(url, user, password)\n',
    `lftp -u deploy, sftp://files\nlftp -u $USER,$PASS sftp://files\n`,
    `user / role_admin\ntest / unit\nservice / payments-api-${d.chars(DIGITS, 1)}\n${d.chars(LOWER, 6)} / ${d.chars(LOWER, 7)}\n`,
  ],
};
