import type { Value } from '@parquetry/model'

type Part = { text: string; byUser?: true } | { name: string } | { value: Value }

/** A piece of SQL: text of ours, names for the dialect to quote, and values for the driver to bind. Made by `sql` only. */
export class Sql {
  readonly parts: readonly Part[]
  constructor(parts: readonly Part[]) {
    this.parts = parts
  }
  /** Whether any of it was written as SQL by a person. */
  get isByUser(): boolean {
    return this.parts.some((part) => 'byUser' in part)
  }
}

/**
 * ``sql`a = ${value} AND ${piece}` ``: binds what it is given as a value, unless it is a `Sql` piece itself. Text never
 * becomes SQL this way; `userSql` is the one exception, for the expressions that users write as SQL.
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

sql.join = (pieces: readonly Sql[], separator: string): Sql =>
  new Sql(pieces.flatMap((piece, index) => (index > 0 ? [{ text: separator }, ...piece.parts] : piece.parts)))

/** A whole number as text, for places that take no bound value, such as LIMIT. */
sql.integer = (value: number): Sql => {
  if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`)
  return new Sql([{ text: String(value) }])
}

/** A number as text: bound, one with a fraction is refused beside a column of whole numbers. */
sql.number = (value: number): Sql => {
  if (!Number.isFinite(value)) throw new TypeError(`not a number: ${value}`)
  return new Sql([{ text: String(value) }])
}

/**
 * Text that a person with the right to write SQL wrote as SQL: an ad-hoc expression, a calculated column, a saved metric, the
 * SQL of a dataset, a row rule. Goes into the statement as it stands; the caller has checked it (`check-sql-text.ts`).
 */
export const userSql = (text: string): Sql => new Sql([{ text, byUser: true }])
