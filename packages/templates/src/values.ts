import { Environment } from '@huggingface/jinja'
import type { Environment as Env } from '@huggingface/jinja'

/** What a template may be given and what macros take and give. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | TemplateValue[]
  | { [name: string]: TemplateValue }

/** A value inside of the interpreter. */
export interface Inner {
  type: string
  value: unknown
  __bool__(): { value: boolean }
}
type Class<V> = new (value: V) => Inner & { value: V }
export type Call = (args: Inner[], scope: Env) => Inner

/** The library keeps its classes to itself; a value of each kind has them. */
const classOf = (example: unknown): unknown =>
  (new Environment().set('example', example) as unknown as { constructor: unknown }).constructor

export const IntegerValue = classOf(1) as Class<number>
export const FloatValue = classOf(0.5) as Class<number>
export const StringValue = classOf('') as Class<string>
export const BooleanValue = classOf(true) as Class<boolean>
export const NullValue = classOf(null) as Class<null>
export const UndefinedValue = classOf(undefined) as Class<undefined>
export const ArrayValue = classOf([]) as Class<Inner[]>
export const ObjectValue = classOf({}) as Class<Map<string, Inner>>
export const FunctionValue = classOf(() => null) as Class<Call>

export const isString = (value: Inner): value is Inner & { value: string } => value instanceof StringValue
export const isArray = (value: Inner): value is Inner & { value: Inner[] } => value instanceof ArrayValue
export const isObject = (value: Inner): value is Inner & { value: Map<string, Inner> } => value instanceof ObjectValue
export const isNumber = (value: Inner): value is Inner & { value: number } =>
  value instanceof IntegerValue || value instanceof FloatValue

export function inner(value: TemplateValue): Inner {
  if (value === undefined) return new UndefinedValue(undefined)
  if (value === null) return new NullValue(null)
  if (typeof value === 'string') return new StringValue(value)
  if (typeof value === 'boolean') return new BooleanValue(value)
  if (typeof value === 'number') return Number.isInteger(value) ? new IntegerValue(value) : new FloatValue(value)
  if (Array.isArray(value)) return new ArrayValue(value.map(inner))
  return new ObjectValue(new Map(Object.entries(value).map(([name, part]) => [name, inner(part)])))
}

/** The plain value; a function is none and counts as undefined. */
export function outer(value: Inner): TemplateValue {
  if (isArray(value)) return value.value.map(outer)
  if (isObject(value))
    return Object.fromEntries([...value.value].map(([name, part]) => [name, outer(part)])) as Record<
      string,
      TemplateValue
    >
  return typeof value.value === 'function' ? undefined : (value.value as TemplateValue)
}

/** Equality as the template language has it: `1 == 1.0` and `1 == true`, but never `'1' == 1`; lists by their parts. */
export function isEqual(a: Inner, b: Inner): boolean {
  if (isArray(a) && isArray(b))
    return a.value.length === b.value.length && a.value.every((one, at) => isEqual(one, b.value[at] as Inner))
  if (isObject(a) && isObject(b))
    return (
      a.value.size === b.value.size &&
      [...a.value].every(([name, one]) => {
        const other = b.value.get(name)
        return other !== undefined && isEqual(one, other)
      })
    )
  const plain = ({ value }: Inner) => (typeof value === 'boolean' ? Number(value) : value)
  return plain(a) === plain(b)
}
