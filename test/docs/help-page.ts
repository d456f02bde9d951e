/**
 * Converts the examples in the help to command blocks. help-remarks.ts and help-not-run.ts define
 * which examples run, and in which order.
 */

import type { Command } from 'commander';

import { destructionOf, examplesOf } from '../../src/cli/declare.ts';
import { declaredProgram } from '../helpers/declared-program.ts';
import { HELP_NOT_RUN, NO_ROW, SERVICES, SERVICES_ARE_TESTED } from './help-not-run.ts';
import { HELP_REMARKS, type Remark, VALUES } from './help-remarks.ts';
import type { Block } from './pages.ts';
import { ownCommands } from './shell-commands.ts';

/** Matches commands that change the computer. A script with such a command is never run. */
const CHANGES_THE_MACHINE = /\b(?:poweroff|reboot|shutdown|halt|sudo|systemctl)\b|holdfast service/;

interface Example {
  /** Line number, starting at 1. */
  readonly line: number;
  readonly script: string;
  readonly notRun: string | undefined;
}

/** Returns all commands by their path, such as `job add`, in the order of their declaration. */
async function helpCommands(): Promise<ReadonlyMap<string, Command>> {
  const program = await declaredProgram();
  return new Map(program.commands.flatMap((each) => below(each, '')));
}

function below(command: Command, above: string): (readonly [string, Command])[] {
  const path = `${above}${command.name()}`;
  return [[path, command], ...command.commands.flatMap((each) => below(each, `${path} `))];
}

/** Returns the blocks that run, in the order of their table, and then the other blocks. */
export async function helpBlocks(): Promise<Block[]> {
  const commands = await helpCommands();
  const paths = new Set([...Object.keys(HELP_REMARKS), ...commands.keys()]);
  return [...paths].flatMap((path) => blocksOfCommand(path, commands));
}

/**
 * Returns one block for all examples that run, and one block for each reason why examples do not
 * run.
 */
function blocksOfCommand(path: string, commands: ReadonlyMap<string, Command>): Block[] {
  const command = commands.get(path);
  if (!command) throw new Error(`test/docs/help-remarks.ts: the command "${path}" does not exist`);
  const remark = HELP_REMARKS[path];
  const examples = examplesOf(command).map((text, index) => ({
    line: index + 1,
    script: confirmed(text, commands),
    notRun: reasonNot(path, text),
  }));
  checkRemark(path, examples);
  return [...Map.groupBy(examples, ({ notRun }) => notRun)].map(([notRun, group]) => {
    const { script, needs, before } =
      notRun === undefined ? runPart(group, remark) : shownPart(group);
    const line = group[0]?.line ?? 1;
    return { page: `holdfast ${path} --help`, line, script, notRun, needs, before };
  });
}

function reasonNot(path: string, example: string): string | undefined {
  const remark = HELP_REMARKS[path];
  if (!remark) return HELP_NOT_RUN[path] ?? NO_ROW;
  return SERVICES.test(example) ? SERVICES_ARE_TESTED : remark.except?.[withoutComment(example)];
}

const withoutComment = (example: string): string => example.replace(/\s+#.*$/, '');

type BlockPart = Pick<Block, 'script' | 'needs' | 'before'>;

const shownPart = (examples: readonly Example[]): BlockPart => ({
  script: examples.map(({ script }) => script).join('\n'),
  needs: [],
  before: '',
});

/** Runs each example in its own subshell, so that a failure before `&&` also ends the block. */
function runPart(
  examples: readonly Example[],
  { needs = [], before = '', each = '', values = {} }: Remark = {},
): BlockPart {
  const script = examples
    .map((example) => `(\n${each}\n${replaced(example.script, { ...values, ...VALUES })}\n)`)
    .join('\n');
  if (CHANGES_THE_MACHINE.test(`${before}\n${script}`))
    throw new Error(`an example would change the machine: ${script}`);
  return { script, before, needs: /\bjq\b/.test(before + script) ? ['jq', ...needs] : needs };
}

const replaced = (text: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((result, [from, to]) => result.replaceAll(from, () => to), text);

/**
 * Throws an error if a row refers to text that no example contains. Otherwise a changed example
 * would run without its exception.
 */
function checkRemark(path: string, examples: readonly Example[]): void {
  const { except = {}, values = {} } = HELP_REMARKS[path] ?? {};
  const unused = [
    ...Object.values(except).filter((why) => !examples.some(({ notRun }) => notRun === why)),
    ...Object.keys(values).filter((from) => !examples.some(({ script }) => script.includes(from))),
  ];
  if (unused.length > 0)
    throw new Error(`test/docs/help-remarks.ts: no example of ${path} has: ${unused.join('; ')}`);
}

/** Adds `--yes` to the command, because a script cannot answer questions. */
function confirmed(example: string, commands: ReadonlyMap<string, Command>): string {
  const asks = ownCommands(example).some((words) => {
    const command = [3, 2, 1]
      .map((count) => commands.get(words.slice(0, count).join(' ')))
      .find((each) => each !== undefined);
    return command !== undefined && destructionOf(command) !== undefined;
  });
  if (!asks || example.includes('--yes')) return example;
  return example.replace(/(\s*(?:#.*)?)$/, ' --yes$1');
}
