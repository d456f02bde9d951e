/**
 * Defines the completion scripts of the shells. They run `holdfast completion line`. This command
 * prints one `VALUE<tab>DESCRIPTION` per line, and `:files` if the shell should complete files.
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** The bash script. It works with bash 3.2 (macOS) and without bash-completion. */
const BASH = `# Completion of holdfast for bash: eval "$(holdfast completion bash)"
_holdfast() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null || COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
      */$'\\t'*) compopt -o nospace 2>/dev/null; COMPREPLY+=("\${line%%$'\\t'*}") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(holdfast completion line -- "\${words[@]}" 2>/dev/null)
}
complete -F _holdfast holdfast
`;

const ZSH = `#compdef holdfast
# Completion of holdfast for zsh: eval "$(holdfast completion zsh)", or as _holdfast in a folder of $fpath
_holdfast() {
  local line value files
  local -a found places
  for line in "\${(@f)$(holdfast completion line -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=1 ;;
      *)
        value=\${line%%$'\\t'*}
        if [[ $value == */ ]]; then places+=("$value"); else found+=("\${value//:/\\\\:}:\${line#*$'\\t'}"); fi ;;
    esac
  done
  (( $#found )) && _describe -t holdfast holdfast found
  (( $#places )) && compadd -S '' -- $places
  [[ -n $files ]] && _files
  return 0
}
if [[ \${funcstack[1]-} == _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
`;

const FISH = `# Completion of holdfast for fish: holdfast completion fish | source
function __holdfast_complete
    set -l begun (commandline -ct)
    set -l words (commandline -opc)
    for line in (holdfast completion line -- $words[2..-1] "$begun" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$begun"
        else
            echo $line
        end
    end
end
complete -c holdfast -f -a '(__holdfast_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
