import { parse } from '@handlebars/parser'
import { blockHelpers, helpers } from './helpers.ts'
import type { Block, Expression, Hash, Literal, Statement, PathExpression, Program } from './syntax.ts'
import { Budget, toTemplateError, isEmpty, lookUp, ownKeys, TemplateError, toTemplateText } from './values.ts'

/** Data of a template, and the locale of its times and numbers. */
export interface TemplateInput {
  context: Record<string, unknown>
  /** BCP 47 tag. */
  locale: string
}

/**
 * Renders a Handlebars template. Walks its syntax tree without generating code, which a page may not compile. Only own fields are
 * read, so templates cannot reach a prototype.
 * @see https://handlebarsjs.com/guide/ ; a field of the data takes precedence over a helper of its name without arguments
 * @throws TemplateError with the line
 */
export function runTemplate(source: string, { context, locale }: TemplateInput): string {
  const run = new Run(locale)
  const scope: Scope = { contexts: [context], data: { root: context }, names: {}, partials: {} }
  return run.program(parseTemplate(source), scope)
}

/** Steps per helper call. Helpers cost more than fields, since some format times and numbers for a language. */
const helperSteps = 10

/** Maximum nesting of partials, blocks and sub-expressions. */
const maxDepth = 100

/**
 * Limits the nesting: the parser takes seconds for thousands of levels, and finally overflows the stack. @throws TemplateError
 * `steps`
 */
function checkDepth(source: string): void {
  let blocks = 0
  for (let from = source.indexOf('{{'); from >= 0; from = source.indexOf('{{', from)) {
    const end = source.indexOf('}}', from)
    if (end < 0) return
    const inside = source.slice(from + 2, end)
    if (/^~?(?:[#]|\^\s*[^\s~])/.test(inside)) blocks += 1
    else if (/^~?\//.test(inside)) blocks = Math.max(0, blocks - 1)
    if (blocks > maxDepth || countNestedParens(inside) > maxDepth)
      throw new TemplateError('steps', source.slice(0, from).split('\n').length)
    from = end + 2
  }
}

/** Maximum nesting depth of parentheses in a text. */
function countNestedParens(text: string): number {
  let [open, most] = [0, 0]
  for (const sign of text) {
    if (sign === '(') open += 1
    else if (sign === ')') open = Math.max(0, open - 1)
    most = Math.max(most, open)
  }
  return most
}

function parseTemplate(source: string): Program {
  checkDepth(source)
  try {
    return parse(source) as unknown as Program
  } catch (error) {
    const { message, lineNumber } = error as { message: string; lineNumber?: number }
    const [first = '', ...excerpt] = message.split('\n')
    const line = lineNumber ?? Number(/line (\d+)/.exec(first)?.[1] ?? 1)
    throw new TemplateError('syntax', line, excerpt.length >= 2 ? excerpt.slice(0, 2).join('\n') : first)
  }
}

/** Scope in which a statement is evaluated. */
interface Scope {
  /** Innermost first: `../` leads to the next one. */
  contexts: readonly unknown[]
  /** `@index` and similar values. */
  data: Record<string, unknown>
  /** Values of block parameters: `as |row index|`. */
  names: Record<string, unknown>
  partials: Record<string, Partial>
}

type Partial = (scope: Scope) => string

/** Input of a helper besides its values; blocks can render their content. */
export interface HelperCall {
  hash: Record<string, unknown>
  locale: string
  context: unknown
  /** Renders the content of a block with another context, `@` values and values of its block parameters. */
  inside(context: unknown, data?: Record<string, unknown>, values?: readonly unknown[]): string
  otherwise(): string
}

class Run {
  readonly #budget = new Budget()
  readonly #locale: string
  #depth = 0

  constructor(locale: string) {
    this.#locale = locale
  }

  program(program: Program | undefined, scope: Scope): string {
    if (!program) return ''
    let written = ''
    const inner = { ...scope, partials: { ...scope.partials } }
    for (const statement of program.body) if (statement.type === 'DecoratorBlock') this.#define(statement, inner)
    for (const statement of program.body) {
      this.#budget.spend(1, statement.loc.start.line)
      const text = this.#statement(statement, inner)
      this.#budget.write(text.length, statement.loc.start.line)
      written += text
    }
    return written
  }

  #statement(node: Statement, scope: Scope): string {
    switch (node.type) {
      case 'ContentStatement':
        return node.value
      case 'MustacheStatement': {
        const value = this.#value(node, scope)
        return node.escaped ? escapeHtml(toTemplateText(value)) : toTemplateText(value)
      }
      case 'BlockStatement':
        return this.#block(node, scope)
      case 'PartialStatement':
      case 'PartialBlockStatement': {
        const name =
          node.name.type === 'SubExpression'
            ? toTemplateText(this.#expression(node.name, scope))
            : String(node.name.original)
        const partial = Object.hasOwn(scope.partials, name) ? scope.partials[name] : undefined
        const own = node.type === 'PartialBlockStatement' ? node.program : undefined
        if (!partial && !own) throw new TemplateError('partial', node.loc.start.line, name)
        const given = node.params[0] ? this.#expression(node.params[0], scope) : scope.contexts[0]
        const hash = this.#hash(node.hash, scope)
        const context = Object.keys(hash).length > 0 ? { ...(given as object), ...hash } : given
        const partials = own
          ? {
              ...scope.partials,
              '@partial-block': (inner: Scope) => this.program(own, { ...scope, contexts: inner.contexts }),
            }
          : scope.partials
        const inner = { ...scope, contexts: [context, ...scope.contexts], partials }
        if (++this.#depth > maxDepth) throw new TemplateError('steps', node.loc.start.line)
        const text = partial ? partial(inner) : this.program(own, inner)
        this.#depth -= 1
        return text
      }
      case 'Decorator':
        throw new TemplateError('helper', node.loc.start.line, nameOf(node.path))
      default:
        return ''
    }
  }

  #define(node: Block, scope: Scope): void {
    if (nameOf(node.path) !== 'inline') throw new TemplateError('helper', node.loc.start.line, nameOf(node.path))
    const name = toTemplateText(node.params[0] && this.#expression(node.params[0], scope))
    scope.partials[name] = (inner) => this.program(node.program, inner)
  }

  #block(node: Block, scope: Scope): string {
    const name = nameOf(node.path)
    const line = node.loc.start.line
    const names = node.program?.blockParams ?? []
    const call: HelperCall = {
      hash: this.#hash(node.hash, scope),
      locale: this.#locale,
      context: scope.contexts[0],
      inside: (context, data = {}, values = []) => {
        this.#budget.spend(1, line)
        const contexts = context === scope.contexts[0] ? scope.contexts : [context, ...scope.contexts]
        const named = Object.fromEntries(names.map((each, index) => [each, values[index]]))
        return this.program(node.program, {
          ...scope,
          contexts,
          data: { ...scope.data, ...data },
          names: { ...scope.names, ...named },
        })
      },
      otherwise: () => this.program(node.inverse, scope),
    }
    const params = node.params.map((param) => this.#expression(param, scope))
    const helper =
      isSimple(node.path) && !this.#isField(node, scope) && Object.hasOwn(blockHelpers, name)
        ? blockHelpers[name]
        : undefined
    if (helper) return this.#call(() => helper(params, call), line)
    const value = this.#value(node, scope)
    // A helper that returns a value, or a field: lists are iterated, objects become the context, other values are true or false.
    if (Array.isArray(value)) return blockHelpers['each']!([value], call)
    if (value === true) return call.inside(scope.contexts[0])
    return isEmpty(value) ? call.otherwise() : call.inside(value)
  }

  /** Evaluates a mustache, a block or a sub-expression: a helper with its values, or a field. */
  #value(
    node: { path: Expression; params: readonly Expression[]; hash?: Hash; loc: Statement['loc'] },
    scope: Scope,
  ): unknown {
    const { path, params, loc } = node
    if (path.type === 'SubExpression') return this.#expression(path, scope)
    const name = nameOf(path)
    const isGiven = params.length > 0 || (node.hash?.pairs.length ?? 0) > 0
    if (isSimple(path) && !this.#isField(node, scope)) {
      const helper = Object.hasOwn(helpers, name) ? helpers[name] : undefined
      if (helper) {
        const call = { hash: this.#hash(node.hash, scope), locale: this.#locale }
        const values = params.map((param) => this.#expression(param, scope))
        this.#budget.spend(helperSteps, loc.start.line)
        const value = this.#call(() => helper(values, call), loc.start.line)
        if (typeof value === 'string') this.#budget.spend(value.length / 64, loc.start.line)
        return value
      }
    }
    if (isGiven) throw new TemplateError('helper', loc.start.line, name)
    return path.type === 'PathExpression' ? this.#field(path, scope) : lookUp(scope.contexts[0], name)
  }

  #isField(
    { path, params, hash }: { path: Expression; params: readonly Expression[]; hash?: Hash },
    { contexts, names }: Scope,
  ): boolean {
    if (params.length > 0 || (hash?.pairs.length ?? 0) > 0) return false
    const name = nameOf(path)
    return Object.hasOwn(names, name) || ownKeys(contexts[0]).has(name)
  }

  #expression(node: Expression, scope: Scope): unknown {
    switch (node.type) {
      case 'PathExpression':
        return isSimple(node) &&
          !this.#isField({ path: node, params: [] }, scope) &&
          Object.hasOwn(helpers, nameOf(node))
          ? this.#value({ path: node, params: [], loc: node.loc }, scope)
          : this.#field(node, scope)
      case 'SubExpression': {
        this.#budget.spend(1, node.loc.start.line)
        const name = nameOf(node.path)
        if (node.path.type !== 'SubExpression' && !Object.hasOwn(helpers, name))
          throw new TemplateError('helper', node.loc.start.line, name)
        return this.#value(node, scope)
      }
      case 'UndefinedLiteral':
        return undefined
      case 'NullLiteral':
        return null
      default:
        return node.value
    }
  }

  #field({ data, depth, parts, head, loc }: PathExpression, { contexts, data: at, names }: Scope): unknown {
    this.#budget.spend(1, loc.start.line)
    const [first, ...rest] = parts as string[]
    const isNamed = !data && depth === 0 && typeof head === 'string' && Object.hasOwn(names, head)
    const from = data ? (depth > 0 ? undefined : at) : isNamed ? names : contexts[depth]
    return first === undefined ? from : rest.reduce(lookUp, lookUp(from, first))
  }

  #hash(hash: Hash | undefined, scope: Scope): Record<string, unknown> {
    return Object.fromEntries((hash?.pairs ?? []).map(({ key, value }) => [key, this.#expression(value, scope)]))
  }

  #call<T>(helper: () => T, line: number): T {
    try {
      return helper()
    } catch (error) {
      throw toTemplateError(error, line)
    }
  }
}

const nameOf = (path: Expression | Literal): string =>
  path.type === 'PathExpression' ? path.original : 'value' in path ? String(path.value) : ''

/** Returns whether a path is a single name. */
const isSimple = (path: Expression): boolean =>
  path.type === 'PathExpression' ? path.parts.length === 1 && !path.data && !path.this && path.depth === 0 : true

const signs: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"'`=]/g, (sign) => signs[sign]!)
