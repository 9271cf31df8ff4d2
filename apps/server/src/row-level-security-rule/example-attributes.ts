import { type Kysely, sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'

/** Attributes of an imagined user who has exactly one value of each. */
export class ExampleAttributes extends Map<string, readonly string[]> {
  /** The value of attributes that are not in the map. */
  readonly #madeUp: string
  /** True once a value was made up. */
  hasMadeUp = false

  constructor(known: Iterable<readonly [string, readonly string[]]>, madeUp: string) {
    super(known)
    this.#madeUp = madeUp
  }

  override get(name: string): readonly string[] {
    const values = super.get(name)?.slice(0, 1) ?? []
    if (values.length > 0) return values
    this.hasMadeUp = true
    return [this.#madeUp]
  }
}

/** Values of which columns of texts and numbers, of dates and of identifiers accept one. */
const madeUpValues = ['1', '2000-01-01', '00000000-0000-0000-0000-000000000000'] as const

/**
 * Attributes with which a clause is checked: values of the caller, and for administrators those of any user, which fit the column
 * that the clause compares. Where there are none, a clause is valid if one of several made-up values fits.
 */
export async function listExampleAttributes(
  db: Kysely<Tables>,
  { attributes, isAdmin }: Principal,
  clause: string,
): Promise<[ExampleAttributes, ...ExampleAttributes[]]> {
  const [first, ...others] = madeUpValues
  if (!clause.includes('user_attribute')) return [new ExampleAttributes(attributes, first)]
  const stored = isAdmin
    ? await sql<{ name: string; value: string }>`select name, min(value) as value from (
        select name, value from user_attribute union all select name, value from group_attribute
      ) as found group by name`.execute(db)
    : { rows: [] }
  const known = [...stored.rows.map(({ name, value }) => [name, [value]] as const), ...attributes]
  const create = (madeUp: string) => new ExampleAttributes(known, madeUp)
  return [create(first), ...others.map(create)]
}
