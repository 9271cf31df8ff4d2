import { message, type Message, MessageError } from '@parquetry/model/message'
import type { RuntimeValue } from './values.ts'

/** Error in a template, with a message for its author. `name` of the unknown parameter that caused it, if any. */
export class TemplateError extends MessageError {
  readonly undefinedName: string | null
  constructor(sentence: string | Message, undefinedName: string | null = null, options?: ErrorOptions) {
    super(sentence, options)
    this.undefinedName = undefinedName
  }
}

/** Error for an attribute of which the user has no value, or several where one is needed. */
export class UserAttributeError extends TemplateError {
  readonly attribute: string
  readonly reason: 'missing' | 'several'
  constructor(attribute: string, reason: 'missing' | 'several') {
    super(
      reason === 'missing'
        ? message('errors.templates.attributeMissing', 'You have no value of the user attribute "{attribute}".', {
            attribute,
          })
        : message(
            'errors.templates.attributeSeveral',
            'You have several values of the user attribute "{attribute}". Use user_attribute with many=true and the where_in filter.',
            { attribute },
          ),
    )
    this.attribute = attribute
    this.reason = reason
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
  new TemplateError(
    message('errors.templates.unsafe', "access to attribute '{name}' of '{type}' object is unsafe.", {
      name,
      type: classNames[type] ?? 'object',
    }),
  )

/** Error for a list of values that has more items than a template may create. */
export const tooManyItems = (): TemplateError =>
  new TemplateError(message('errors.templates.listTooLong', 'The template creates a list that is too long.'))

export const notList = ({ type }: RuntimeValue): TemplateError =>
  new TemplateError(message('errors.templates.notList', "'{type}' is not a list", { type }))

export const tooDeep = (cause?: unknown): TemplateError =>
  new TemplateError(message('errors.templates.tooDeep', 'The template is nested too deeply.'), null, { cause })

/** Error for a name without a value. `undefinedName` is null when no parameter could give it one. */
export const undefinedError = (
  name: string,
  undefinedName: string | null = null,
  options?: ErrorOptions,
): TemplateError =>
  new TemplateError(message('errors.templates.undefined', "'{name}' is undefined", { name }), undefinedName, options)
