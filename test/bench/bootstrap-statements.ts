import { essence, type ParsedRecord, type questions } from './bootstrap-parsed.ts';

type Check = (
  record: ParsedRecord,
  git: ReturnType<typeof questions>,
  confirm: (statement: string, isTrue: boolean, answer: string) => void,
) => void;

/** One for each kind of statement. */
export const CHECKS: Check[] = [
  anchors,
  commits,
  files,
  places,
  quotations,
  reverts,
  sharedLines,
  together,
  habits,
  examples,
];

function anchors(
  { anchors: blobs, commit, at }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  const day = git.day(commit);
  confirm(`it is about ${commit} of ${at}`, day === at.slice(0, 10), day);
  for (const [path, blob] of Object.entries(blobs)) {
    const there = git.ask('rev-parse', `${commit}:${path}`).trim();
    confirm(`${path} was ${blob} in ${commit}`, there === blob, there);
  }
}

function commits(
  { named, narrative, facts, commit, pattern }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  for (const id of named) {
    const type = git.ask('cat-file', '-t', id).trim();
    confirm(`${id} is a commit`, type === 'commit', type);
    const isPast = git.ask('merge-base', id, 'HEAD').trim().startsWith(id);
    confirm(`${id} is in the history`, isPast, git.ask('merge-base', id, 'HEAD'));
  }
  for (const [, id = '', day = ''] of narrative.matchAll(/\b([0-9a-f]{10}) (?:of|on) (\d{4}-\d\d-\d\d)/g)) {
    confirm(`${id} is of ${day}`, git.day(id) === day, git.day(id));
  }
  for (const fact of facts) {
    const [, id = '', day = '', subject = ''] =
      /^(?:[\w ]+: )?([0-9a-f]{10}) \((\d{4}-\d\d-\d\d)\): (.*)$/.exec(fact) ?? [];
    if (id === '') continue;
    confirm(`${id} is of ${day}`, git.day(id) === day, git.day(id));
    const isQuoted =
      essence(git.subject(id)).startsWith(essence(subject)) || /left out|redacted|no subject/.test(subject);
    confirm(`${id} says "${subject}"`, isQuoted, git.subject(id));
  }
  const isHistory = !/^(?:command|layout|rule|convention)$/.test(pattern) && named.length > 0;
  if (isHistory)
    confirm(
      `${commit} is cited`,
      named.some((id) => commit.startsWith(id)),
      named.join(', '),
    );
}

function files(
  { files: paths, named, commit }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  for (const path of paths) {
    const isThere = [commit, ...named].some((id) => {
      return git.ask('cat-file', '-t', `${id}:${path}`).trim() === 'blob' || git.files(id).includes(path);
    });
    confirm(`${path} is a file of ${[commit.slice(0, 10), ...named].join(', ')}`, isThere, 'no such file there');
  }
}

function places(
  { narrative, facts, commit }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  const near = (path: string, line: number, words: string) => {
    const lines = git
      .ask('show', `${commit}:${path}`)
      .split('\n')
      .slice(line - 1, line + 14)
      .join(' ');
    const isThere = essence(lines).includes(essence(words.replace(/…$/, '')));
    confirm(`${path}:${line} says "${words}"`, isThere && lines !== '', lines.slice(0, 200));
  };
  for (const fact of facts) {
    const [, path = '', line = '', words = ''] = /^(\S[^:]*):(\d+): (.*)$/.exec(fact) ?? [];
    if (path !== '') near(path, Number(line), words);
    const [, said = '', of = '', at = ''] = /: "(.*)" \(([^():]+):(\d+)\)$/.exec(fact) ?? [];
    if (of !== '') near(of, Number(at), said);
  }
  for (const [, words = '', path = '', line = ''] of narrative.matchAll(
    /(?:"([^"]+)"|`([^`]+)`)? ?\(([^()\s:]+):(\d+)\)/g,
  )) {
    if (words && path) near(path, Number(line), words);
  }
  for (const [, command = '', path = '', line = ''] of narrative.matchAll(/`([^`]+)` \(([^()\s:]+):(\d+)\)/g)) {
    // A task is called by its name, which stands in the line that declares it.
    const own = git.ask('show', `${commit}:${path}`).split('\n')[Number(line) - 1] ?? '';
    const name = command.split(' ').at(-1) ?? '';
    const isThere = essence(own).includes(essence(command)) || essence(own).includes(essence(name));
    confirm(`${path}:${line} has \`${command}\``, isThere, own);
  }
}

function quotations(
  { narrative, named }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  const [, words] =
    /(?:[Mm]essage(?: of [0-9a-f]{10})?|It|merged by [0-9a-f]{10}\)) says: "(.*)" (?:Do not|It is in|When you|[0-9a-f]{10} of)/s.exec(
      narrative,
    ) ?? [];
  if (words === undefined) return;
  const isSaid = named.some((id) => essence(git.message(id)).includes(essence(words.replace(/…$/, ''))));
  confirm(`a message says "${words}"`, isSaid, named.join(', '));
}

function reverts(
  { pattern, narrative, title }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  if (pattern !== 'revert') return;
  const [, by = ''] = /was taken back by ([0-9a-f]{10})/.exec(narrative) ?? [];
  confirm(
    `${by} takes something back`,
    /revert|back(?:s|ed)? ?out|roll(?:s|ed)? ?back|undo/i.test(git.message(by)),
    git.message(by),
  );
  const [, original = ''] = /^Commit ([0-9a-f]{10})/.exec(narrative) ?? [];
  if (original === '') return;
  const message = git.message(by);
  const full = git.ask('rev-parse', original).trim();
  const ids = message.match(/\b[0-9a-f]{7,40}\b/g) ?? [];
  const number = /\(#(\d+)\)\s*$|pull request #(\d+)/.exec(git.subject(original));
  const bare = git.subject(original).replace(/\s*\(#\d+\)$/, '');
  const isNamed =
    ids.some((id) => full.startsWith(id)) ||
    essence(message).includes(essence(bare)) ||
    (number !== null && message.includes(`#${number[1] ?? number[2]}`));
  confirm(`${by} takes back ${original}`, isNamed, message);
  const isOlder = git.ask('merge-base', original, by).trim().startsWith(original);
  confirm(`${original} is older than ${by}`, isOlder, git.ask('merge-base', original, by));
  const isAgain = /^Reverted, then applied again/.test(title);
  confirm('the title says what became of it', isAgain === /applied it again/.test(narrative), title);
}

/** Each line of a fix that a later one changed, by `git blame` and the later one's own patch. */
function sharedLines(
  { pattern, narrative }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  if (pattern !== 'fix-chain') return;
  const [, first = ''] = /^([0-9a-f]{10}) of/.exec(narrative) ?? [];
  for (const [, later = '', count = ''] of narrative.matchAll(
    /([0-9a-f]{10}) of [\d-]+ changed (\d+) lines? of it again/g,
  )) {
    const changed = git
      .files(later)
      .filter(Boolean)
      .flatMap((path) => {
        const patch = git.ask('diff', '-U0', '--no-renames', `${later}^`, later, '--', path);
        const lines = [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)].flatMap(([, from = '', many]) => {
          return Array.from({ length: Number(many ?? 1) }, (_, i) => Number(from) + i);
        });
        if (lines.length === 0) return [];
        const blamed = git.ask('blame', '-l', '-s', `${later}^`, '--', path).split('\n');
        return lines.filter((line) => blamed[line - 1]?.replace(/^\^/, '').startsWith(first));
      });
    confirm(`${later} changed ${count} lines of ${first}`, changed.length >= Number(count), `${changed.length} lines`);
  }
}

function together(
  { pattern, narrative }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  if (pattern !== 'co-change') return;
  const match = /When you change (.+), look whether (.+) has to follow: of (\d+) commits .*?, (\d+) changed both/.exec(
    narrative,
  );
  const [, cause = '', effect = '', all = '', both = ''] = match ?? [];
  const [ofCause, ofEffect] = [git.commits(cause), new Set(git.commits(effect))];
  confirm(`${all} commits changed ${cause}`, ofCause.length === Number(all), String(ofCause.length));
  const shared = ofCause.filter((id) => ofEffect.has(id)).length;
  confirm(`${both} changed ${effect} too`, shared === Number(both), String(shared));
}

function habits(
  { pattern, title, narrative, facts }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  const [, count = '', all = ''] = /(\d+) of the newest (\d+) commits, merges aside/.exec(narrative) ?? [];
  if (pattern !== 'convention' || count === '') return;
  const subjects = git
    .ask('log', '--no-merges', `-${all}`, '--format=%s')
    .split('\n')
    .filter((_, i) => i < Number(all));
  confirm(`there are ${all} commits`, subjects.length === Number(all), String(subjects.length));
  const form = /"type/.test(title) ? /^\w+(\([^)]*\))?!?: \S/ : /"area:/.test(title) ? /^[\w./*, -]+: \S/ : undefined;
  const having = form && subjects.filter((subject) => form.test(subject)).length;
  if (having !== undefined)
    confirm(`${count} have the form`, having >= Number(count) && having - Number(count) <= 10, String(having));
  if (/Signed-off-by|signoff/.test(title)) {
    const bodies = git.ask('log', '--no-merges', `-${all}`, '--format=%x00%B').split('\0').slice(1);
    const signed = bodies.filter((body) => /^Signed-off-by: /m.test(body)).length;
    confirm(`${count} are signed off`, signed === Number(count), String(signed));
  }
  for (const [, type = '', n = ''] of facts
    .find((fact) => fact.startsWith('Types: '))
    ?.matchAll(/([\w]+) \((\d+)\)/g) ?? []) {
    const own = subjects.filter((subject) => new RegExp(`^${type}(\\([^)]*\\))?!?: \\S`).test(subject)).length;
    confirm(`${n} are of the type ${type}`, Math.abs(own - Number(n)) <= 0, String(own));
  }
}

/** Names that are given as examples of what a folder holds. */
function examples(
  { pattern, facts, commit }: ParsedRecord,
  git: Parameters<Check>[1],
  confirm: Parameters<Check>[2],
): void {
  if (pattern !== 'layout') return;
  const paths = git.ask('ls-tree', '-r', '--name-only', commit).split('\n');
  for (const fact of facts) {
    const [, folder = '', names] = /^(\S+\/): (?:.*?such as (.+))?/.exec(fact) ?? [];
    confirm(`there is a folder ${folder}`, folder !== '' && paths.some((path) => path.startsWith(folder)), fact);
    for (const name of names?.split(/, | and /) ?? []) {
      const isThere = paths.some((path) => path.startsWith(folder) && path.endsWith(`/${name}`));
      confirm(`${folder} holds ${name}`, isThere, fact);
    }
  }
}
