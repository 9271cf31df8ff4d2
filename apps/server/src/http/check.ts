import type { TSchema } from 'typebox'

export type Check = (value: unknown) => Promise<boolean>

const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** The schema with bounds on its integers: beyond them a double is no longer exact, and no column of the store holds it. */
function withSafeIntegers(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withSafeIntegers)
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withSafeIntegers(part)]))
  return [copy['type']].flat().includes('integer') ? { ...bounds, ...copy } : copy
}

/**
 * A schema's check, compiled when it is first asked: compiling all at start costs 2.5 ms and 0.3 MB a route.
 * TypeBox's compiler itself is loaded at the first check, too. Integers that a double cannot hold exactly do not fit.
 */
export function lazyCheck(schema: TSchema): Check {
  let compiled: { Check(value: unknown): boolean } | undefined
  return async (value) => {
    compiled ??= (await import('typebox/compile')).Compile(withSafeIntegers(schema) as TSchema)
    return compiled.Check(value)
  }
}
