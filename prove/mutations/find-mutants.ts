// Every small change to a source file that its tests should notice: an operator, a condition, a literal, an answer, a
// statement.
import { parseSync } from 'vite'

export type Mutant = {
  /** From the root of the repository. */
  file: string
  line: number
  /** The line as it stands, which names the mutant in the list of survivors: lines move. */
  source: string
  /** `a → b`. */
  change: string
  /** The file with the change. */
  code: string
}

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Change = { start: number; end: number; to: string }

export function findMutants(file: string, code: string): Mutant[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  const lines = code.split('\n')
  return changesOf(program as unknown as Node, code).map(({ start, end, to }) => {
    const line = code.slice(0, start).split('\n').length
    return {
      file,
      line,
      source: (lines[line - 1] ?? '').trim(),
      change: `${oneLine(code.slice(start, end))} → ${oneLine(to)}`,
      code: code.slice(0, start) + to + code.slice(end),
    }
  })
}

const SHOWN_CHARACTERS = 80

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > SHOWN_CHARACTERS ? `${flat.slice(0, SHOWN_CHARACTERS)}…` : flat || 'nothing'
}

function changesOf(node: Node, code: string): Change[] {
  if (isOnlyType(node)) return []
  return [...(CHANGES[node.type]?.(node, code) ?? []), ...childrenOf(node).flatMap((child) => changesOf(child, code))]
}

/** Syntax that is removed with the types. */
function isOnlyType({ type }: Node): boolean {
  const holdsCode = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)
  return type === 'ImportDeclaration' || (type.startsWith('TS') && !holdsCode)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(
      (value): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value,
    )
}

const OPERATORS: { readonly [operator: string]: string } = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
const SQL_OPERATORS: { readonly [operator: string]: string } = {
  AND: 'OR',
  OR: 'AND',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '<>': '=',
}
const SQL_VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/
/** Above it a number is an amount, and one more of it is hardly a mistake; none at all is. */
const COUNT_MAX = 10

const CHANGES: { readonly [type: string]: (node: Node, code: string) => Change[] } = {
  BinaryExpression: otherOperator,
  LogicalExpression: otherOperator,
  IfStatement: bothWays,
  ConditionalExpression: bothWays,
  UnaryExpression(node) {
    const argument = node.argument as Node
    return node.operator === '!' ? [{ start: node.start, end: argument.start, to: '' }] : []
  },
  Literal(node, code) {
    const { value, start, end } = node
    if (typeof value === 'boolean') return [{ start, end, to: String(!value) }]
    if (typeof value === 'number') return [{ start, end, to: value > COUNT_MAX ? '0' : String(value + 1) }]
    return typeof value === 'string' ? sqlChanges(node, code) : []
  },
  TemplateElement: sqlChanges,
  ReturnStatement(node) {
    const argument = node.argument as Node | null
    // Nothing is as good as `undefined` or `false`, which becomes `true` as well.
    return argument === null || argument.name === 'undefined' || argument.value === false
      ? []
      : [{ start: argument.start, end: argument.end, to: 'undefined' }]
  },
  ArrowFunctionExpression(node) {
    const body = node.body as Node
    return body.type === 'BlockStatement' ? [] : [{ start: body.start, end: body.end, to: '(undefined)' }]
  },
  // Log lines are for operators to read, and their words are no promise; the tests that need a line look for it.
  ExpressionStatement: ({ start, end }, code) =>
    /^(\w+\.)?log\.\w+\(/.test(code.slice(start, end)) ? [] : [{ start, end, to: ';' }],
  ThrowStatement: ({ start, end }) => [{ start, end, to: ';' }],
}

function otherOperator(node: Node, code: string): Change[] {
  const [left, right] = [node.left as Node, node.right as Node]
  const operator = String(node.operator)
  const to = OPERATORS[operator]
  const isText =
    operator === '+' && [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')
  const start = left.end + code.slice(left.end, right.start).indexOf(operator)
  return to === undefined || isText ? [] : [{ start, end: start + operator.length, to }]
}

function bothWays(node: Node): Change[] {
  const { start, end } = node.test as Node
  return ['true', 'false'].map((to) => ({ start, end, to }))
}

function sqlChanges({ start, end }: Node, code: string): Change[] {
  const text = code.slice(start, end)
  if (!SQL_VERB.test(text)) return []
  return [...text.matchAll(/(?<= )(AND|OR|<|<=|>|>=|<>)(?= )/g)].map(({ 0: operator, index }) => ({
    start: start + index,
    end: start + index + operator.length,
    to: SQL_OPERATORS[operator] ?? operator,
  }))
}
