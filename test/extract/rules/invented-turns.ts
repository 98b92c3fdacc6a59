import type { Turn, TurnCall } from '../../../src/extract/turn.ts';

let calls = 0;

/** A turn with the parts that a test is about. */
export function turnOf(parts: Partial<Turn>): Turn {
  return {
    session: 's1',
    key: 'k1',
    promptNumber: 1,
    prompt: '',
    promptFrom: 'user',
    calls: [],
    reports: [],
    reply: '',
    interrupted: false,
    startedAt: '2026-11-20T10:00:00Z',
    endedAt: '2026-11-20T10:05:00Z',
    ...parts,
  };
}

function callOf(parts: Partial<TurnCall>): TurnCall {
  calls += 1;
  return {
    id: `c${calls}`,
    tool: 'T',
    action: 'other',
    paths: [],
    ok: true,
    output: '',
    at: '2026-11-20T10:01:00Z',
    ...parts,
  };
}

export const read = (path: string, output = ''): TurnCall =>
  callOf({ tool: 'Read', action: 'read', paths: [path], output });
export const edit = (path: string, removed: string, added: string): TurnCall =>
  callOf({ tool: 'Edit', action: 'edit', paths: [path], change: { removed, added } });
export const write = (path: string, added: string): TurnCall =>
  callOf({ tool: 'Write', action: 'write', paths: [path], change: { removed: '', added } });
export const run = (command: string, output: string, ok: boolean | undefined = true): TurnCall =>
  callOf({ tool: 'Bash', action: 'command', command, output, ok });

/** Turns in the manners of many agents and trades; what they hold is invented. */
export const INVENTED: Record<string, Turn[]> = {
  'terse agent, Go, data race': [
    turnOf({
      prompt: 'metrics endpoint panics under load: "concurrent map writes". fix',
      calls: [
        read('internal/metrics/registry.go'),
        run(
          'go test -race ./internal/metrics/...',
          '--- FAIL: TestParallel (0.01s)\nWARNING: DATA RACE\nFAIL\tgithub.com/acme/x 0.1s',
          false,
        ),
        edit('internal/metrics/registry.go', 'counters map[string]int', 'mu sync.RWMutex\ncounters map[string]int'),
        run('go test -race ./internal/metrics/...', 'ok  \tgithub.com/acme/x/internal/metrics\t1.2s'),
      ],
      reply:
        '`Registry.Inc` wrote to a plain map from every request goroutine. Guarded it with an `RWMutex`; `Snapshot` copies under the read lock. `go test -race` is clean.',
    }),
  ],
  'bullet list agent, Rust, feature with headings and a table': [
    turnOf({
      prompt: 'Please add a --format json flag to `tally report`. Keep the text output as default.',
      calls: [
        read('src/report.rs'),
        write('src/format.rs', 'pub enum Format { Text, Json }'),
        edit('src/main.rs', 'report(args)', 'report(args, args.format)'),
        write('tests/format.rs', '#[test] fn json_output() {}'),
        run('cargo test', 'test result: ok. 23 passed; 0 failed; 0 ignored'),
        run(
          'git add -A && git commit -m "feat(report): add --format json"',
          '[main 4f2c9aa] feat(report): add --format json\n 4 files changed',
        ),
      ],
      reply:
        'Great, I\'ve finished the JSON output! 🎉\n\n## What changed\n\n- **`src/format.rs`**: new `Format` enum (`text` | `json`), parsed by clap\n- **`src/report.rs`**: I split rendering from aggregation so both formats share the same totals\n- `tests/format.rs`: 3 new tests\n\n## Design notes\n\n| Option | Verdict |\n|---|---|\n| `serde_json` | chosen, already a transitive dependency |\n| hand-written JSON | rejected because of escaping |\n\n## Caveats\n\n- Amounts are emitted as strings, not numbers: JavaScript consumers would lose precision above 2^53.\n- The schema is versioned with `"v": 1`; bump it before you rename a field.\n\nAll 23 tests pass. Let me know if you\'d like CSV too!',
    }),
  ],
  'over-chatty agent, PHP, wrong VAT': [
    turnOf({
      prompt: 'invoices for swiss customers show 19% VAT instead of 0. please check',
      calls: [
        read('src/Billing/TaxResolver.php'),
        read('src/Billing/Country.php'),
        run('vendor/bin/phpunit --filter TaxResolverTest', 'FAILURES!\nTests: 9, Assertions: 14, Failures: 1.', false),
        edit('src/Billing/TaxResolver.php', 'if (in_array($c, self::EU))', 'if (Country::isEu($c))'),
        run('vendor/bin/phpunit', 'OK (48 tests, 131 assertions)'),
      ],
      reply:
        "You're absolutely right, and thank you for the report! Let me walk you through what I found. I first looked at `TaxResolver::rateFor()`, and then I noticed that the country code is compared case-sensitively. The customers imported from the old shop have lower-case codes (`ch`), so `in_array('ch', self::NON_EU)` returned false and the resolver fell back to the German rate of 19 %. I've normalised the code in `Country::fromString()` instead of in the resolver, because the OSS export reads the same value. I hope this makes sense! One more thing: 214 existing invoices already carry the wrong rate, and I did not touch them, since correcting issued invoices needs a cancellation document. Would you like me to write a report of the affected invoices? Happy to help with anything else!",
    }),
  ],
  'German prompts and German agent, Java': [
    turnOf({
      prompt: 'Beim Export stürzt der Dienst ab, wenn ein Kunde keine Adresse hat (CRM-881). Bitte beheben.',
      calls: [
        read('src/main/java/de/acme/export/AddressMapper.java'),
        run('mvn -q test', '[ERROR] Tests run: 31, Failures: 0, Errors: 1\n[INFO] BUILD FAILURE', false),
        edit(
          'src/main/java/de/acme/export/AddressMapper.java',
          'c.getAddress().getZip()',
          'Optional.ofNullable(c.getAddress())',
        ),
        run('mvn -q test', 'Tests run: 31, Failures: 0, Errors: 0\nBUILD SUCCESS'),
      ],
      reply:
        'Erledigt. Die Ursache war ein `NullPointerException` in `AddressMapper.toRow`: `getAddress()` liefert für Kunden aus der Altdatenmigration `null`. Ich habe den Mapper auf `Optional` umgestellt, fehlende Felder bleiben in der CSV leer. Bewusst nicht gewählt habe ich einen Platzhalter wie "unbekannt", weil der Importer der Buchhaltung ihn als echten Ort speichert. Achtung: Die Spaltenreihenfolge darf nicht geändert werden, der Importer liest nach Position. Sag Bescheid, wenn ich auch den PDF-Export prüfen soll.',
    }),
  ],
  'apologising agent, TypeScript, revert of its own decision': [
    turnOf({
      prompt: 'cache the price lookups, they are slow',
      calls: [
        read('src/pricing/lookup.ts'),
        write('src/pricing/price-cache.ts', 'export const TTL_MS = 600_000;'),
        edit('src/pricing/lookup.ts', 'fetchPrice(id)', 'cached(id)'),
        run('npx vitest run', 'Tests  18 passed (18)'),
      ],
      reply:
        'Price lookups are now cached in `PriceCache` (in memory, keyed by SKU and currency), which takes the checkout page from 900 ms to 140 ms. The TTL is 10 minutes (`TTL_MS`). Currency rates are also cached for the same time. I kept it per process rather than in Redis because the shop runs on one node.',
    }),
    turnOf({
      promptNumber: 2,
      prompt:
        'no, currency rates must never be cached, finance complained. and 10 minutes is too long, take 60 seconds',
      calls: [
        edit('src/pricing/price-cache.ts', 'TTL_MS = 600_000', 'TTL_MS = 60_000'),
        edit('src/pricing/lookup.ts', 'cachedRate(c)', 'fetchRate(c)'),
        run('npx vitest run', 'Tests  19 passed (19)'),
      ],
      reply:
        'I apologize for the oversight! Currency rates are no longer cached: `lookup.ts` fetches them on every call. The TTL is now 60 seconds instead of 10 minutes. 19 tests pass.',
    }),
  ],
  'plan mode question': [
    turnOf({
      prompt: 'we need soft delete for projects. make a plan first',
      calls: [
        read('app/models/project.rb'),
        run('grep -rn "destroy" app | head', 'app/models/project.rb:12: has_many :tasks, dependent: :destroy'),
      ],
      reply:
        '## Plan\n\n1. Add a `deleted_at` column to `projects` and a partial unique index on `slug` where `deleted_at is null`.\n2. Replace the 14 `destroy` calls with `Project#discard`.\n3. Exclude discarded projects through an explicit scope, not a `default_scope`, because default scopes leak into joins.\n\n**Open question:** should the tasks of a discarded project be discarded too, or only hidden? A cascading discard cannot be undone selectively.\n\nShall I proceed with this plan?',
    }),
  ],
  'failed attempt without a fix': [
    turnOf({
      prompt: 'the nightly import hangs since monday, find out why',
      calls: [
        read('importer/run.py'),
        run(
          'pytest tests/test_import.py -x',
          'FAILED tests/test_import.py::test_large - Timeout\n1 failed, 6 passed',
          false,
        ),
        edit('importer/run.py', 'timeout=None', 'timeout=30'),
        run(
          'pytest tests/test_import.py -x',
          'FAILED tests/test_import.py::test_large - Timeout\n1 failed, 6 passed',
          false,
        ),
        run('git checkout importer/run.py', 'Updated 1 path from the index'),
      ],
      reply:
        "I could not fix this yet. The import hangs in `requests.get` against the supplier's `/delta` endpoint, but a 30 s timeout did not help: the server keeps sending one byte every few seconds, so the read timeout never fires. I reverted my change. What would work is a total deadline around the whole download; `requests` has no option for that.",
    }),
  ],
  'pure rename': [
    turnOf({
      prompt: 'rename UserManager to AccountService everywhere',
      calls: [
        run('git mv lib/user_manager.ex lib/account_service.ex', ''),
        run("grep -rl UserManager lib test | xargs sed -i 's/UserManager/AccountService/g'", ''),
        edit('lib/account_service.ex', 'defmodule UserManager do', 'defmodule AccountService do'),
        run('mix test', '57 tests, 0 failures'),
      ],
      reply:
        'Renamed `UserManager` to `AccountService` in 23 files. The database table is still called `users`, renaming it would need a migration. All tests pass.',
    }),
  ],
  'dependency upgrade': [
    turnOf({
      prompt: 'upgrade jackson to 2.18, the scanner reports CVE-2025-1234',
      calls: [
        edit('build.gradle', 'jackson:2.15.2', 'jackson:2.18.1'),
        run('./gradlew test', 'BUILD FAILED in 12s\n212 tests completed, 3 failed', false),
        edit('src/main/kotlin/Json.kt', 'enableDefaultTyping()', 'activateDefaultTyping(validator)'),
        run('./gradlew test', 'BUILD SUCCESSFUL in 14s'),
      ],
      reply:
        'Jackson is now at 2.18.1, which closes CVE-2025-1234. Three tests failed at first because 2.16 removed `enableDefaultTyping()`; `Json.kt` now uses `activateDefaultTyping` with an allow-list of our own packages. Custom modules must register through `Json.mapper`, a mapper created elsewhere does not get the allow-list.',
    }),
  ],
  'docs only': [
    turnOf({
      prompt: 'write down in the README how to run the thing locally',
      calls: [read('docker-compose.yml'), edit('README.md', '# App', '# App\n\n## Run locally')],
      reply:
        'I added a "Run locally" section to `README.md`. It needs Docker Compose 2.20 or newer, because the file uses `include`. The seed script has to run once before the first login (`make seed`), otherwise there is no admin user.',
    }),
  ],
  'config only': [
    turnOf({
      prompt: 'nginx returns 413 for uploads over 1 MB, we need 20',
      calls: [
        read('deploy/nginx.conf'),
        edit('deploy/nginx.conf', 'server {', 'server {\n  client_max_body_size 20m;'),
      ],
      reply:
        'Set `client_max_body_size 20m` in the `server` block of `deploy/nginx.conf`; the default is 1m. The ingress in front has its own limit (`proxy-body-size`, 10m in `deploy/ingress.yaml`), so uploads between 10 and 20 MB will still fail until that is raised as well. I did not change it because it is managed by the platform team.',
    }),
  ],
  'security fix': [
    turnOf({
      prompt: 'pentest found a path traversal in /download?file=. fix + test',
      calls: [
        read('server/download.py'),
        write('tests/test_download.py', 'def test_traversal(): ...'),
        run('pytest -q', '1 failed, 11 passed', false),
        edit('server/download.py', 'open(os.path.join(BASE, name))', 'safe_join(BASE, name)'),
        run('pytest -q', '12 passed in 0.4s'),
      ],
      reply:
        "Sure! The handler joined `BASE` with the raw `file` parameter, so `../../etc/passwd` left the folder. I now resolve the path and refuse anything outside `BASE` with 404 (not 403, so that the existence of files is not revealed). Symlinks inside `BASE` that point outside are refused too. Don't use `os.path.abspath` for such checks: it does not follow symlinks.",
    }),
  ],
  'French prompt and agent': [
    turnOf({
      prompt: 'Le tri des factures est faux quand le montant dépasse 1000 €. Peux-tu corriger ?',
      calls: [
        read('src/tri.ts'),
        edit('src/tri.ts', 'a.montant > b.montant', 'Number(a.montant) - Number(b.montant)'),
        run('npm test', 'Tests: 12 passed, 12 total'),
      ],
      reply:
        "C'est corrigé. Les montants étaient comparés comme des chaînes, donc « 1000 » passait avant « 200 ». J'ai converti les montants en nombres dans `trierFactures`. Attention : les montants avec une virgule ne sont pas encore gérés.",
    }),
  ],
  'several small fixes in one turn': [
    turnOf({
      prompt: 'fix the three issues from the review',
      calls: [
        edit('pkg/api/handler.go', 'x', 'ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)'),
        edit('pkg/store/pg.go', 'rows', 'defer rows.Close()'),
        edit('pkg/store/pg_test.go', 'a', 'TestClose'),
        run('go test ./...', 'ok  \tx/pkg/api\t0.1s\nok  \tx/pkg/store\t0.2s'),
        run("git commit -am 'fix: review findings of #231'", '[fix/231 aa11bb2] fix: review findings of #231'),
      ],
      reply:
        'All three are fixed:\n\n1. **Timeout**: `GetOrder` now gives the database 5 s via `context.WithTimeout`; before, a hung connection blocked the handler forever.\n2. **Leak**: `pg.List` never closed its rows, so the pool (size 10) was exhausted after 10 requests. Added `defer rows.Close()`.\n3. **Naming**: `GetAll` is now `List`.\n\nCommitted as aa11bb2. Next I would look at `pg.Save`, it has the same missing timeout.',
    }),
  ],
  'run the tests only': [
    turnOf({
      prompt: 'run the tests',
      calls: [run('npm test', 'Tests: 44 passed, 44 total')],
      reply: 'All 44 tests pass.',
    }),
  ],
  thanks: [turnOf({ prompt: 'thanks!', reply: "You're welcome! Let me know if you need anything else." })],
  'plain commit': [
    turnOf({
      prompt: 'commit please',
      calls: [run('git add -A && git commit -m "feat: csv export"', '[main 1a2b3c4] feat: csv export')],
      reply: 'Committed as `1a2b3c4` ("feat: csv export").',
    }),
  ],
};
