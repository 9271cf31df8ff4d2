export interface Formula {
  /** Value at a position on the axis, in milliseconds on a time axis. */
  at: Value
  /** When false, the value is constant and also valid on an axis of names. */
  usesX: boolean
}
type Value = (x: number) => number

const constants: Record<string, number> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI }

/** `log` is the natural logarithm, as in the libraries that formulas were written for. */
const functions: Record<string, (...values: number[]) => number> = {
  ...Object.fromEntries(
    (
      'abs ceil floor round sign sqrt cbrt exp sin cos tan asin acos atan sinh cosh tanh log10 log2 log1p expm1 trunc min max pow atan2 hypot'.split(
        ' ',
      ) as (keyof Math)[]
    ).map((name) => [name, Math[name] as (...values: number[]) => number]),
  ),
  ln: Math.log,
  log: (value, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base)),
}

const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

type Token = { kind: 'number'; value: number } | { kind: 'name' | 'sign'; text: string }

const pattern = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|[<>=!]=|[-+*/%^(),<>?:]))\s*/iy

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = []
  for (let from = 0; from < text.length;) {
    pattern.lastIndex = from
    const [all, number, name, sign] = pattern.exec(text) ?? []
    if (!all) return null
    from += all.length
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase() })
    else tokens.push({ kind: 'sign', text: sign === '**' ? '^' : (sign as string) })
  }
  return tokens
}

interface Operator {
  binds: number
  of(a: number, b: number): number
}
const truth = (holds: boolean) => Number(holds)
const operators: Record<string, Operator> = {
  '==': { binds: 1, of: (a, b) => truth(a === b) },
  '!=': { binds: 1, of: (a, b) => truth(a !== b) },
  '<': { binds: 1, of: (a, b) => truth(a < b) },
  '>': { binds: 1, of: (a, b) => truth(a > b) },
  '<=': { binds: 1, of: (a, b) => truth(a <= b) },
  '>=': { binds: 1, of: (a, b) => truth(a >= b) },
  '+': { binds: 2, of: (a, b) => a + b },
  '-': { binds: 2, of: (a, b) => a - b },
  '*': { binds: 3, of: (a, b) => a * b },
  '/': { binds: 3, of: (a, b) => a / b },
  '%': { binds: 3, of: (a, b) => a % b },
}
const choosing = 0

/** Limits that no realistic formula exceeds: nesting depth and number of characters. */
const maxDepth = 50
const maxLength = 1000

class FormulaSyntaxError extends Error {}

/**
 * Parses a formula of `x`, `2x + 5` or `y = 10 * sin(x / 86400000)`: numbers, the constants e, pi and tau, the usual functions,
 * comparisons and `condition ? one : other`. Its text is never run as code.
 * @returns null for an invalid formula
 */
export function readFormula(text: string): Formula | null {
  if (text.length > maxLength) return null
  const expression = /^\s*[a-z]\w*\s*(?:\(\s*x\s*\))?\s*=(?!=)(.*)$/is.exec(text)?.[1] ?? text
  const tokens = tokenize(expression)
  if (!tokens || tokens.length === 0) return null
  try {
    const parser = new Parser(tokens)
    const at = parser.expression(choosing)
    return parser.isAtEnd ? { at, usesX: parser.usesX } : null
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return null
    throw error
  }
}

/** Operators by precedence; adjacent factors are multiplied from left to right: `1/2x` is half of x. */
class Parser {
  usesX = false
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.at === this.tokens.length
  }

  expression(binds: number): Value {
    this.depth += 1
    if (this.depth > maxDepth) throw new FormulaSyntaxError()
    let left = this.factor()
    for (;;) {
      const sign = this.sign()
      const operator = sign === null ? undefined : own(operators, sign)
      if (operator && operator.binds > binds) {
        this.at += 1
        left = join(operator, left, this.expression(operator.binds))
      } else if (sign === '?' && binds === choosing) {
        left = this.choice(left)
      } else if (this.beginsFactor() && operators['*'] && binds < operators['*'].binds) {
        left = join(operators['*'], left, this.expression(operators['*'].binds))
      } else break
    }
    this.depth -= 1
    return left
  }

  private choice(condition: Value): Value {
    this.expect('?')
    const one = this.expression(choosing)
    this.expect(':')
    const other = this.expression(choosing)
    return (x) => (condition(x) ? one(x) : other(x))
  }

  /** A sign before a power applies to the whole power: `-x^2` is not `(-x)^2`. */
  private factor(): Value {
    if (this.takes('-')) {
      const of = this.nested()
      return (x) => -of(x)
    }
    if (this.takes('+')) return this.nested()
    const base = this.value()
    if (!this.takes('^')) return base
    const power = this.nested()
    return (x) => base(x) ** power(x)
  }

  private nested(): Value {
    this.depth += 1
    if (this.depth > maxDepth) throw new FormulaSyntaxError()
    const of = this.factor()
    this.depth -= 1
    return of
  }

  private value(): Value {
    const token = this.tokens[this.at]
    this.at += 1
    if (token?.kind === 'number') return () => token.value
    if (token?.kind === 'name') return this.named(token.text)
    if (token?.text !== '(') throw new FormulaSyntaxError()
    const inside = this.expression(choosing)
    this.expect(')')
    return inside
  }

  private named(name: string): Value {
    if (name === 'x') {
      this.usesX = true
      return (x) => x
    }
    const constant = own(constants, name)
    if (constant !== undefined) return () => constant
    const of = own(functions, name)
    if (!of) throw new FormulaSyntaxError()
    this.expect('(')
    const values = [this.expression(choosing)]
    while (this.takes(',')) values.push(this.expression(choosing))
    this.expect(')')
    return (x) => of(...values.map((value) => value(x)))
  }

  private beginsFactor(): boolean {
    const token = this.tokens[this.at]
    return token !== undefined && (token.kind !== 'sign' || token.text === '(')
  }

  private sign(): string | null {
    const token = this.tokens[this.at]
    return token?.kind === 'sign' ? token.text : null
  }

  private takes(text: string): boolean {
    if (this.sign() !== text) return false
    this.at += 1
    return true
  }

  private expect(text: string): void {
    if (!this.takes(text)) throw new FormulaSyntaxError()
  }
}

const join =
  ({ of }: Operator, left: Value, right: Value): Value =>
  (x) =>
    of(left(x), right(x))
