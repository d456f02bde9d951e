/**
 * Tests of the commands that are generated from the declarations of control methods (the calls to
 * the daemon).
 */

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { SIMPLE_COMMANDS } from '../../../src/cli/simple-commands.ts';
import { METHODS } from '../../../src/control/messages.ts';
import type { MethodDeclaration } from '../../../src/control/method.ts';
import { deriveCommands } from '../../../src/control/simple-commands.ts';

const NAMES = SIMPLE_COMMANDS.map(({ topic, usage }) => [...topic, usage].join(' '));

/**
 * Commands that do not ask for confirmation, although their method can delete data with other
 * parameters.
 */
const HARMLESS = [
  's3 policy set <bucket> <file>',
  's3 public-access block <bucket>',
  's3 versioning enable <bucket>',
];

describe('commands that are generated from control methods', () => {
  it('each generated command has a unique name', () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
  });

  it('each generated command asks for confirmation before it deletes data, except for the listed commands', () => {
    const unasked = SIMPLE_COMMANDS.filter(
      ({ method, destroys }) => METHODS[method].danger === 'destroys' && destroys === undefined,
    );
    expect(unasked.map(({ topic, usage }) => [...topic, usage].join(' ')).toSorted()).toEqual(
      HARMLESS,
    );
  });

  it("the type, the name and the limits of an option are derived from the parameter's schema", () => {
    const method: MethodDeclaration = {
      summary: 'test',
      danger: 'reads',
      params: z.object({
        graceMs: z.number().int().max(1000),
        limit: z.number().int().min(1).max(9),
        mode: z.enum(['A', 'B']),
        dryRun: z.boolean(),
        email: z.string(),
      }),
      result: z.object({}),
      commands: [
        {
          usage: 'a b <mode>',
          examples: [],
          options: {
            graceMs: { summary: 'g', default: '24h' },
            limit: 'l',
            mode: 'm',
            dryRun: 'd',
            email: { value: 'address', summary: 'e' },
          },
        },
      ],
    };
    const [command] = deriveCommands({ test: method });
    expect(command).toMatchObject({
      topic: ['a'],
      usage: 'b <mode>',
      arguments: [{ name: 'mode', member: 'mode', kind: 'choice', choices: ['A', 'B'] }],
    });
    expect(command?.options).toEqual([
      {
        name: 'grace',
        member: 'graceMs',
        kind: 'duration',
        flags: '--grace <duration>',
        summary: 'g',
        default: '24h',
        maximum: 1000,
        minimum: -Number.MAX_SAFE_INTEGER,
      },
      {
        name: 'limit',
        member: 'limit',
        kind: 'number',
        flags: '--limit <number>',
        summary: 'l',
        minimum: 1,
        maximum: 9,
      },
      {
        name: 'mode',
        member: 'mode',
        kind: 'choice',
        flags: '--mode <mode>',
        summary: 'm',
        choices: ['A', 'B'],
      },
      { name: 'dryRun', member: 'dryRun', kind: 'flag', flags: '--dry-run', summary: 'd' },
      { name: 'email', member: 'email', kind: 'text', flags: '--email <address>', summary: 'e' },
    ]);
  });

  it('an option that is not a parameter of its method is refused', () => {
    const method: MethodDeclaration = {
      summary: 'test',
      danger: 'reads',
      params: z.object({}),
      result: z.object({}),
      commands: [{ usage: 'a b', examples: [], options: { other: 'o' } }],
    };
    expect(() => deriveCommands({ test: method })).toThrow('a b: test has no parameter "other"');
  });
});
