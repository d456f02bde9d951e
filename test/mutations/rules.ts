/** Mutations of the rules in `rules/access`. Each replaces one correct rule with a wrong one. */

import type { Mutation } from './mutation.ts';

type Row = readonly [rule: string, from: string, to: string];

const inFile = (file: string, rows: readonly Row[]): Mutation[] =>
  rows.map(([rule, from, to]) => ({ rule, file, from, to }));

const RULES = 'object-store/rules/access';

export const RULE_MUTATIONS: readonly Mutation[] = [
  ...inFile(`${RULES}/decide.ts`, [
    ['a Deny denies', "stated(question, 'Deny')", 'undefined'],
    [
      'a Deny denies what is missing',
      '  const denial = deniedBy(question);\n  if (denial) return { allowed: false, by: denial };\n  if (',
      '  if (',
    ],
    [
      "the bucket's owner keeps the policy against a Deny",
      'KEPT_BY_OWNER.has(action) && owns ?',
      'false ?',
    ],
    [
      'only the owner does, not the project',
      'KEPT_BY_OWNER.has(action) && owns ?',
      'KEPT_BY_OWNER.has(action) && isOfProject(principal, bucket.owner) ?',
    ],
    ['GetBucketPolicy is kept', "  'GetBucketPolicy',\n", ''],
    ['PutBucketPolicy is kept', "  'PutBucketPolicy',\n", ''],
    ['DeleteBucketPolicy is kept', "  'DeleteBucketPolicy',\n", ''],
    ['only the owner deletes a bucket', "if (action === 'DeleteBucket' && !owns)", 'if (false)'],
    [
      'only owners remove a version for good',
      "  if (action !== 'DeleteObjectVersion' || owns ||",
      '  if (true || owns ||',
    ],
    [
      "a version's owner does",
      "const isOwner = principal.kind === 'user' && principalId(principal) === object.owner",
      'const isOwner = false',
    ],
    [
      "a version's owner, not the owner's project",
      "principal.kind === 'user' && principalId(principal) === object.owner;\n  return isOwner",
      "principal.kind === 'user' && belongsTo(object.owner, principal);\n  return isOwner",
    ],
    [
      "the bucket's owner may remove a version",
      "'DeleteObjectVersion' || owns ||",
      "'DeleteObjectVersion' ||",
    ],
    [
      'a version that is not there has no owner',
      'owns || object?.owner === undefined) return',
      'owns) return',
    ],
    [
      'an owner is the user, not a namesake in another project',
      'principal.user !== user) return false;\n  return principal.project === project && principal.customer === customer',
      'principal.user !== user) return false;\n  return principal.customer === customer',
    ],
    [
      'nor of another customer',
      'principal.user !== user) return false;\n  return principal.project === project && principal.customer === customer',
      'principal.user !== user) return false;\n  return principal.project === project',
    ],
    [
      'nor another user of the project',
      "if (principal.kind !== 'user' || principal.user !== user) return false",
      "if (principal.kind !== 'user') return false",
    ],
    [
      "the bucket's project may do what is the bucket's",
      'if (isOfProject(principal, bucket.owner)) {',
      'if (isUser(principal, bucket.owner)) {',
    ],
    [
      'a project is of its customer',
      "if (principal.kind !== 'user') return false;\n  return principal.project === project && principal.customer === customer",
      "if (principal.kind !== 'user') return false;\n  return principal.project === project",
    ],
    [
      'a customer has several projects',
      "if (principal.kind !== 'user') return false;\n  return principal.project === project && principal.customer === customer",
      "if (principal.kind !== 'user') return false;\n  return principal.customer === customer",
    ],
    [
      "what another project owns is not the bucket's",
      '  if (!isBucketsOwn(question)) return undefined;\n  if (isOfProject',
      '  if (isOfProject',
    ],
    [
      "what is put anew is the bucket's",
      'replaces || object?.owner === undefined) return true',
      'replaces) return true',
    ],
    [
      "what replaces is the bucket's",
      "on !== 'object' || replaces || object",
      "on !== 'object' || object",
    ],
    [
      "an upload is the bucket's",
      "if (on !== 'object' || replaces ||",
      "if (on === 'bucket' || replaces ||",
    ],
    [
      "what the bucket's project owns is the bucket's",
      'return belongsTo(object.owner, bucket.owner)',
      'return false',
    ],
    [
      "an object's project may do everything to it",
      "if (principal.kind === 'user' && belongsTo(object.owner, principal)) {",
      "if (principal.kind === 'user' && principalId(principal) === object.owner) {",
    ],
    [
      "an object's owner is of a project",
      '  return id.startsWith(`${project}:`) && id.endsWith',
      '  return id.endsWith',
    ],
    [
      'and of a customer',
      'id.startsWith(`${project}:`) && id.endsWith(`@${customer}`)',
      'id.startsWith(`${project}:`)',
    ],
    [
      'an Allow allows',
      "const statement = stated(question, 'Allow')",
      'const statement = undefined',
    ],
    [
      'a public policy gives nothing while that is restricted',
      'if (policy?.isPublic && publicAccessBlock?.restrictPublicBuckets) return undefined',
      '',
    ],
    [
      'only a public one is restricted',
      'if (policy?.isPublic && publicAccessBlock',
      'if (publicAccessBlock',
    ],
    ['a policy is asked about the key', 'key: object?.key', 'key: undefined'],
    [
      "the bucket's list gives rights on the bucket",
      "if (on === 'bucket') return right && granted(question, 'bucket', right)",
      "if (on === 'bucket') return undefined",
    ],
    [
      'a new object takes the right to write',
      'const asked = isNew ? newRight : bucketRight',
      'const asked = bucketRight',
    ],
    [
      'and only a new one',
      'newRight !== undefined && question.object?.owner === undefined',
      'newRight !== undefined',
    ],
    [
      "the bucket's list gives rights in the bucket",
      "return asked && granted(question, 'bucket', asked)",
      'return undefined',
    ],
    [
      "the object's list gives rights on the object",
      "(right && granted(question, 'object', right)) ??",
      'undefined ??',
    ],
    ["what is another's is deleted with WRITE on it", '?? grantedByBoth(question)', '?? undefined'],
    [
      'but not without a right in the bucket',
      'return mayInBucket ? granted',
      'return true ? granted',
    ],
    [
      "which the bucket's project has",
      'const mayInBucket =\n    isOfProject(principal, bucket.owner) ||',
      'const mayInBucket =',
    ],
    [
      'or the policy gives',
      "(allowedByPolicy(question) ?? granted(question, 'bucket', bucketRight))",
      "granted(question, 'bucket', bucketRight)",
    ],
    [
      'or the list',
      "(allowedByPolicy(question) ?? granted(question, 'bucket', bucketRight))",
      'allowedByPolicy(question)',
    ],
    [
      "a right in the bucket is not one on another's object",
      "granted(question, 'object', bucketRight) : undefined",
      "({ kind: 'project' } as const) : undefined",
    ],
    [
      'what groups get counts for nothing while that is ignored',
      'bucket.publicAccessBlock?.ignorePublicAcls === true',
      'false',
    ],
    ['each has its own list', "on === 'bucket' ? bucket.acl : object?.acl", 'bucket.acl'],
    [
      'that something is missing is told to who may list',
      "return decideAccess({ ...question, action: 'ListBucket', object: undefined })",
      'return decideAccess(question)',
    ],
    [
      'and to nobody else',
      "return decideAccess({ ...question, action: 'ListBucket', object: undefined })",
      "return { allowed: true, by: { kind: 'nothing' } }",
    ],
  ]),
  ...inFile(`${RULES}/acl.ts`, [
    [
      'a right is the one that is asked for',
      '(permission === right || permission ===',
      '(true || permission ===',
    ],
    ['full control is every right', " || permission === 'FULL_CONTROL') &&", ') &&'],
    ['a grant is for its grantee', ' && grantees.includes(grantee)', ''],
    ['groups can be ignored', 'ignoreGroups ? [] : GROUPS', 'GROUPS'],
    ['everyone is all users', 'return groups.slice(0, 1)', 'return []'],
    ['anonymous users have not authenticated', 'return groups.slice(0, 1)', 'return groups'],
    ['a user is a grantee', 'return [principalId(principal), projectId', 'return [projectId'],
    [
      'a project is a grantee',
      'principalId(principal), projectId(principal), ...groups',
      'principalId(principal), ...groups',
    ],
    ['users are of the groups', 'projectId(principal), ...groups]', 'projectId(principal)]'],
  ]),
  ...inFile(`${RULES}/policy.ts`, [
    ['a statement is about its principals', 'if (!isOf(statement, ids)) return false', ''],
    ['everyone is named by a star', '(named.everyone || ids', '(ids'],
    [
      'others are named by their ids',
      'named.everyone || ids.some((id) => named.ids.has(id))',
      'named.everyone',
    ],
    ['NotPrincipal are all others', '!== except;', '!== false;'],
    [
      'a policy names users',
      '? [principalId(principal), projectId(principal)]',
      '? [projectId(principal)]',
    ],
    [
      'a policy names projects',
      '? [principalId(principal), projectId(principal)]',
      '? [principalId(principal)]',
    ],
    ['a statement is about its resources', '=== resources.except) {', '=== 2) {'],
    ['NotResource are all others', '=== resources.except) {', '=== false) {'],
    ['one resource is enough', 'resources.named.some(', 'resources.named.every('],
    [
      'a resource is the bucket or a key',
      "question.key === undefined ? '' : `/${question.key}`",
      "''",
    ],
    [
      'all conditions must hold',
      'conditions.every((each) => work.holds(each, values))',
      'conditions.some((each) => work.holds(each, values))',
    ],
    ['variables stand for what the request says', 'limited.get(name)?.[0]', 'name'],
    [
      'Allow and Deny are told apart',
      'const byAction = index[statement.effect]',
      'const byAction = index.Allow',
    ],
    [
      'a statement is found by its action',
      'for (const action of statement.actions)',
      'for (const action of [...statement.actions].slice(1))',
    ],
    ['every statement counts', 'else found.push(statement)', ''],
  ]),
  ...inFile(`${RULES}/policy-actions.ts`, [
    [
      'case does not count in what is written',
      'const lower = written.toLowerCase()',
      'const lower = written',
    ],
    ['nor in the names', '[name, name.toLowerCase()] as const', '[name, name] as const'],
    ['NotAction are all others', 'return except ? new Set', 'return false ? new Set'],
    ['and none of those', '(named.has(name) ? [] : name)', 'name'],
    [
      'actions have wildcards',
      'compilePattern(name, { wildcards: true })',
      'compilePattern(name, { wildcards: false })',
    ],
    ['a star alone is every action', "lower === '*' ? '*' : ''", "lower === '*' ? 'x' : ''"],
  ]),
  ...inFile(`${RULES}/policy-resources.ts`, [
    [
      'resources have wildcards',
      'compilePattern(rest, { wildcards: true, variables })',
      'compilePattern(rest, { wildcards: false, variables })',
    ],
    [
      'resources have variables',
      'compilePattern(rest, { wildcards: true, variables })',
      'compilePattern(rest, { wildcards: true })',
    ],
  ]),
  ...inFile(`${RULES}/policy-principals.ts`, [
    [
      'a star among others is everyone',
      "everyone: names.includes('*')",
      "everyone: names[0] === '*'",
    ],
    ['a user is named by the id in the name', 'return userId ?? name', 'return name'],
  ]),
  ...inFile(`${RULES}/parse-policy.ts`, [
    [
      'variables are of the later version',
      'version === VERSION_WITH_VARIABLES ? conditionKey : undefined',
      'conditionKey',
    ],
    [
      'which has them',
      'version === VERSION_WITH_VARIABLES ? conditionKey : undefined',
      'undefined',
    ],
    [
      'conditions are read',
      'condition === undefined ? [] : parseConditions(condition, { variables })',
      '[]',
    ],
    [
      'one public statement makes a policy public',
      'statements.some(isPublicStatement)',
      'statements.every(isPublicStatement)',
    ],
    [
      'a single statement is one',
      'Array.isArray(written) ? written : [written];\n  if (written === undefined',
      'Array.isArray(written) ? written.slice(0, 1) : [written];\n  if (written === undefined',
    ],
  ]),
  ...inFile(`${RULES}/policy-public.ts`, [
    ['a Deny opens nothing', "return effect === 'Allow' && everyone", 'return everyone'],
    ['what names somebody is not public', "'Allow' && everyone &&", "'Allow' &&"],
    [
      'NotPrincipal is public',
      'principals.except || principals.named.everyone',
      'principals.named.everyone',
    ],
    ['a condition narrows', ' && !conditions.some(narrows)', ''],
    ['only by some operators', 'OPERATORS.has(operator) && NARROWING', 'NARROWING'],
    ['only by some keys', 'NARROWING.has(key) && values', 'values'],
    ['by all its values', 'values.every(isFixed)', 'values.some(isFixed)'],
    ['by no pattern', 'if (/[*?$]/.test(value)) return false', ''],
    [
      'by no range wider than one network',
      'return range === undefined || range.freeBits <= (isV4Range',
      'return true || (isV4Range',
    ],
    ['of IPv4 as IPv6 too', 'isV4Range(range) ? MAX', "!value.includes(':') ? MAX"],
    ['nor of IPv4', 'const MAX_FREE_V4 = 24n', 'const MAX_FREE_V4 = 25n'],
    ['nor of IPv6', 'const MAX_FREE_V6 = 96n', 'const MAX_FREE_V6 = 112n'],
    ['addresses narrow', "'aws:sourceip', ", ''],
    ['ids of users narrow', ", 'aws:userid'", ''],
    ['ARNs of users narrow', "'aws:principalarn', ", ''],
  ]),
  ...inFile(`${RULES}/condition-keys.ts`, [
    ['case does not count in keys', 'const name = written.toLowerCase()', 'const name = written'],
    ['the tag is a part of the key', 'name + tag : undefined', 'name : undefined'],
  ]),
  ...inFile(`${RULES}/policy-conditions.ts`, [
    ['IfExists holds where the key is missing', 'ifExists !== undefined ||', ''],
    ['so does ForAllValues', "quantifier === 'ForAllValues' ||\n    (negated", '(negated'],
    [
      'so does what is negated',
      '(negated && quantifier === undefined);\n  const holdsFor',
      'false;\n  const holdsFor',
    ],
    [
      'but not ForAnyValue',
      '(negated && quantifier === undefined);\n  const holdsFor',
      'negated;\n  const holdsFor',
    ],
    ['a missing key holds for nothing else', '=== 0) return whenAbsent', '=== 0) return true'],
    [
      'one of the stated values is enough',
      'tests.some((test) => test(value, matching))',
      'tests.every((test) => test(value, matching))',
    ],
    [
      'negated is the opposite',
      '=== undefined);\n  return (given',
      '=== undefined && false);\n  return (given',
    ],
    [
      'each is compared, or its opposite',
      'test(value, matching)) !== negated',
      'test(value, matching))',
    ],
    ['ForAllValues asks for all', "const all = quantifier === 'ForAllValues' ||", 'const all ='],
    [
      'others for one',
      'return all ? given.every(isMet) : given.some(isMet)',
      'return given.every(isMet)',
    ],
    [
      'Null: true is for a key that is missing',
      "(request.get(key) === undefined) === (absent === 'true')",
      "(request.get(key) === undefined) === (absent === 'false')",
    ],
    [
      'Null asks about the key',
      "(request.get(key) === undefined) === (absent === 'true')",
      "absent === 'true'",
    ],
    [
      'every operator of a condition counts',
      "entriesOf(block, 'Condition').flatMap",
      "entriesOf(block, 'Condition').slice(0, 1).flatMap",
    ],
    [
      'every key of an operator counts',
      'entriesOf(comparisons, `Condition.${operator}`).map',
      'entriesOf(comparisons, `Condition.${operator}`).slice(0, 1).map',
    ],
  ]),
  ...inFile(`${RULES}/policy-operators.ts`, [
    [
      'StringEquals',
      "['StringEquals', { compile: equals }]",
      "['StringEquals', { compile: like }]",
    ],
    [
      'StringNotEquals',
      "['StringNotEquals', { compile: equals, negated: true }]",
      "['StringNotEquals', { compile: equals }]",
    ],
    [
      'StringEqualsIgnoreCase',
      "['StringEqualsIgnoreCase', { compile: equalsIgnoreCase }]",
      "['StringEqualsIgnoreCase', { compile: equals }]",
    ],
    [
      'StringNotEqualsIgnoreCase',
      "['StringNotEqualsIgnoreCase', { compile: equalsIgnoreCase,",
      "['StringNotEqualsIgnoreCase', { compile: equals,",
    ],
    ['StringLike', "['StringLike', { compile: like }]", "['StringLike', { compile: equals }]"],
    [
      'StringNotLike',
      "['StringNotLike', { compile: like, negated: true }]",
      "['StringNotLike', { compile: equals, negated: true }]",
    ],
    [
      'NumericEquals',
      "...comparisons('Numeric', readNumber)",
      "...comparisons('Numeric', readNumber).slice(1),\n  ['NumericEquals', { compile: equals }]",
    ],
    ['NotEquals', "['NotEquals', isEqual, true]", "['NotEquals', isEqual]"],
    ['LessThan', 'given < stated', 'given <= stated'],
    [
      'LessThanEquals',
      "['LessThanEquals', (given, stated) => given <= stated]",
      "['LessThanEquals', (given, stated) => given < stated]",
    ],
    ['GreaterThan', 'given > stated', 'given >= stated'],
    [
      'GreaterThanEquals',
      "['GreaterThanEquals', (given, stated) => given >= stated]",
      "['GreaterThanEquals', (given, stated) => given > stated]",
    ],
    [
      'what is no number meets nothing',
      'number !== undefined && compare(number, stated)',
      'number === undefined || compare(number, stated)',
    ],
    ['dates are dates', "...comparisons('Date', readDate)", "...comparisons('Date', readNumber)"],
    ['seconds since 1970 are dates', 'return Number(text) * 1000', 'return Number(text)'],
    ['Bool', 'given.toLowerCase() === stated', 'given.toLowerCase() !== stated'],
    [
      'Bool in any case',
      'const stated = value.toLowerCase();\n  if',
      'const stated = value;\n  if',
    ],
    ['IpAddress', "['IpAddress', { compile: ipAddress }]", "['IpAddress', { compile: like }]"],
    [
      'NotIpAddress',
      "['NotIpAddress', { compile: ipAddress, negated: true }]",
      "['NotIpAddress', { compile: ipAddress }]",
    ],
    ['ArnEquals', "['ArnEquals', { compile: arnLike }]", "['ArnEquals', { compile: equals }]"],
    ['ArnLike', "['ArnLike', { compile: arnLike }]", "['ArnLike', { compile: like }]"],
    [
      'ArnNotEquals',
      "['ArnNotEquals', { compile: arnLike, negated: true }]",
      "['ArnNotEquals', { compile: equals, negated: true }]",
    ],
    [
      'ArnNotLike',
      "['ArnNotLike', { compile: arnLike, negated: true }]",
      "['ArnNotLike', { compile: like, negated: true }]",
    ],
    ['what ignores case does so in variables', 'valueOf(name)?.toLowerCase()', 'valueOf(name)'],
    [
      'equals takes stars literally',
      '{ wildcards: false, variables }',
      '{ wildcards: true, variables }',
    ],
    [
      'the last part of an ARN may hold colons',
      "arn.slice(before.join(':').length + 1)",
      "parts[ARN_PARTS - 1] ?? ''",
    ],
  ]),
  ...inFile(`${RULES}/pattern.ts`, [
    ['a star is any text', "if (wildcards && text[index] === '*') return ANY_TEXT", ''],
    [
      'a question mark is a character',
      "if (wildcards && text[index] === '?') return ANY_CHARACTER",
      '',
    ],
    [
      'a question mark is one character',
      '} else if (code === ANY_CHARACTER) {\n      at++;',
      '} else if (code === ANY_CHARACTER) {\n      if (at > 0) at++;\n      at++;',
    ],
    ['a star takes more where it must', 'index = ++resumed', 'return false'],
    ['a star may take nothing at the end', 'while (codes[at] === ANY_TEXT) at++;', ''],
    ['a pattern is about the whole text', 'return at === codes.length', 'return true'],
    [
      'case counts',
      'code === text.charCodeAt(index)',
      '(code ^ 32) === (text.charCodeAt(index) ^ 32) || (code | 32) === (text.charCodeAt(index) | 32)',
    ],
    [
      'a variable that stands for nothing matches nothing',
      'if (value === undefined) return undefined',
      'if (value === undefined) continue',
    ],
    [
      'what a variable stands for is meant literally',
      'codes.push(value.charCodeAt(index))',
      "codes.push(value[index] === '*' ? ANY_TEXT : value.charCodeAt(index))",
    ],
    ['a star in braces is a star', "new Set(['*', '?', '$'])", "new Set(['?', '$'])"],
    [
      'and no wildcard',
      'codesOf(name, false) : { variable }',
      'codesOf(name, true) : { variable }',
    ],
  ]),
  ...inFile('base/ip-range.ts', [
    [
      'IPv4 is in no range of IPv6',
      'return freeBits <= V4_BITS || value >> V4_BITS !== 0xffffn',
      'return true',
    ],
    [
      'a range is of its first bits',
      'return { prefix: value >> freeBits, freeBits }',
      'return { prefix: value >> freeBits, freeBits: freeBits && freeBits - 1n }',
    ],
    [
      'one address is a range',
      'bits === undefined ? ADDRESS_BITS :',
      'bits === undefined ? ADDRESS_BITS - 8 :',
    ],
    [
      'IPv4 may be written as IPv6',
      'const MAPPED_PREFIX = 0xffffn',
      'const MAPPED_PREFIX = 0xfffen',
    ],
  ]),
];
