/** Tests the completion of the installed program in the shells. `npm test` also tests it in bash. */

import { execFileSync } from 'node:child_process';

/** zsh functions that print the completions instead of showing them, because that needs a terminal. */
const ZSH = `
compdef() { :; }
_describe() { print -l -- "\${(@P)4}"; }
compadd() { print -l -- "$@"; }
_files() { print files; }
eval "$(holdfast completion zsh)"
words=(holdfast service st); CURRENT=3; _holdfast
words=(holdfast up ''); CURRENT=3; _holdfast`;

const FISH =
  'holdfast completion fish | source; complete -C "holdfast service st"; complete -C "holdfast up /etc/host"';

const BASH =
  'eval "$(holdfast completion bash)"; COMP_WORDS=(holdfast service st); COMP_CWORD=2; _holdfast; echo "${COMPREPLY[*]}"';

const CLAIMS = [
  ['bash', ['--norc', '-c', BASH], ['start', 'status', 'stop']],
  ['zsh', ['-f', '-c', ZSH], ['start:start the service', 'files']],
  ['fish', ['--no-config', '-c', FISH], ['start\tstart the service', '/etc/hosts']],
] as const;

/** Tests the completion in each shell, with an `env` that finds the program. Throws if a shell is missing. */
export function proveShells(env: NodeJS.ProcessEnv): void {
  for (const [shell, args, parts] of CLAIMS) {
    const said = execFileSync(shell, args, { env, encoding: 'utf8' });
    for (const part of parts) {
      if (!said.includes(part)) throw new Error(`complete in ${shell}: no ${part} in:\n${said}`);
    }
    process.stdout.write(`${shell}: completes\n`);
  }
}
