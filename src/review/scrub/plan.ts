import { join, sep } from 'node:path';
import { type Elsewhere, pathspecOf, type Remote, type Traces } from './traces.ts';

/** One step of the plan: its purpose, and commands for a POSIX shell at the top of the repository. */
export interface Step {
  about: string;
  commands: string[];
}

/** The places of a checkout used in the commands; absolute. */
interface Places {
  private: string;
  state: string;
}

/**
 * The steps by which a person removes redacted records from a repository for good. git-mem itself never rewrites
 * history: that breaks every other clone, and their owners have to be told. Steps that are not needed are left out.
 */
export function planOf(
  traces: Traces,
  ids: string[],
  { places, hasFilterRepo, elsewhere }: { places: Places; hasFilterRepo: boolean; elsewhere: Elsewhere },
): Step[] {
  const isOwn = (path: string) => path.startsWith(places.state + sep);
  const { copies } = elsewhere;
  const pages = elsewhere.blobs.filter(({ isPage }) => isPage);
  const others = elsewhere.blobs.filter(({ isPage }) => !isPage);
  const blobs = [...traces.blobs, ...pages];
  const { remotes } = traces;
  const isCommitted = traces.holders.some(({ kind }) => kind !== 'index');
  const steps = [
    traces.isShallow && {
      about: 'This clone is shallow and has only part of the history: fetch the rest first.',
      commands: ['git fetch --unshallow'],
    },
    isCommitted && {
      about: 'Commit what is uncommitted in every working tree, and tell everybody to stop pushing.',
      commands: ['git status --short'],
    },
    // This comes first: once the files are gone, nothing shows which words to look for.
    copies.some((path) => !isOwn(path)) && {
      about: `Its words are in other files too. Take them out by hand, or regenerate exports and pages, and commit: ${copies.filter((path) => !isOwn(path)).join(', ')}.`,
      commands: [],
    },
    others.length > 0 && {
      about: `Older contents of other files hold its words as well. Look at each with \`git show\`, and where it has to go add it to the blobs of the step that rewrites: ${others.map(({ blob, paths }) => `${blob} (${paths.join(', ')})`).join(', ')}.`,
      commands: [],
    },
    traces.personal.length > 0 && {
      about: `Your personal store says it too: ${traces.personal.join(', ')}. It is a repository of its own: redact what says it there (\`git mem redact personal:ID\`), then follow the plan that \`git mem scrub\` prints in its folder.`,
      commands: [],
    },
    removal(traces, ids, places),
    traces.holders.some(({ kind }) => kind === 'stash') && {
      about: 'Stashes hold it. Apply those that are still needed: all of them go.',
      commands: ['git stash list', 'git stash clear'],
    },
    blobs.length + traces.commits.length > 0 && isCommitted && rewriting(blobs, traces, hasFilterRepo),
    traces.tags.length > 0 && {
      about: 'Recreate the tags whose messages repeat it.',
      commands: traces.tags.map((tag) => {
        const name = tag.slice('refs/tags/'.length);
        return `git tag --force --annotate --message='(redacted)' -- ${quoted(name)} ${quoted(`${tag}^{}`)}`;
      }),
    },
    {
      about:
        'Let git forget what nothing reaches any more. This empties the reflogs, and with them the list of stashes.',
      commands: ['git reflog expire --expire=now --expire-unreachable=now --all', 'git gc --prune=now --quiet'],
    },
    {
      about: 'Take it out of the notes of git and git-mem on this machine.',
      commands: ownFiles(ids, places, [...new Set([...copies.filter(isOwn), ...traces.own])]),
    },
    isCommitted && hasFilterRepo && returns(remotes),
    isCommitted && remotes.length > 0 && pushes(traces, hasFilterRepo),
    isCommitted && hasFilterRepo && settles(remotes),
    isCommitted && {
      about:
        'Everybody else: make a fresh clone, or fetch, put every branch on its new upstream (`git rebase --onto`, or `git reset --hard` where there is no own work) and let git forget as above. One merge of an old branch brings it all back. Forks, pull requests and caches of the hosting service have to be cleaned by the service. Whatever was secret has to be changed.',
      commands: [],
    },
    { about: 'See whether anything is left.', commands: [`git mem scrub --verify ${ids.join(' ')}`] },
  ];
  return steps.filter((step) => step !== false);
}

function removal({ worktrees, holders, files }: Traces, ids: string[], places: Places): Step | false {
  const specs = ids.map((id) => quoted(pathspecOf(id))).join(' ');
  const names = ids.map((id) => `-name '*-${id}.md'`).join(' -o ');
  const isIndexed = (path: string) => holders.some(({ kind, name }) => kind === 'index' && name === path);
  const [here = ''] = worktrees;
  const commands = [
    ...worktrees
      .filter(isIndexed)
      .map(
        (path) => `git ${path === here ? '' : `-C ${quoted(path)} `}rm -r --force --quiet --ignore-unmatch -- ${specs}`,
      ),
    // Files that were never added; found by pattern, because a file's name may contain anything.
    ...[...worktrees.map((path) => join(path, '.memory')), places.private]
      .filter((folder) => files.some((file) => file.startsWith(folder + sep)))
      .map((folder) => `find ${quoted(folder)} -type f \\( ${names} \\) -exec rm -f {} +`),
    ...(isIndexed(here) ? ["git diff --cached --quiet || git commit -m 'memory: take out a redacted record'"] : []),
  ];
  return commands.length > 0 && { about: 'Remove the file from every place that has it.', commands };
}

/** By blob, not by path: a copy at another path has the same text. */
function rewriting(blobs: readonly { blob: string }[], { commits, remotes }: Traces, hasFilterRepo: boolean): Step {
  const isTaken = hasFilterRepo && remotes.some(({ name }) => name === 'origin');
  const about = [
    'Rewrite every commit that holds it. Ids of these commits and of all later ones change; signatures go.',
    ...(commits.length > 0 ? ['A message that says it becomes "(redacted)" as a whole.'] : []),
    ...(isTaken ? ['git filter-repo takes the remote "origin" out; a later step puts it back.'] : []),
  ].join(' ');
  const ids = blobs.map(({ blob }) => blob);
  return { about, commands: hasFilterRepo ? filterRepo(ids, commits) : filterBranch(ids, commits) };
}

function filterBranch(blobs: string[], commits: string[]): string[] {
  const expressions = blobs.map((blob) => `-e "s/^[0-7]* ${blob} [0-3]/0 ${blob} 0/p"`).join(' ');
  const index = `git ls-files -s | sed -n ${expressions} | git update-index --index-info`;
  const message = `case $GIT_COMMIT in ${commits.join('|')}) echo "(redacted)";; *) cat;; esac`;
  const filters = [
    ...(blobs.length > 0 ? [`--index-filter ${quoted(index)}`] : []),
    ...(commits.length > 0 ? [`--msg-filter ${quoted(message)}`] : []),
  ].join(' ');
  return [
    `FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch --force ${filters} --tag-name-filter cat -- --all`,
    'git for-each-ref --format="delete %(refname)" refs/original | git update-ref --stdin',
  ];
}

function filterRepo(blobs: string[], commits: string[]): string[] {
  const list = '"$(git rev-parse --git-path redacted-blobs)"';
  const those = commits.map((commit) => `b"${commit}"`).join(', ');
  const message = `if commit.original_id in [${those}]: commit.message = b"(redacted)\\n"`;
  const messages = commits.length > 0 ? ` --commit-callback ${quoted(message)}` : '';
  if (blobs.length === 0) return [`git filter-repo --force${messages}`];
  return [
    `printf '%s\\n' ${blobs.join(' ')} > ${list}`,
    `git filter-repo --force --strip-blobs-with-ids ${list}${messages}`,
    `rm -f -- ${list}`,
  ];
}

/** git filter-repo removes `origin`, so that nobody pushes by mistake. */
function returns(remotes: Remote[]): Step | false {
  const commands = remotes
    .filter(({ name }) => name === 'origin')
    .map(({ url }) => `git remote get-url origin || git remote add origin ${quoted(url)}`);
  return commands.length > 0 && { about: 'Put the remote back, to which the next step pushes.', commands };
}

/** Without the remote's default branch, no record counts as reviewed. */
function settles(remotes: Remote[]): Step | false {
  const commands = remotes
    .filter(({ name }) => name === 'origin' || name === 'upstream')
    .flatMap(({ name, head }) => [
      `git fetch --quiet --prune ${name}`,
      ...(head === undefined ? [] : [`git remote set-head ${name} ${quoted(head)}`]),
    ]);
  return (
    commands.length > 0 && {
      about: 'Set the reviewed branch again, which decides which records are trusted.',
      commands,
    }
  );
}

/** The rebuild removes what the cache and the ledger's lists say about them. */
function ownFiles(ids: string[], { state }: Places, copies: string[]): string[] {
  const drafts = copies.filter((path) => !/\.sqlite(?:-\w+)?$|[\\/]own-\w+$/.test(path));
  const sessions = quoted(join(state, 'sessions'));
  const forget = (id: string) =>
    `if test -d ${sessions}; then find ${sessions} -name '*.json' -exec grep -q ${id} {} \\; -exec rm -f {} \\; ; fi`;
  const removed = drafts.length === 0 ? [] : [`rm -f -- ${drafts.map(quoted).join(' ')}`];
  return [...ids.map(forget), ...removed, 'git mem sync --rebuild'];
}

function pushes({ remotes, holders }: Traces, hasFilterRepo: boolean): Step {
  const heads = new Set(holders.filter(({ kind }) => kind === 'ref').map(({ name }) => name));
  const commands = remotes.flatMap(({ name: remote }) => {
    const prefix = `refs/remotes/${remote}/`;
    // Branches that only the remote has, which `--all` would not update. filter-repo makes local branches of them.
    const alone = [...heads]
      .filter((name) => name.startsWith(prefix) && name !== `${prefix}HEAD`)
      .filter((name) => !heads.has(`refs/heads/${name.slice(prefix.length)}`));
    return [
      ...(hasFilterRepo ? [] : alone).map(
        (name) => `git push --force -- ${quoted(remote)} ${quoted(`${name}:refs/heads/${name.slice(prefix.length)}`)}`,
      ),
      `git push --force --all -- ${quoted(remote)}`,
      `git push --force --tags -- ${quoted(remote)}`,
    ];
  });
  return { about: 'Put the rewritten branches and tags in the place of those that others have.', commands };
}

/** Quotes text as one word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
