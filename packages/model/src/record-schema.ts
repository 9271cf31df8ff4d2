import Type, { type Static, type TSchema } from 'typebox'

/**
 * An object with values of one kind under any names. `Type.Record` would bring all of TypeBox that reckons with types into every
 * page, for keys that are patterns and unions.
 */
export const recordSchema = <V extends TSchema>(value: V, options?: { default: Record<string, Static<V>> }) =>
  Type.Unsafe<Record<string, Static<V>>>({ type: 'object', patternProperties: { '^.*$': value }, ...options })
