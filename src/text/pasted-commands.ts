/**
 * Adds the home folder of this command to the Holdfast commands in a message, so that they work when the user pastes
 * them.
 */

/** Matches a Holdfast command that does not contain `--home` or `--config` yet. */
const COMMAND = /(?<![\w./-])holdfast(?= [a-z])(?![^;\n`]* --(?:home|config)[ =])/g;

/**
 * Adds `homeOption`, such as ` --home DIR`, to each Holdfast command in the text. Every text with commands passes through
 * this function: sentences on standard output, remarks, errors and hints.
 */
export function withHomeOption(text: string, homeOption: string): string {
  return homeOption === '' ? text : text.replaceAll(COMMAND, (command) => command + homeOption);
}
