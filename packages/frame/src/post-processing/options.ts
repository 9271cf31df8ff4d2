import type { PostProcessing } from '@parquetry/model/query-context'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'

/** Options of one step, read by name. null counts as absent; invalid values are rejected with the option's name. */
export class Options {
  readonly operation: string
  readonly #given: ReadonlyMap<string, unknown>

  /** @throws AppError for an unknown option */
  constructor({ operation, options }: PostProcessing, known: readonly string[]) {
    this.operation = operation
    this.#given = new Map(Object.entries(options ?? {}))
    const odd = [...this.#given.keys()].find((name) => !known.includes(name))
    if (odd !== undefined)
      throw invalidStep(
        message('errors.frame.noSuchOption', '`{operation}` has no option `{option}`.', { operation, option: odd }),
      )
  }

  names(): string[] {
    return [...this.#given.keys()]
  }

  /** Value as given; undefined when absent, which distinguishes it from null. */
  raw(name: string): unknown {
    return this.#given.get(name)
  }

  text(name: string): string | undefined {
    const value = this.raw(name) ?? undefined
    return value === undefined || typeof value === 'string' ? value : this.#wrong(name, 'a string')
  }

  integer(name: string): number | undefined {
    const value = this.raw(name) ?? undefined
    return value === undefined || Number.isSafeInteger(value) ? (value as number) : this.#wrong(name, 'a whole number')
  }

  number(name: string): number | undefined {
    const value = this.raw(name) ?? undefined
    return value === undefined || Number.isFinite(value) ? (value as number) : this.#wrong(name, 'a number')
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name) ?? undefined
    return value === undefined || typeof value === 'boolean' ? value : this.#wrong(name, 'true or false')
  }

  texts(name: string): string[] | undefined {
    const value = this.raw(name) ?? undefined
    if (value === undefined) return undefined
    return isTexts(value) ? value : this.#wrong(name, 'a list of names')
  }

  numbers(name: string): Map<string, number> | undefined {
    const value = this.record(name)
    if (!value) return undefined
    for (const item of value.values()) if (typeof item !== 'number') this.#wrong(name, 'an object of numbers')
    return value as Map<string, number>
  }

  /** New names by old name; null is allowed as a new name only when `nullable`. */
  renames(name: string, nullable = false): Map<string, string | null> | undefined {
    const value = this.record(name)
    if (!value) return undefined
    for (const item of value.values())
      if (typeof item !== 'string' && !(nullable && item === null)) this.#wrong(name, 'an object of names')
    return value as Map<string, string | null>
  }

  record(name: string): Map<string, unknown> | undefined {
    const value = this.raw(name) ?? undefined
    if (value === undefined) return undefined
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : this.#wrong(name, 'an object')
  }

  /** @throws AppError when the option is missing */
  required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined)
      throw invalidStep(
        message('errors.frame.optionNeeded', '`{operation}` needs the option `{option}`.', {
          operation: this.operation,
          option: name,
        }),
      )
    return value
  }

  #wrong(name: string, kind: string): never {
    throw invalidStep(`Option \`${name}\` of \`${this.operation}\` must be ${kind}.`)
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
