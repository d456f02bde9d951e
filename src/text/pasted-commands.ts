/** Makes the commands in a message work when the user pastes them: they use the home folder of this command. */

/** Matches a Holdfast command that does not contain `--home` or `--config` yet. */
const COMMAND = /(?<![\w./-])holdfast(?= [a-z])(?![^;\n`]* --(?:home|config)[ =])/g;

/**
 * Adds `homeOption`, such as ` --home DIR`, to each Holdfast command in the text. Every text with commands passes through
 * this function: sentences on standard output, remarks, errors and hints.
 */
export function withHomeOption(text: string, homeOption: string): string {
  return homeOption === '' ? text : text.replaceAll(COMMAND, (command) => command + homeOption);
}
