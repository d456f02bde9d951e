/**
 * Mutations of the access rules in `rules/access`. Each mutation replaces one correct rule with a
 * wrong rule.
 */

import { type Mutation, mutationsOf } from './mutation.ts';

const RULES = 'object-store/rules/access';

export const RULE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(`${RULES}/decide.ts`, [
    ['a Deny statement denies access', "matchingStatement(request, 'Deny')", 'undefined'],
    [
      'a Deny statement also applies to a missing object',
      '  const denial = deniedBy(request);\n  if (denial) return { allowed: false, by: denial };\n  if (',
      '  if (',
    ],
    [
      'a Deny cannot take the bucket policy away from the bucket owner',
      'POLICY_ACTIONS.has(action) && owns ?',
      'false ?',
    ],
    [
      'a Deny can take the bucket policy away from other users of the project',
      'POLICY_ACTIONS.has(action) && owns ?',
      'POLICY_ACTIONS.has(action) && isOfProject(principal, bucket.owner) ?',
    ],
    ['the bucket owner keeps GetBucketPolicy despite a Deny', "  'GetBucketPolicy',\n", ''],
    ['the bucket owner keeps PutBucketPolicy despite a Deny', "  'PutBucketPolicy',\n", ''],
    ['the bucket owner keeps DeleteBucketPolicy despite a Deny', "  'DeleteBucketPolicy',\n", ''],
    [
      'only the bucket owner may delete a bucket',
      "if (action === 'DeleteBucket' && !owns)",
      'if (false)',
    ],
    [
      'only owners may delete a version permanently',
      "  if (action !== 'DeleteObjectVersion' || owns ||",
      '  if (true || owns ||',
    ],
    [
      'the owner of a version may delete it permanently',
      "const isOwner = principal.kind === 'user' && principalId(principal) === object.owner",
      'const isOwner = false',
    ],
    [
      "another user of the owner's project may not delete a version permanently",
      "principal.kind === 'user' && principalId(principal) === object.owner;\n  return isOwner",
      "principal.kind === 'user' && belongsTo(object.owner, principal);\n  return isOwner",
    ],
    [
      'the bucket owner may delete a version permanently',
      "'DeleteObjectVersion' || owns ||",
      "'DeleteObjectVersion' ||",
    ],
    [
      'the owner check is skipped for a version that does not exist',
      'owns || object?.owner === undefined) return',
      'owns) return',
    ],
    [
      'a user of the same name in another project is not the owner',
      'principal.user !== user) return false;\n  return principal.project === project && principal.customer === customer',
      'principal.user !== user) return false;\n  return principal.customer === customer',
    ],
    [
      'a user of the same name and project of another customer is not the owner',
      'principal.user !== user) return false;\n  return principal.project === project && principal.customer === customer',
      'principal.user !== user) return false;\n  return principal.project === project',
    ],
    [
      'another user of the same project is not the owner',
      "if (principal.kind !== 'user' || principal.user !== user) return false",
      "if (principal.kind !== 'user') return false",
    ],
    [
      "every user of the bucket's project has full access to the bucket",
      'if (isOfProject(principal, bucket.owner)) {',
      'if (isUser(principal, bucket.owner)) {',
    ],
    [
      'a project of the same name of another customer is another project',
      "if (principal.kind !== 'user') return false;\n  return principal.project === project && principal.customer === customer",
      "if (principal.kind !== 'user') return false;\n  return principal.project === project",
    ],
    [
      'a user of another project of the same customer does not belong to the project',
      "if (principal.kind !== 'user') return false;\n  return principal.project === project && principal.customer === customer",
      "if (principal.kind !== 'user') return false;\n  return principal.customer === customer",
    ],
    [
      'the bucket grants no permission for an object of another project',
      '  if (!isControlledByBucket(request)) return undefined;\n  if (isOfProject',
      '  if (isOfProject',
    ],
    [
      'the bucket grants permission for a key without an object',
      'replaces || object?.owner === undefined) return true',
      'replaces) return true;\n  if (object?.owner === undefined) return false',
    ],
    [
      'the bucket grants permission to replace an object',
      "on !== 'object' || replaces || object",
      "on !== 'object' || object",
    ],
    [
      'the bucket grants permission for a multipart upload',
      "if (on !== 'object' || replaces ||",
      "if (on === 'bucket' || replaces ||",
    ],
    [
      'the bucket grants permission for an object of its own project',
      'return belongsTo(object.owner, bucket.owner)',
      'return false',
    ],
    [
      "every user of the object owner's project has full access to the object",
      "if (principal.kind === 'user' && belongsTo(object.owner, principal)) {",
      "if (principal.kind === 'user' && principalId(principal) === object.owner) {",
    ],
    [
      'the owner of an object belongs to one project',
      '  return id.startsWith(`${project}:`) && id.endsWith',
      '  return id.endsWith',
    ],
    [
      'the owner of an object belongs to one customer',
      'id.startsWith(`${project}:`) && id.endsWith(`@${customer}`)',
      'id.startsWith(`${project}:`)',
    ],
    [
      'an Allow statement allows access',
      "const statement = matchingStatement(request, 'Allow')",
      'const statement = undefined',
    ],
    [
      'RestrictPublicBuckets disables a public policy',
      'if (policy?.isPublic && publicAccessBlock?.restrictPublicBuckets) return undefined',
      '',
    ],
    [
      'RestrictPublicBuckets does not disable a policy that is not public',
      'if (policy?.isPublic && publicAccessBlock',
      'if (publicAccessBlock',
    ],
    ['the policy decision depends on the object key', 'key: object?.key', 'key: undefined'],
    [
      'the bucket ACL grants access to the bucket',
      "if (on === 'bucket') return permission && granted(request, 'bucket', permission)",
      "if (on === 'bucket') return undefined",
    ],
    [
      'creating an object uses the ACL permission for new objects',
      'const requested = isNew ? newObjectPermission : bucketPermission',
      'const requested = bucketPermission',
    ],
    [
      'overwriting an object does not use the ACL permission for new objects',
      'newObjectPermission !== undefined && request.object?.owner === undefined',
      'newObjectPermission !== undefined',
    ],
    [
      'the bucket ACL grants access to the objects of the bucket',
      "return requested && granted(request, 'bucket', requested)",
      'return undefined',
    ],
    [
      'the object ACL grants access to the object',
      "(permission && granted(request, 'object', permission)) ??",
      'undefined ??',
    ],
    [
      "WRITE in the ACL of another project's object allows deleting it",
      '?? grantedByBoth(request)',
      '?? undefined',
    ],
    [
      "deleting another project's object also requires access to the bucket",
      'return mayInBucket ? granted',
      'return true ? granted',
    ],
    [
      'the project of the bucket has the bucket access needed to delete an object',
      'const mayInBucket =\n    isOfProject(principal, bucket.owner) ||',
      'const mayInBucket =',
    ],
    [
      'the bucket policy can grant the bucket access needed to delete an object',
      "(allowedByPolicy(request) ?? granted(request, 'bucket', bucketPermission))",
      "granted(request, 'bucket', bucketPermission)",
    ],
    [
      'the bucket ACL can grant the bucket access needed to delete an object',
      "(allowedByPolicy(request) ?? granted(request, 'bucket', bucketPermission))",
      'allowedByPolicy(request)',
    ],
    [
      "access to the bucket does not grant access to another project's object",
      "granted(request, 'object', bucketPermission) : undefined",
      "({ kind: 'project' } as const) : undefined",
    ],
    [
      'IgnorePublicAcls disables grants to groups',
      'bucket.publicAccessBlock?.ignorePublicAcls === true',
      'false',
    ],
    [
      'buckets and objects have separate ACLs',
      "on === 'bucket' ? bucket.acl : object?.acl",
      'bucket.acl',
    ],
    [
      'a caller that may list the bucket learns that an object does not exist',
      "return decideAccess({ ...request, action: 'ListBucket', object: undefined })",
      'return decideAccess(request)',
    ],
    [
      'a caller that may not list the bucket does not learn that an object does not exist',
      "return decideAccess({ ...request, action: 'ListBucket', object: undefined })",
      "return { allowed: true, by: { kind: 'nothing' } }",
    ],
  ]),
  ...mutationsOf(`${RULES}/acl.ts`, [
    [
      'a grant gives only its own permission',
      '(permission === required || permission ===',
      '(true || permission ===',
    ],
    ['FULL_CONTROL includes every permission', " || permission === 'FULL_CONTROL') &&", ') &&'],
    ['a grant applies only to its grantee', ' && grantees.includes(grantee)', ''],
    ['grants to groups are disabled if groups are ignored', 'ignoreGroups ? [] : GROUPS', 'GROUPS'],
    ['an anonymous caller belongs to AllUsers', 'return groups.slice(0, 1)', 'return []'],
    [
      'an anonymous caller does not belong to AuthenticatedUsers',
      'return groups.slice(0, 1)',
      'return groups',
    ],
    [
      'an ACL can grant access to a user',
      'return [principalId(principal), projectId',
      'return [projectId',
    ],
    [
      'an ACL can grant access to a project',
      'principalId(principal), projectId(principal), ...groups',
      'principalId(principal), ...groups',
    ],
    [
      'an authenticated user belongs to the groups',
      'projectId(principal), ...groups]',
      'projectId(principal)]',
    ],
  ]),
  ...mutationsOf(`${RULES}/policy.ts`, [
    [
      'a statement applies only to its principals',
      'if (!matchesPrincipal(statement, ids)) return false',
      '',
    ],
    ['the principal * matches every caller', '(named.everyone || ids', '(ids'],
    [
      'a principal ID matches only its user or project',
      'named.everyone || ids.some((id) => named.ids.has(id))',
      'named.everyone',
    ],
    ['NotPrincipal matches every principal except the listed ones', '!== except;', '!== false;'],
    [
      'a policy can name users as principals',
      '? [principalId(principal), projectId(principal)]',
      '? [projectId(principal)]',
    ],
    [
      'a policy can name projects as principals',
      '? [principalId(principal), projectId(principal)]',
      '? [principalId(principal)]',
    ],
    ['a statement applies only to its resources', '=== resources.except) {', '=== 2) {'],
    [
      'NotResource matches every resource except the listed ones',
      '=== resources.except) {',
      '=== false) {',
    ],
    [
      'a statement applies if one of its resources matches',
      'resources.named.some(',
      'resources.named.every(',
    ],
    [
      'the resource of an object includes its key',
      "request.key === undefined ? '' : `/${request.key}`",
      "''",
    ],
    [
      'a statement applies only if all its conditions hold',
      'conditions.every((each) => work.holds(each, values))',
      'conditions.some((each) => work.holds(each, values))',
    ],
    ['a policy variable is replaced by the value of the request', 'limited.get(name)?.[0]', 'name'],
    [
      'Deny statements are separate from Allow statements',
      'const byAction = index[statement.effect]',
      'const byAction = index.Allow',
    ],
    [
      'a statement applies to each of its actions',
      'for (const action of statement.actions)',
      'for (const action of [...statement.actions].slice(1))',
    ],
    ['every statement of an action is evaluated', 'else found.push(statement)', ''],
  ]),
  ...mutationsOf(`${RULES}/policy-actions.ts`, [
    [
      'action names in a policy are case-insensitive',
      'const lower = written.toLowerCase()',
      'const lower = written',
    ],
    [
      'known action names are compared in lowercase',
      '[name, name.toLowerCase()] as const',
      '[name, name] as const',
    ],
    [
      'NotAction matches every action except the listed ones',
      'return except ? new Set',
      'return false ? new Set',
    ],
    ['NotAction does not match the listed actions', '(named.has(name) ? [] : name)', 'name'],
    [
      'action names may contain wildcards',
      'compilePattern(name, { wildcards: true })',
      'compilePattern(name, { wildcards: false })',
    ],
    [
      'the action * without s3: matches every action',
      "lower === '*' ? '*' : ''",
      "lower === '*' ? 'x' : ''",
    ],
  ]),
  ...mutationsOf(`${RULES}/policy-resources.ts`, [
    [
      'resources may contain wildcards',
      'compilePattern(rest, { wildcards: true, variables })',
      'compilePattern(rest, { wildcards: false, variables })',
    ],
    [
      'resources may contain policy variables',
      'compilePattern(rest, { wildcards: true, variables })',
      'compilePattern(rest, { wildcards: true })',
    ],
  ]),
  ...mutationsOf(`${RULES}/policy-principals.ts`, [
    [
      'a principal list that contains * matches every caller',
      "everyone: names.includes('*')",
      "everyone: names[0] === '*'",
    ],
    ["a user's ARN contains the user ID", 'return userId ?? name', 'return name'],
  ]),
  ...mutationsOf(`${RULES}/parse-policy.ts`, [
    [
      'only a policy of version 2012-10-17 has variables',
      'version === VERSION_WITH_VARIABLES ? conditionKey : undefined',
      'conditionKey',
    ],
    [
      'a policy of version 2012-10-17 has variables',
      'version === VERSION_WITH_VARIABLES ? conditionKey : undefined',
      'undefined',
    ],
    [
      'the conditions of a statement are parsed',
      'condition === undefined ? [] : parseConditions(condition, { variables })',
      '[]',
    ],
    [
      'a policy is public if one of its statements is public',
      'statements.some(isPublicStatement)',
      'statements.every(isPublicStatement)',
    ],
    [
      'every statement of a list of statements is parsed',
      'Array.isArray(written) ? written : [written];\n  if (written === undefined',
      'Array.isArray(written) ? written.slice(0, 1) : [written];\n  if (written === undefined',
    ],
  ]),
  ...mutationsOf(`${RULES}/policy-public.ts`, [
    [
      'a Deny statement does not make a policy public',
      "return effect === 'Allow' && everyone",
      'return everyone',
    ],
    ['a statement with named principals is not public', "'Allow' && everyone &&", "'Allow' &&"],
    [
      'an Allow with NotPrincipal is public',
      'principals.except || principals.named.everyone',
      'principals.named.everyone',
    ],
    ['a statement with a narrow condition is not public', ' && !conditions.some(narrows)', ''],
    [
      'only some condition operators make a statement not public',
      'OPERATORS.has(operator) && NARROWING',
      'NARROWING',
    ],
    [
      'only some condition keys make a statement not public',
      'NARROWING.has(key) && values',
      'values',
    ],
    [
      'a condition is narrow only if all its values are fixed',
      'values.every(isFixed)',
      'values.some(isFixed)',
    ],
    [
      'a condition value with a wildcard or variable does not narrow a statement',
      'if (/[*?$]/.test(value)) return false',
      '',
    ],
    [
      'a wide address range does not narrow a statement',
      'return range === undefined || range.freeBits',
      'return true || range.freeBits',
    ],
    [
      'the limit for IPv4 ranges also applies to IPv4 ranges in IPv6 notation',
      'MAX_FREE_BITS[range.family]',
      "MAX_FREE_BITS[value.includes(':') ? 'ipv6' : 'ipv4']",
    ],
    ['an IPv4 range wider than /8 does not narrow a statement', '{ ipv4: 24,', '{ ipv4: 25,'],
    ['an IPv6 range wider than /32 does not narrow a statement', 'ipv6: 96 }', 'ipv6: 112 }'],
    ['aws:SourceIp can narrow a statement', "'aws:sourceip', ", ''],
    ['aws:userid can narrow a statement', ", 'aws:userid'", ''],
    ['aws:PrincipalArn can narrow a statement', "'aws:principalarn', ", ''],
  ]),
  ...mutationsOf(`${RULES}/condition-keys.ts`, [
    [
      'condition keys are case-insensitive',
      'const name = written.toLowerCase()',
      'const name = written',
    ],
    [
      'the tag name is part of a condition key for a tag',
      'name + tag : undefined',
      'name : undefined',
    ],
  ]),
  ...mutationsOf(`${RULES}/policy-conditions.ts`, [
    ['an IfExists condition holds if its key is missing', 'ifExists !== undefined ||', ''],
    [
      'a ForAllValues condition holds if its key is missing',
      "quantifier === 'ForAllValues' ||\n    (negated",
      '(negated',
    ],
    [
      'a negated condition holds if its key is missing',
      '(negated && quantifier === undefined);\n  const holdsFor',
      'false;\n  const holdsFor',
    ],
    [
      'a negated ForAnyValue condition does not hold if its key is missing',
      '(negated && quantifier === undefined);\n  const holdsFor',
      'negated;\n  const holdsFor',
    ],
    [
      'other conditions do not hold if their key is missing',
      '=== 0) return whenAbsent',
      '=== 0) return true',
    ],
    [
      'a condition holds if one of its values matches',
      'tests.some((test) => test(value, matching))',
      'tests.every((test) => test(value, matching))',
    ],
    [
      'a negated condition holds only if no value of the request matches',
      '=== undefined);\n  return (given',
      '=== undefined && false);\n  return (given',
    ],
    [
      'a negated operator inverts the comparison',
      'test(value, matching)) !== negated',
      'test(value, matching))',
    ],
    [
      'ForAllValues requires a match of all request values',
      "const all = quantifier === 'ForAllValues' ||",
      'const all =',
    ],
    [
      'a condition without ForAllValues requires a match of one request value',
      'return all ? given.every(satisfies) : given.some(satisfies)',
      'return given.every(satisfies)',
    ],
    [
      'Null with the value true holds if the key is missing',
      "(request.get(key) === undefined) === (absent === 'true')",
      "(request.get(key) === undefined) === (absent === 'false')",
    ],
    [
      'Null depends on whether the key is present',
      "(request.get(key) === undefined) === (absent === 'true')",
      "absent === 'true'",
    ],
    [
      'every operator of a condition is evaluated',
      "entriesOf(block, 'Condition').flatMap",
      "entriesOf(block, 'Condition').slice(0, 1).flatMap",
    ],
    [
      'every key of a condition operator is evaluated',
      'entriesOf(comparisons, `Condition.${operator}`).map',
      'entriesOf(comparisons, `Condition.${operator}`).slice(0, 1).map',
    ],
  ]),
  ...mutationsOf(`${RULES}/policy-operators.ts`, [
    [
      'StringEquals compares without wildcards',
      "['StringEquals', { compile: equals }]",
      "['StringEquals', { compile: like }]",
    ],
    [
      'StringNotEquals is the opposite of StringEquals',
      "['StringNotEquals', { compile: equals, negated: true }]",
      "['StringNotEquals', { compile: equals }]",
    ],
    [
      'StringEqualsIgnoreCase ignores case',
      "['StringEqualsIgnoreCase', { compile: equalsIgnoreCase }]",
      "['StringEqualsIgnoreCase', { compile: equals }]",
    ],
    [
      'StringNotEqualsIgnoreCase ignores case',
      "['StringNotEqualsIgnoreCase', { compile: equalsIgnoreCase,",
      "['StringNotEqualsIgnoreCase', { compile: equals,",
    ],
    [
      'StringLike compares with wildcards',
      "['StringLike', { compile: like }]",
      "['StringLike', { compile: equals }]",
    ],
    [
      'StringNotLike compares with wildcards',
      "['StringNotLike', { compile: like, negated: true }]",
      "['StringNotLike', { compile: equals, negated: true }]",
    ],
    [
      'NumericEquals compares numbers, not texts',
      "...comparisons('Numeric', readNumber)",
      "...comparisons('Numeric', readNumber).slice(1),\n  ['NumericEquals', { compile: equals }]",
    ],
    [
      'NotEquals is the opposite of Equals for numbers and dates',
      "['NotEquals', isEqual, true]",
      "['NotEquals', isEqual]",
    ],
    ['LessThan does not hold for equal values', 'given < stated', 'given <= stated'],
    [
      'LessThanEquals holds for equal values',
      "['LessThanEquals', (given, stated) => given <= stated]",
      "['LessThanEquals', (given, stated) => given < stated]",
    ],
    ['GreaterThan does not hold for equal values', 'given > stated', 'given >= stated'],
    [
      'GreaterThanEquals holds for equal values',
      "['GreaterThanEquals', (given, stated) => given >= stated]",
      "['GreaterThanEquals', (given, stated) => given > stated]",
    ],
    [
      'an invalid number or date meets no comparison',
      'number !== undefined && compare(number, stated)',
      'number === undefined || compare(number, stated)',
    ],
    [
      'date operators parse dates',
      "...comparisons('Date', readDate)",
      "...comparisons('Date', readNumber)",
    ],
    [
      'date operators accept Unix times in seconds',
      'return Number(text) * 1000',
      'return Number(text)',
    ],
    [
      'Bool compares truth values',
      'given.toLowerCase() === stated',
      'given.toLowerCase() !== stated',
    ],
    [
      'Bool ignores the case of the policy value',
      'const stated = value.toLowerCase();\n  if',
      'const stated = value;\n  if',
    ],
    [
      'IpAddress compares addresses with ranges',
      "['IpAddress', { compile: ipAddress }]",
      "['IpAddress', { compile: like }]",
    ],
    [
      'NotIpAddress is the opposite of IpAddress',
      "['NotIpAddress', { compile: ipAddress, negated: true }]",
      "['NotIpAddress', { compile: ipAddress }]",
    ],
    [
      'ArnEquals compares ARNs with wildcards',
      "['ArnEquals', { compile: arnLike }]",
      "['ArnEquals', { compile: equals }]",
    ],
    [
      'ArnLike compares ARNs part by part',
      "['ArnLike', { compile: arnLike }]",
      "['ArnLike', { compile: like }]",
    ],
    [
      'ArnNotEquals compares ARNs with wildcards',
      "['ArnNotEquals', { compile: arnLike, negated: true }]",
      "['ArnNotEquals', { compile: equals, negated: true }]",
    ],
    [
      'ArnNotLike compares ARNs part by part',
      "['ArnNotLike', { compile: arnLike, negated: true }]",
      "['ArnNotLike', { compile: like, negated: true }]",
    ],
    [
      'StringEqualsIgnoreCase ignores the case of policy variables',
      'valueOf(name)?.toLowerCase()',
      'valueOf(name)',
    ],
    [
      'StringEquals compares * literally',
      '{ wildcards: false, variables }',
      '{ wildcards: true, variables }',
    ],
    [
      'the last part of an ARN may contain colons',
      "arn.slice(before.join(':').length + 1)",
      "parts[ARN_PARTS - 1] ?? ''",
    ],
  ]),
  ...mutationsOf(`${RULES}/pattern.ts`, [
    [
      '* in a pattern matches any text',
      "if (wildcards && text[index] === '*') return ANY_TEXT",
      '',
    ],
    [
      '? in a pattern is a wildcard',
      "if (wildcards && text[index] === '?') return ANY_CHARACTER",
      '',
    ],
    [
      '? in a pattern matches exactly one character',
      'else if (code === ANY_CHARACTER) index += isHighSurrogate(given) ? pairLength(text, index) : 1;',
      'else if (code === ANY_CHARACTER) index += at > 0 ? 2 : 1;',
    ],
    [
      '* in a pattern matches more text if the rest does not match',
      'index = ++resumed',
      'return false',
    ],
    ['* at the end of a pattern can match empty text', 'while (codes[at] === ANY_TEXT) at++;', ''],
    [
      'a pattern must match the whole text',
      'return index === length && at === end',
      'return index === length',
    ],
    [
      'patterns are case-sensitive',
      '(code === given)',
      '((code ^ 32) === (given ^ 32) || (code | 32) === (given | 32))',
    ],
    [
      'a pattern with an undefined variable matches no text',
      'if (value === undefined) return undefined',
      'if (value === undefined) continue',
    ],
    [
      'wildcards in the value of a variable are literal',
      'codes.push(value.charCodeAt(index))',
      "codes.push(value[index] === '*' ? ANY_TEXT : value.charCodeAt(index))",
    ],
    ['${*} in a pattern is a literal *', "new Set(['*', '?', '$'])", "new Set(['?', '$'])"],
    [
      '${*} in a pattern is not a wildcard',
      'codesOf(name, false) : { variable }',
      'codesOf(name, true) : { variable }',
    ],
  ]),
  ...mutationsOf('base/ip-range.ts', [
    [
      'an IPv6 range contains no IPv4 address',
      'parsed?.family === family && addresses.check(parsed.address, family)',
      'parsed !== undefined && addresses.check(parsed.address, parsed.family)',
    ],
    [
      'an address range compares only the prefix bits',
      'isMapped ? prefixBits - MAPPED_BITS : prefixBits, family',
      'isMapped ? prefixBits - MAPPED_BITS : Math.min(prefixBits + 1, BITS[family]), family',
    ],
    [
      'an address without a prefix length is a range of one address',
      'bits === undefined ? BITS[written] :',
      'bits === undefined ? BITS[written] - 8 :',
    ],
    [
      'an IPv4-mapped IPv6 address is an IPv4 address',
      'return mapped === undefined',
      'return true',
    ],
  ]),
];
