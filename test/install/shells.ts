/**
 * Tests the shell completion of the installed program in several shells. `npm test` also tests it
 * in bash.
 */

import type { Place } from './place.ts';

/**
 * How a shell loads the completion: it finds a file of the package automatically (`by itself`), or
 * the user adds a line to a start file (`by a line`).
 */
type Loads = 'by itself' | 'by a line';

/**
 * zsh functions that print the completions. Without them, zsh would need a terminal to show the
 * completions.
 */
const ZSH = `
_describe() { print -l -- "\${(@P)4}"; }
compadd() { print -l -- "$@"; }
_files() { print files; }
words=(holdfast service st); CURRENT=3; _holdfast
words=(holdfast up ''); CURRENT=3; _holdfast`;

const FISH = 'complete -C "holdfast service st"; complete -C "holdfast up /etc/pass"';

const BASH = 'COMP_WORDS=(holdfast service st); COMP_CWORD=2; _holdfast; echo "${COMPREPLY[*]}"';

const LOADS: Readonly<Record<Loads, Readonly<Record<'bash' | 'zsh' | 'fish', string>>>> = {
  'by itself': {
    // The loader returns 124, which makes bash repeat the completion.
    bash: '. /usr/share/bash-completion/bash_completion; _completion_loader holdfast || [ $? = 124 ]',
    zsh: 'autoload -Uz compinit; compinit -u -D; [[ $_comps[holdfast] == _holdfast ]] || exit 1',
    fish: '',
  },
  'by a line': {
    bash: 'eval "$(holdfast completion bash)"',
    zsh: 'compdef() { :; }; eval "$(holdfast completion zsh)"',
    fish: 'holdfast completion fish | source',
  },
};

const CLAIMS = [
  ['bash', ['--norc', '-c'], BASH, ['start', 'status', 'stop']],
  ['zsh', ['-f', '-c'], ZSH, ['start:start the service', 'files']],
  ['fish', ['-c'], FISH, ['start\tstart the service', '/etc/passwd']],
] as const;

/** Tests the completion in each shell. Throws an error if a shell is missing. */
export function proveShells({ run }: Place, loads: Loads): void {
  for (const [shell, options, script, parts] of CLAIMS) {
    const said = run([shell, ...options, `${LOADS[loads][shell]}\n${script}`]);
    for (const part of parts) {
      if (!said.includes(part)) throw new Error(`complete in ${shell}: no ${part} in:\n${said}`);
    }
    process.stdout.write(`${shell}: completes\n`);
  }
}
