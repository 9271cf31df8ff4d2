import Type, { type Static, type TSchema } from 'typebox'

/**
 * An object with arbitrary keys and values of one type. `Type.Record` would add much of TypeBox's type computation to every page,
 * for keys that are patterns or unions.
 */
export const recordSchema = <V extends TSchema>(value: V, options?: { default: Record<string, Static<V>> }) =>
  Type.Unsafe<Record<string, Static<V>>>({ type: 'object', patternProperties: { '^.*$': value }, ...options })
