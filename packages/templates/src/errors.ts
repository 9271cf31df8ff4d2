import type { RuntimeValue } from './values.ts'

/** What is wrong with a template, as a sentence for its author. `name` of an unknown parameter, when that is the cause. */
export class TemplateError extends Error {
  readonly undefinedName: string | null
  constructor(message: string, undefinedName: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.undefinedName = undefinedName
  }
}

const classNames: Record<string, string> = {
  StringValue: 'str',
  IntegerValue: 'int',
  FloatValue: 'float',
  BooleanValue: 'bool',
  ArrayValue: 'list',
  TupleValue: 'tuple',
  ObjectValue: 'dict',
  FunctionValue: 'function',
  NullValue: 'NoneType',
}

/** Names that begin with an underscore lead out of the sandbox in the language's own home, so they are refused everywhere. */
export const unsafeAccess = (name: string, { type }: RuntimeValue): TemplateError =>
  new TemplateError(`access to attribute '${name}' of '${classNames[type] ?? 'object'}' object is unsafe.`)
