/** Derives the commands that only call one method from the declarations of the methods. */

import { z } from 'zod';

import { defined } from '../base/defined.ts';
import type { MethodName } from './messages.ts';
import type { MethodDeclaration, SimpleCommand, SimpleOption } from './method.ts';

/** How the text on the command line is converted to a parameter. */
export type ValueKind = 'flag' | 'text' | 'choice' | 'number' | 'duration';

/** A parameter that the user types on the command line. */
export interface DerivedValue {
  /** The name of the argument in the help, or of the option in camel case. */
  readonly name: string;
  /** The name of the method's parameter that receives the value. */
  readonly member: string;
  readonly kind: ValueKind;
  readonly choices?: readonly string[];
  /** The limits of a number, or of a duration in milliseconds. */
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface DerivedOption extends DerivedValue {
  /** The option flags in commander syntax, such as `--grace <duration>`. */
  readonly flags: string;
  readonly summary: string;
  readonly default?: string;
}

/**
 * A command as plain data, so that the build can store the derived commands instead of deriving them at
 * run time.
 */
export interface DerivedCommand extends Omit<SimpleCommand, 'members' | 'options' | 'usage'> {
  readonly method: MethodName;
  /** The parent commands, such as `['admin', 'users']`. */
  readonly topic: readonly string[];
  /** The name and arguments, such as `add <user>`. */
  readonly usage: string;
  readonly summary: string;
  readonly arguments: readonly DerivedValue[];
  readonly options: readonly DerivedOption[];
}

/** The part of a JSON Schema, as zod returns it, that options need. */
interface MemberSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns all commands that the methods declare. Throws if an option is not a parameter of its method. */
export function deriveCommands(
  methods: Readonly<Record<string, MethodDeclaration>>,
): readonly DerivedCommand[] {
  return Object.entries(methods).flatMap(([name, method]) =>
    (method.commands ?? []).map((command) => derived(name as MethodName, method, command)),
  );
}

function derived(
  method: MethodName,
  { params, summary }: MethodDeclaration,
  { usage, members = {}, options = {}, ...rest }: SimpleCommand,
): DerivedCommand {
  const { properties = {} } = z.toJSONSchema(params, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, MemberSchema>>;
  };
  const [words = '', ...args] = usage.split(/(?= [<[])/);
  const topic = words.split(' ');
  const name = topic.pop() ?? '';
  return {
    method,
    summary,
    ...rest,
    topic,
    usage: `${name}${args.join('')}`,
    arguments: [...args.join('').matchAll(/[\w-]+/g)].map(([argument]) => {
      const member = members[argument] ?? camel(argument);
      return derivedValue(argument, member, properties[member] ?? {});
    }),
    options: Object.entries(options).map(([member, option]) => {
      const schema = properties[member];
      if (schema) return derivedOption(member, schema, option);
      throw new Error(`${usage}: ${method} has no parameter "${member}"`);
    }),
  };
}

const MILLISECONDS = /Ms$/;

function derivedOption(
  member: string,
  schema: MemberSchema,
  option: string | SimpleOption,
): DerivedOption {
  const { summary, value, ...rest } = typeof option === 'string' ? { summary: option } : option;
  const name = member.replace(MILLISECONDS, '');
  const derivedMember = derivedValue(name, member, schema);
  const { kind } = derivedMember;
  const placeholder = kind === 'flag' ? '' : ` <${value ?? PLACEHOLDERS[kind] ?? kebab(name)}>`;
  return { ...rest, ...derivedMember, flags: `--${kebab(name)}${placeholder}`, summary };
}

function derivedValue(name: string, member: string, schema: MemberSchema): DerivedValue {
  const { enum: choices, minimum, maximum } = schema;
  return defined({ name, member, kind: kindOf(member, schema), choices, minimum, maximum });
}

/** The names of option values in the help, by kind. All other values have the name of their option. */
const PLACEHOLDERS: Readonly<Partial<Record<ValueKind, string>>> = {
  number: 'number',
  duration: 'duration',
};

function kindOf(member: string, { type, enum: choices }: MemberSchema): ValueKind {
  if (type === 'boolean') return 'flag';
  if (choices) return 'choice';
  if (type !== 'number' && type !== 'integer') return 'text';
  return MILLISECONDS.test(member) ? 'duration' : 'number';
}

function kebab(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
