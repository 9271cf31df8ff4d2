import type { RuntimeValue } from './values.ts'

/** Error in a template, with a message for its author. `name` of the unknown parameter that caused it, if any. */
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

/** Error for names with a leading underscore, which lead out of the sandbox in the original Jinja and are rejected everywhere. */
export const unsafeAccess = (name: string, { type }: RuntimeValue): TemplateError =>
  new TemplateError(`access to attribute '${name}' of '${classNames[type] ?? 'object'}' object is unsafe.`)
