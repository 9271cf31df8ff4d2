import type { Value } from '@parquetry/model'

type Part = { text: string; byUser?: true } | { name: string } | { value: Value }

/** Piece of SQL: generated text, names that the dialect quotes, and values that the driver binds. Created only by `sql`. */
export class Sql {
  readonly parts: readonly Part[]
  constructor(parts: readonly Part[]) {
    this.parts = parts
  }
  /** True if any part of it is user-written SQL. */
  get isByUser(): boolean {
    return this.parts.some((part) => 'byUser' in part)
  }
}

/**
 * ``sql`a = ${value} AND ${piece}` ``: binds each argument as a value unless it is a `Sql` piece. Text never becomes SQL this
 * way; the one exception is `userSql`, for expressions that users write as SQL.
 */
export function sql(strings: TemplateStringsArray, ...holes: (Sql | Value)[]): Sql {
  return new Sql(
    strings.flatMap((text, index): readonly Part[] => {
      if (index >= holes.length) return [{ text }]
      const hole = holes[index] as Sql | Value
      return [{ text }, ...(hole instanceof Sql ? hole.parts : [{ value: hole }])]
    }),
  )
}

/** A name, or a path of names joined by dots; quoted by the dialect that renders it. */
sql.id = (...path: string[]): Sql =>
  new Sql(path.flatMap((name, index): Part[] => (index > 0 ? [{ text: '.' }, { name }] : [{ name }])))

sql.join = (fragments: readonly Sql[], separator: string): Sql =>
  new Sql(
    fragments.flatMap((fragment, index) => (index > 0 ? [{ text: separator }, ...fragment.parts] : fragment.parts)),
  )

/** Whole number as text, where bound values are not allowed, such as LIMIT. */
sql.integer = (value: number): Sql => {
  if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`)
  return new Sql([{ text: String(value) }])
}

/** Number as text, because a bound fraction is rejected when compared with an integer column. */
sql.number = (value: number): Sql => {
  if (!Number.isFinite(value)) throw new TypeError(`not a number: ${value}`)
  return new Sql([{ text: String(value) }])
}

/** Decimal number as text with all its digits: `-12.5`. */
sql.digits = (digits: string): Sql => {
  if (!/^-?\d+(\.\d+)?$/.test(digits)) throw new TypeError(`not a decimal number: ${digits}`)
  return new Sql([{ text: digits.startsWith('-') ? `(${digits})` : digits }])
}

/** The text of a piece that is one bound text; null for others. */
export function boundText({ parts }: Sql): string | null {
  const [part, ...others] = parts.filter((each) => !('text' in each && each.text === ''))
  return part && 'value' in part && typeof part.value === 'string' && others.length === 0 ? part.value : null
}

/** True if a bound pattern contains the escape character of LIKE. */
export const hasBackslash = ({ parts }: Sql): boolean =>
  parts.some((part) => 'value' in part && typeof part.value === 'string' && part.value.includes('\\'))

/**
 * SQL written by a user with permission to do so: an ad-hoc expression, a calculated column, a saved metric, the SQL of a
 * dataset, a row-level security rule. It is inserted unchanged; the caller has validated it (`check-sql-text.ts`).
 */
export const userSql = (text: string): Sql => new Sql([{ text, byUser: true }])
