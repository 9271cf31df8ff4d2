import { Environment } from '@huggingface/jinja'
import type { Environment as Env } from '@huggingface/jinja'

/** Values that a template can receive and that macros accept and return. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | TemplateValue[]
  | { [name: string]: TemplateValue }

/** Value inside the interpreter. */
export interface RuntimeValue {
  type: string
  value: unknown
  __bool__(): { value: boolean }
}
type Class<V> = new (value: V) => RuntimeValue & { value: V }
export type NativeFunction = (args: RuntimeValue[], scope: Env) => RuntimeValue

/** The library does not export its classes; they are obtained from an example value of each kind. */
const constructorOf = (example: unknown): unknown =>
  (new Environment().set('example', example) as unknown as { constructor: unknown }).constructor

export const IntegerValue = constructorOf(1) as Class<number>
export const FloatValue = constructorOf(0.5) as Class<number>
export const StringValue = constructorOf('') as Class<string>
export const BooleanValue = constructorOf(true) as Class<boolean>
export const NullValue = constructorOf(null) as Class<null>
export const UndefinedValue = constructorOf(undefined) as Class<undefined>
export const ArrayValue = constructorOf([]) as Class<RuntimeValue[]>
export const ObjectValue = constructorOf({}) as Class<Map<string, RuntimeValue>>
export const FunctionValue = constructorOf(() => null) as Class<NativeFunction>

export const isString = (value: RuntimeValue): value is RuntimeValue & { value: string } => value instanceof StringValue
export const isArray = (value: RuntimeValue): value is RuntimeValue & { value: RuntimeValue[] } =>
  value instanceof ArrayValue
export const isObject = (value: RuntimeValue): value is RuntimeValue & { value: Map<string, RuntimeValue> } =>
  value instanceof ObjectValue
export const isNumber = (value: RuntimeValue): value is RuntimeValue & { value: number } =>
  value instanceof IntegerValue || value instanceof FloatValue

export function toRuntimeValue(value: TemplateValue): RuntimeValue {
  if (value === undefined) return new UndefinedValue(undefined)
  if (value === null) return new NullValue(null)
  if (typeof value === 'string') return new StringValue(value)
  if (typeof value === 'boolean') return new BooleanValue(value)
  if (typeof value === 'number') return Number.isInteger(value) ? new IntegerValue(value) : new FloatValue(value)
  if (Array.isArray(value)) return new ArrayValue(value.map(toRuntimeValue))
  return new ObjectValue(new Map(Object.entries(value).map(([name, part]) => [name, toRuntimeValue(part)])))
}

/** Plain value; a function becomes undefined. */
export function toPlainValue(value: RuntimeValue): TemplateValue {
  if (isArray(value)) return value.value.map(toPlainValue)
  if (isObject(value))
    return Object.fromEntries([...value.value].map(([name, part]) => [name, toPlainValue(part)])) as Record<
      string,
      TemplateValue
    >
  return typeof value.value === 'function' ? undefined : (value.value as TemplateValue)
}

/** Equality of the template language: `1 == 1.0` and `1 == true`, but never `'1' == 1`; lists are compared by their parts. */
export function isEqual(a: RuntimeValue, b: RuntimeValue): boolean {
  if (isArray(a) && isArray(b))
    return (
      a.value.length === b.value.length && a.value.every((one, index) => isEqual(one, b.value[index] as RuntimeValue))
    )
  if (isObject(a) && isObject(b))
    return (
      a.value.size === b.value.size &&
      [...a.value].every(([name, one]) => {
        const other = b.value.get(name)
        return other !== undefined && isEqual(one, other)
      })
    )
  const plain = ({ value }: RuntimeValue) => (typeof value === 'boolean' ? Number(value) : value)
  return plain(a) === plain(b)
}
