/** Reason why a template has no output; `detail` is a name, a message or the invalid excerpt. */
export class TemplateError extends Error {
  readonly kind: 'syntax' | 'helper' | 'partial' | 'steps' | 'length' | 'failed'
  readonly line: number
  readonly detail: string

  constructor(kind: TemplateError['kind'], line: number, detail = '') {
    super(`${kind}, line ${line}: ${detail}`)
    this.kind = kind
    this.line = line
    this.detail = detail
  }
}

/** Converts an error thrown by a helper to a template error. */
export function toTemplateError(error: unknown, line: number): TemplateError {
  if (error instanceof TemplateError) return error
  return new TemplateError('failed', line, error instanceof Error ? error.message : String(error))
}

/** Caches values that are costly to create, such as `Intl` formats, by name; a template may use them in every row. */
export function memoize<T>(make: (name: string) => T): (name: string) => T {
  const cache = new Map<string, T>()
  return (name) => {
    const known = cache.get(name)
    if (known !== undefined) return known
    const created = make(name)
    if (cache.size >= 50) cache.clear()
    cache.set(name, created)
    return created
  }
}

/** Limits of one run, which blocks the page. */
export class Budget {
  #steps = 2_000_000
  #length = 8_000_000

  spend(steps: number, line: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new TemplateError('steps', line)
  }

  write(length: number, line: number): void {
    this.#length -= length
    if (this.#length < 0) throw new TemplateError('length', line)
  }
}

/** Returns a field of an object, or an item or the length of a list or a text; only own ones. */
export const lookUp = (from: unknown, name: unknown): unknown => {
  if (from === null || from === undefined) return undefined
  const key = String(name)
  return Object.hasOwn(from as object, key) ? (from as Record<string, unknown>)[key] : undefined
}

const none: ReadonlySet<string> = new Set()
/** Field names of an object that is not a list. */
export const ownKeys = (value: unknown): { has(name: string): boolean } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { has: (name) => Object.hasOwn(value, name) }
    : none

export const isEmpty = (value: unknown): boolean =>
  (!value && value !== 0) || (Array.isArray(value) && value.length === 0)

/** Converts a value to text as templates write it; empty for null and undefined. */
export function toTemplateText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(toTemplateText).join(',')
  return typeof value === 'object' ? '[object Object]' : String(value)
}
