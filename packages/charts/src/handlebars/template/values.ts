/** Why a template gives no text; `detail` is a name, a message or the piece that cannot be read. */
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

/** What a helper threw, as the template's error. */
export function toTemplateError(error: unknown, line: number): TemplateError {
  if (error instanceof TemplateError) return error
  return new TemplateError('failed', line, error instanceof Error ? error.message : String(error))
}

/** What is costly to make, such as a format of `Intl`, made once for each name; a template may ask for it in every row. */
export function memoize<T>(make: (name: string) => T): (name: string) => T {
  const kept = new Map<string, T>()
  return (name) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const made = make(name)
    if (kept.size >= 50) kept.clear()
    kept.set(name, made)
    return made
  }
}

/** What one run may do: a page waits for it. */
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

/** A field of an object, an item or the length of a list or a text: own ones alone. */
export const lookUp = (from: unknown, name: unknown): unknown => {
  if (from === null || from === undefined) return undefined
  const key = String(name)
  return Object.hasOwn(from as object, key) ? (from as Record<string, unknown>)[key] : undefined
}

const none: ReadonlySet<string> = new Set()
/** Names of the fields of an object that is no list. */
export const ownKeys = (value: unknown): { has(name: string): boolean } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { has: (name) => Object.hasOwn(value, name) }
    : none

export const isEmpty = (value: unknown): boolean =>
  (!value && value !== 0) || (Array.isArray(value) && value.length === 0)

/** As a template writes it: nothing for what is not there. */
export function toTemplateText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(toTemplateText).join(',')
  return typeof value === 'object' ? '[object Object]' : String(value)
}
