import { Environment, Interpreter } from '@huggingface/jinja'
import { message } from '@parquetry/model/message'
import { TemplateError, tooManyItems, undefinedError, unsafeAccess } from './errors.ts'
import { filters, type FilterContext, maxItems } from './filters.ts'
import { printValue } from './print-value.ts'
import type { UntrustedWriter } from './untrusted-writer.ts'
import {
  ArrayValue,
  BooleanValue,
  FloatValue,
  type RuntimeValue,
  toRuntimeValue,
  IntegerValue,
  isArray,
  isEqual,
  isNumber,
  isObject,
  isString,
  NullValue,
  StringValue,
  type TemplateValue,
  UndefinedValue,
} from './values.ts'

/** Node of the library's syntax tree; each type has its own fields. */
interface Node {
  type: string
  [field: string]: unknown
}
type Arguments = [args: RuntimeValue[], named: Map<string, RuntimeValue>]

/** Methods that are private to the library; its version is pinned, and the tests here detect changes of their behavior. */
interface Base {
  evaluate(node: Node | undefined, scope: Environment): RuntimeValue
  evaluateArguments(args: Node[], scope: Environment): Arguments
  applyFilter(operand: RuntimeValue, filter: Node, scope: Environment): RuntimeValue
  evaluateMemberExpression(node: Node, scope: Environment): RuntimeValue
  evaluateCallExpression(node: Node, scope: Environment): RuntimeValue
  evaluateBinaryExpression(node: Node, scope: Environment): RuntimeValue
}
const Base = Interpreter as unknown as new (scope: Environment) => Base

export interface InterpreterOptions {
  untrusted: UntrustedWriter
  /** Value as a SQL literal of the engine. */
  literal(value: TemplateValue): string
  budget: StepBudget
}

/** Steps that a template has taken. */
export interface StepBudget {
  steps: number
}

const maxSteps = 20_000
/** Steps per loop iteration and macro call, for which the library creates a dozen values. */
const blockSteps = 4
/** Number of characters of text processing that count as one step. */
const unitsPerStep = 500
/** Cost of a list item in characters. */
const unitsPerItem = 50
/** Cost factor of the library's filters, which sort, compare and write; own filters traverse a list once. */
const libraryRounds = 4
/** Maximum length of one value. */
const maxText = 100_000
const maxOutput = 2 << 20

/** Expressions whose result counts as a viewer's value when they use one. */
const derives = new Set([
  'FilterExpression',
  'CallExpression',
  'MemberExpression',
  'BinaryExpression',
  'SelectExpression',
  'Ternary',
])
/** Filters whose output is already safe in its position. */
const cleanFilters = new Set(['where_in', 'join'])

/**
 * Library interpreter with bounds on steps, sizes and names, with Jinja's equality and printing, and with tracking of values from
 * viewers.
 */
export class GuardedInterpreter extends Base implements FilterContext {
  readonly literal: (value: TemplateValue) => string
  /** Unknown names that were used, in text order. */
  readonly unknown = new Set<string>()
  /** The unknown name that was looked up last, for the message when the next step fails on it. */
  lastUnknown: string | null = null
  readonly #untrusted: UntrustedWriter
  readonly #ofViewers = new WeakSet<RuntimeValue>()
  readonly #literals = new WeakSet<RuntimeValue>()
  #touched = false
  readonly #budget: StepBudget

  constructor(scope: Environment, { untrusted, literal, budget }: InterpreterOptions) {
    super(scope)
    this.#budget = budget
    this.#untrusted = untrusted
    this.literal = literal
  }

  /** Marks a value and its parts as provided by a viewer. @param asLiteral  see `UntrustedValue` */
  markUntrusted(value: RuntimeValue, asLiteral = false): RuntimeValue {
    if (this.#ofViewers.has(value)) return value
    this.#ofViewers.add(value)
    if (asLiteral) this.#literals.add(value)
    if (isArray(value)) for (const part of value.value) this.markUntrusted(part, asLiteral)
    else if (isObject(value)) for (const part of value.value.values()) this.markUntrusted(part, asLiteral)
    return value
  }

  readonly text = (value: RuntimeValue): string => {
    this.weigh(value)
    return printValue(value, (one) =>
      this.#ofViewers.has(one)
        ? this.#untrusted.mark(one.value, this.#literals.has(one) ? this.literal(one.value) : null)
        : one.value,
    )
  }

  readonly checkLength = (length: number): void => {
    if (length > maxText) throw tooLongText()
  }

  readonly apply = (operand: RuntimeValue, name: string): RuntimeValue =>
    this.applyFilter(operand, { type: 'Identifier', value: name }, new Environment())

  /** @throws TemplateError when rendering takes too many steps */
  charge(units = 0): void {
    this.#budget.steps += 1 + units / unitsPerStep
    if (this.#budget.steps > maxSteps)
      throw new TemplateError(
        message('errors.templates.tooSlow', 'The template takes too long to render. Simplify it.'),
      )
  }

  /**
   * Charges for traversing a value: each part counts as often as it occurs, because lists that contain the same list several
   * times grow exponentially.
   * @param rounds  number of traversals
   * @throws TemplateError
   */
  weigh(value: RuntimeValue, rounds = 1): void {
    let count = 0
    const open = [value]
    for (let next = open.pop(); next; next = open.pop()) {
      const parts: readonly RuntimeValue[] = isArray(next) ? next.value : isObject(next) ? [...next.value.values()] : []
      count += parts.length
      if (count > maxItems) throw tooManyItems()
      for (const part of parts) open.push(part)
    }
    if (count > 0) this.charge(count * unitsPerItem * rounds)
  }

  override evaluate(node: Node | undefined, scope: Environment): RuntimeValue {
    this.charge()
    if (node?.type === 'Known') return node['known'] as RuntimeValue
    if (!node || !derives.has(node.type)) {
      const value =
        node?.type === 'Identifier' ? this.#lookup(String(node['value']), scope) : super.evaluate(node, scope)
      if (this.#ofViewers.has(value)) this.#touched = true
      return value
    }
    const before = this.#touched
    this.#touched = false
    const value = super.evaluate(node, scope)
    this.#checkSize(value)
    if (this.#touched) this.markUntrusted(value)
    this.#touched = before || this.#ofViewers.has(value)
    return value
  }

  evaluateBlock(statements: Node[], scope: Environment): RuntimeValue {
    let text = ''
    for (const statement of statements) {
      const value = this.evaluate(statement, scope)
      const isMissing = value instanceof UndefinedValue || value instanceof NullValue
      if (!isMissing) text += this.text(value)
      else if (printsValue(statement)) {
        if (value instanceof UndefinedValue && this.lastUnknown !== null) this.unknown.add(this.lastUnknown)
        else text += this.#untrusted.markMissing(value instanceof NullValue ? 'None' : '')
      }
      this.lastUnknown = null
      if (text.length > maxOutput) throw tooLongText()
    }
    this.charge(text.length + blockSteps * unitsPerStep)
    this.#touched = false
    return new StringValue(text)
  }

  override evaluateMemberExpression(node: Node, scope: Environment): RuntimeValue {
    const { object, property, computed } = node as Node & { object: Node; property: Node; computed: boolean }
    const owner = this.evaluate(object, scope)
    const isSlice = property.type === 'SliceExpression'
    const key = computed && !isSlice ? this.evaluate(property, scope) : null
    const name = key ? key.value : property['value']
    if (typeof name === 'string' && name.startsWith('_')) throw unsafeAccess(name, owner)
    if (owner instanceof UndefinedValue) throw undefinedError(this.lastUnknown ?? 'value', this.lastUnknown)
    const resolvedNode = { ...node, object: known(owner), ...(key && { property: known(key) }) }
    const value = super.evaluateMemberExpression(resolvedNode, scope)
    // An item that a list does not have is missing; only names can be unknown.
    if (value instanceof UndefinedValue && !isSlice) this.lastUnknown = isArray(owner) && key ? null : String(name)
    return value
  }

  override evaluateCallExpression(node: Node, scope: Environment): RuntimeValue {
    const { callee, args } = node as Node & { callee: Node; args: Node[] }
    const method = callee.type === 'MemberExpression' && callee['computed'] === false ? callee['property'] : undefined
    const name = (method as Node | undefined)?.['value']
    if (name === 'split') {
      const operand = this.evaluate(callee['object'] as Node, scope)
      const [given] = this.evaluateArguments(args, scope)
      if (isString(operand)) checkParts(operand.value, given[0])
      return super.evaluateCallExpression({ ...node, callee: { ...callee, object: known(operand) } }, scope)
    }
    if (name === 'join' || name === 'replace' || name === 'append') {
      const operand = this.evaluate(callee['object'] as Node, scope)
      const [given] = this.evaluateArguments(args, scope)
      this.weigh(operand)
      for (const value of given) this.weigh(value)
      if (name === 'join')
        return this.#clean(
          getFilter('join')(given[0] ?? new ArrayValue([]), { args: [operand], named: new Map() }, this),
        )
      if (name === 'replace') return getFilter('replace')(operand, { args: given, named: new Map() }, this)
      return append(operand, given[0])
    }
    if (callee.type === 'Identifier' && this.#lookup(String(callee['value']), scope) instanceof UndefinedValue)
      throw undefinedError(String(callee['value'])) // no parameter is missing
    return super.evaluateCallExpression(node, scope)
  }

  override applyFilter(operand: RuntimeValue, filter: Node, scope: Environment): RuntimeValue {
    const isCall = filter.type === 'CallExpression'
    const name = String(isCall ? (filter['callee'] as Node)['value'] : filter['value'])
    const own = filters.get(name)
    this.weigh(operand, own ? 1 : libraryRounds)
    if (isString(operand)) this.charge(operand.value.length)
    if (name === 'default') this.lastUnknown = null
    if (!own) return super.applyFilter(operand, filter, scope)
    const [args, named] = isCall
      ? this.evaluateArguments(filter['args'] as Node[], scope)
      : [[], new Map<string, RuntimeValue>()]
    const value = own(operand, { args, named }, this)
    return cleanFilters.has(name) ? this.#clean(value) : value
  }

  override evaluateBinaryExpression(node: Node, scope: Environment): RuntimeValue {
    const operator = (node['operator'] as { value: string }).value
    if (operator === 'and' || operator === 'or') return super.evaluateBinaryExpression(node, scope)
    const left = this.evaluate(node['left'] as Node, scope)
    const right = this.evaluate(node['right'] as Node, scope)
    this.weigh(left)
    this.weigh(right)
    if (operator === '==') return new BooleanValue(isEqual(left, right))
    if (operator === '!=') return new BooleanValue(!isEqual(left, right))
    if (operator === '~' || (operator === '+' && isString(left) && isString(right)))
      return this.#clean(new StringValue(this.text(left) + this.text(right)))
    if ((operator === 'in' || operator === 'not in') && isArray(right))
      return new BooleanValue(right.value.some((item) => isEqual(item, left)) === (operator === 'in'))
    if (isNumber(left) && isNumber(right) && isDivision(operator)) return divided(operator, left, right)
    return super.evaluateBinaryExpression({ ...node, left: known(left), right: known(right) }, scope)
  }

  #lookup(name: string, scope: Environment): RuntimeValue {
    const value = scope.lookupVariable(name) as unknown as RuntimeValue
    if (value instanceof UndefinedValue) this.lastUnknown = name
    return value
  }

  /** Marks a value as safely written, so that it no longer counts as a viewer's value. */
  #clean(value: RuntimeValue): RuntimeValue {
    this.#touched = false
    return value
  }

  #checkSize(value: RuntimeValue): void {
    if (isString(value)) {
      this.checkLength(value.value.length)
      this.charge(value.value.length)
    } else if (isArray(value)) {
      if (value.value.length > maxItems) throw tooManyItems()
      this.charge(value.value.length * unitsPerItem)
    } else if (isObject(value)) this.charge(value.value.size * unitsPerItem)
  }
}

const tooLongText = (): TemplateError =>
  new TemplateError(message('errors.templates.stringTooLong', 'The template creates a string that is too long.'))

/** @throws TemplateError when splitting the text would create a list that is too long */
function checkParts(text: string, separator: RuntimeValue | undefined): void {
  const by = separator && isString(separator) && separator.value !== '' ? separator.value : /\s+/
  if (text.split(by, maxItems + 1).length > maxItems) throw tooManyItems()
}

/** Node for a value that is already evaluated. */
const known = (value: RuntimeValue): Node => ({ type: 'Known', known: value })

const getFilter = (name: 'join' | 'replace') => filters.get(name) as NonNullable<ReturnType<typeof filters.get>>

const statements = new Set(['Set', 'Macro', 'Comment', 'If', 'For', 'CallStatement', 'FilterStatement'])
const printsValue = (node: Node): boolean => !statements.has(node.type)

const isDivision = (operator: string): boolean => operator === '/' || operator === '//' || operator === '%'

function divided(
  operator: string,
  a: RuntimeValue & { value: number },
  b: RuntimeValue & { value: number },
): RuntimeValue {
  if (b.value === 0) throw new TemplateError(message('errors.templates.division', 'division by zero'))
  if (operator === '/') return new FloatValue(a.value / b.value)
  const whole = Math.floor(a.value / b.value)
  const result = operator === '//' ? whole : a.value - whole * b.value
  return a instanceof IntegerValue && b instanceof IntegerValue ? new IntegerValue(result) : new FloatValue(result)
}

function append(list: RuntimeValue, item: RuntimeValue | undefined): RuntimeValue {
  if (!isArray(list)) throw new TemplateError(message('errors.templates.append', 'append can be used only on lists'))
  list.value.push(item ?? toRuntimeValue(null))
  if (list.value.length > maxItems) throw tooManyItems()
  return toRuntimeValue(null)
}
