import { Argument, type Command } from 'commander';
import { define, type Register } from '../command.ts';
import { everyCommand } from '../help.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export const register: Register = (program, context) =>
  define(program, 'completion', 'print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .notes(`
It completes git-mem, and \`git mem\` where git's own completion is loaded.

Examples:
  git mem completion bash > ~/.local/share/bash-completion/completions/git-mem
  git mem completion zsh > "\${fpath[1]}/_git-mem"
  git mem completion fish > ~/.config/fish/conf.d/git-mem.fish`)
    .action((shell: keyof typeof SCRIPTS) => {
      context.stdout.write(SCRIPTS[shell](program));
    });

/** For bash: a function for `git-mem`, and the one that git's completion calls for `git mem`. */
function bashCompletion(program: Command): string {
  const commands = everyCommand(program);
  const cases = commands.map((command) => `    ${names(command).join('|')}) echo "${wordsOf(command)}" ;;`);
  return `# bash completion for git-mem, written by \`git mem completion bash\`
_git_mem_words() {
  case "$1" in
${cases.join('\n')}
    *) echo "${[...commands.flatMap(names), ...options(program).map(({ long }) => long)].join(' ')}" ;;
  esac
}
_git_mem() {
  local command="" skip="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      ${valued(program).join(' | ')} | =) skip=1 ;;
      *)
        if [ -n "$skip" ]; then skip=""; continue; fi
        case "$word" in
          mem | -*) ;;
          *) command="$word"; break ;;
        esac
    esac
  done
  COMPREPLY=($(compgen -W "$(_git_mem_words "$command")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _git_mem git-mem
`;
}

/** For zsh, as the file _git-mem in a folder of fpath; zsh's completion of git calls it for `git mem`. */
function zshCompletion(program: Command): string {
  const commands = everyCommand(program);
  const described = commands.map((command) => `    '${command.name()}:${quoted(command.description())}'`);
  const cases = commands.map((command) => `    ${names(command).join('|')}) compadd -- ${wordsOf(command)} ;;`);
  return `#compdef git-mem
# zsh completion for git-mem, written by \`git mem completion zsh\`
zstyle ':completion:*:*:git:*' user-commands mem:'memory for coding agents'
_git-mem() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  while (( CURRENT > 2 )) && [[ $words[2] == -* ]]; do
    if [[ $words[2] == (${valued(program).join('|')}) ]]; then
      shift words
      (( CURRENT-- ))
    fi
    shift words
    (( CURRENT-- ))
  done
  if (( CURRENT <= 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
  _files
}
_git-mem "$@"
`;
}

/** For fish, as a file in conf.d: a file for git-mem alone is not read when git is completed (fish 3.6 and older). */
function fishCompletion(program: Command): string {
  const lines = everyCommand(program).flatMap((command) => {
    const seen = `complete -c git-mem -n 'contains -- (__git_mem_command) ${names(command).join(' ')}'`;
    const words = followers(command).join(' ');
    return [
      `complete -c git-mem -n 'test -z (__git_mem_command)' -f -a ${command.name()} -d '${quoted(command.description())}'`,
      ...(words === '' ? [] : [`${seen} -f -a '${words}'`]),
      ...options(command).map(({ long, about, choices }) => {
        return `${seen} -l ${long.slice(2)} -d '${quoted(about)}'${choices ? ` -xa '${choices.join(' ')}'` : ''}`;
      }),
    ];
  });
  return `# fish completion for git-mem, written by \`git mem completion fish\`
function __git_mem_command
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    switch $words[1]
      case ${valued(program).join(' ')}
        set -e words[1]
      case '-*'
      case '*'
        echo $words[1]
        return
    end
    set -e words[1]
  end
end
function __git_mem_as_git
  set -l words (commandline -opc)
  while set -q words[1]; and test $words[1] != mem
    set -e words[1]
  end
  complete -C "git-$words "(commandline -ct)
end
complete -c git -f -n '__fish_git_using_command mem' -a '(__git_mem_as_git)'
${lines.join('\n')}
`;
}

function names(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

/** The options before a command that take a value, as they are typed. */
function valued(program: Command): string[] {
  return program.options.filter(({ required }) => required).map(({ long, short }) => long ?? short ?? '');
}

/** The subcommands of a command, and the choices of its first argument. */
function followers(command: Command): string[] {
  return [...command.commands.flatMap(names), ...(command.registeredArguments[0]?.argChoices ?? [])];
}

/** The completions of a command. */
function wordsOf(command: Command): string {
  return [...followers(command), ...options(command).map(({ long }) => long)].join(' ');
}

function options(command: Command): { long: string; about: string; choices?: string[] | undefined }[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description, argChoices: choices }) => (long ? [{ long, about: description, choices }] : []));
}

/** Makes a text safe within single quotes in all three shells. */
function quoted(text: string): string {
  return text.replaceAll("'", '’');
}
