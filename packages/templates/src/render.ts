import { Environment } from '@huggingface/jinja'
import { message } from '@parquetry/model/message'
import { parseTemplate, type Program } from './parse-template.ts'
import { TemplateError, tooDeep, undefinedError } from './errors.ts'
import { GuardedInterpreter, type StepBudget } from './interpreter.ts'
import { UntrustedValue, type Macro } from './macro.ts'
import { UntrustedWriter } from './untrusted-writer.ts'
import {
  FunctionValue,
  type RuntimeValue,
  toRuntimeValue,
  ArrayValue,
  isObject,
  ObjectValue,
  IntegerValue,
  toPlainValue,
  type TemplateValue,
} from './values.ts'

export interface TemplateContext {
  /** Values of the author, inserted unchanged. */
  values: Readonly<Record<string, TemplateValue>>
  /** Values of the query, which a viewer chooses. */
  untrustedValues: Readonly<Record<string, TemplateValue>>
  /** Names that a viewer's value may have outside of quotes: columns of the dataset. */
  names: readonly string[]
  /** Macros by name; a name such as `trino.latest_partition` becomes a property of `trino`. */
  macros: Readonly<Record<string, Macro>>
  /** Value as a SQL literal of the engine. */
  literal(value: TemplateValue): string
  /** Name of the engine, which determines the quoting rules. */
  dialect: string
}

export interface RenderedTemplate {
  text: string
  /** Names whose values the text would need. If there are any, the text is unusable. */
  unknown: string[]
}

const maxTemplate = 1 << 20
const maxPasses = 20
/** Maximum number of values passed to a template; each is converted to a value of the language. */
const maxInputValues = 10_000
/** Cost of converting such a value, in characters. */
const unitsPerInputValue = 250

/** Renders a text that contains template tags. @throws TemplateError */
export async function evaluateTemplate(template: string, context: TemplateContext): Promise<RenderedTemplate> {
  if (template.length > maxTemplate)
    throw new TemplateError(message('errors.templates.tooLong', 'The template is too long.'))
  countValues([context.values, context.untrustedValues] as TemplateValue)
  const tree = parseOrThrow(template)
  const answers = new Map<string, TemplateValue | UntrustedValue>()
  /** Passes share their steps, so that a template with many macros does not take longer than others. */
  const budget = { steps: 0 }
  for (let pass = 0; pass < maxPasses; pass++) {
    try {
      return evaluateOnce(tree, context, answers, budget)
    } catch (error) {
      if (!(error instanceof PendingMacro)) throw error
      answers.set(error.key, await error.answer)
    }
  }
  throw new TemplateError(message('errors.templates.macros', 'The template calls too many macros.'))
}

function parseOrThrow(template: string): Program {
  try {
    return parseTemplate(template)
  } catch (error) {
    // At the end of the text, the parser fails on its own missing next token.
    if (error instanceof TypeError)
      throw new TemplateError(
        message('errors.templates.incomplete', 'The template is incomplete: it ends unexpectedly.'),
        null,
        { cause: error },
      )
    throw asTemplateError(error, null)
  }
}

function evaluateOnce(
  tree: Program,
  context: TemplateContext,
  answers: Map<string, TemplateValue | UntrustedValue>,
  budget: StepBudget,
): RenderedTemplate {
  const untrusted = new UntrustedWriter(context)
  const scope = new Environment()
  const interpreter = new GuardedInterpreter(scope, { untrusted, literal: context.literal, budget })
  const declare = (name: string, value: RuntimeValue) => scope.setVariable(name, value as never)
  for (const [names, value] of constants) for (const name of names) declare(name, toRuntimeValue(value))
  declare('range', new FunctionValue((args) => range(args, interpreter)))
  for (const [name, value] of Object.entries(context.values)) declare(name, toRuntimeValue(value))
  for (const [name, value] of Object.entries(context.untrustedValues))
    declare(name, interpreter.markUntrusted(toRuntimeValue(value)))
  const groups = new Map<string, Map<string, RuntimeValue>>()
  for (const [name, macro] of Object.entries(context.macros)) {
    const called = new FunctionValue((args) => callMacro(name, macro, args, interpreter, answers))
    const [group = '', part] = name.split('.')
    if (part === undefined) declare(name, called)
    else groups.set(group, (groups.get(group) ?? new Map<string, RuntimeValue>()).set(part, called))
  }
  for (const [group, parts] of groups) declare(group, new ObjectValue(parts))
  try {
    const text = interpreter.evaluate(tree as never, scope).value as string
    return { text: untrusted.place(text), unknown: [...interpreter.unknown] }
  } catch (error) {
    if (error instanceof PendingMacro) throw error
    throw asTemplateError(error, interpreter.lastUnknown)
  }
}

const constants: [string[], TemplateValue][] = [
  [['true', 'True'], true],
  [['false', 'False'], false],
  [['none', 'None'], null],
]

/** Thrown when a macro has to wait; rendering restarts when the promise resolves. */
class PendingMacro extends Error {
  readonly key: string
  readonly answer: Promise<TemplateValue | UntrustedValue>
  constructor(key: string, answer: Promise<TemplateValue | UntrustedValue>) {
    super('A macro waits for its answer.')
    this.key = key
    this.answer = answer
  }
}

function callMacro(
  name: string,
  macro: Macro,
  given: RuntimeValue[],
  interpreter: GuardedInterpreter,
  answers: Map<string, TemplateValue | UntrustedValue>,
): RuntimeValue {
  const last = given.at(-1)
  const named = last?.type === 'KeywordArgumentsValue' && isObject(last) ? last : null
  for (const value of given) interpreter.weigh(value)
  const args = (named ? given.slice(0, -1) : given).map(toPlainValue)
  const options = named ? (toPlainValue(named) as Record<string, TemplateValue>) : {}
  const key = JSON.stringify([name, args, options])
  const value = answers.has(key) ? answers.get(key) : macro.call(args, options)
  if (value instanceof Promise) throw new PendingMacro(key, value)
  interpreter.charge(countValues(value instanceof UntrustedValue ? value.value : value) * unitsPerInputValue)
  return value instanceof UntrustedValue
    ? interpreter.markUntrusted(toRuntimeValue(value.value), value.asLiteral)
    : toRuntimeValue(value)
}

/** Number of values in a value, including itself. @throws TemplateError when there are too many */
function countValues(given: TemplateValue): number {
  let count = 0
  const open = [given]
  while (open.length > 0) {
    const value = open.pop()
    if (++count > maxInputValues)
      throw new TemplateError(
        message('errors.templates.values', 'A template can receive at most {max, number} values.', {
          max: maxInputValues,
        }),
      )
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) open.push(part)
  }
  return count
}

function range(args: RuntimeValue[], interpreter: GuardedInterpreter): RuntimeValue {
  const [first, second, third] = args.map(({ value }) => Number(value))
  const [start, stop, step] = second === undefined ? [0, first ?? 0, 1] : [first ?? 0, second, third ?? 1]
  const length = Math.max(0, Math.ceil((stop - start) / step))
  if (!(length <= 10_000))
    throw new TemplateError(
      message('errors.templates.range', 'A range can have at most {max, number} numbers.', { max: 10_000 }),
    )
  interpreter.charge(length * 100)
  return new ArrayValue(Array.from({ length }, (_, index) => new IntegerValue(start + index * step)))
}

/** Converts errors: the library throws plain errors, and deep nesting causes a stack overflow in the JavaScript engine. */
function asTemplateError(error: unknown, unknownName: string | null): TemplateError {
  if (error instanceof TemplateError) return error
  if (error instanceof RangeError) return tooDeep(error)
  if (!(error instanceof Error)) throw error
  const isOfUndefined = unknownName !== null && /undefined/i.test(error.message)
  return isOfUndefined
    ? undefinedError(unknownName, unknownName, { cause: error })
    : new TemplateError(error.message, null, { cause: error })
}
