import { sql } from 'kysely'
import { knowsAddresses } from '../access/principal.ts'
import { ago, withZone } from './humanize.ts'
import type { Head, ReadContext } from './resource.ts'

/** A person as lists and details name people; the e-mail address is for owners' lists alone. */
export interface Person {
  id: number
  username: string
  first_name: string
  last_name: string
  /** Empty for those who do not know addresses. */
  email: string
}

type WithId = { id: number }
type Field = string | number | null

const field = (row: unknown, name: string): Field => (row as Record<string, Field>)[name] ?? null

const peopleOf = async (
  { db, principal }: Pick<ReadContext, 'db' | 'principal'>,
  ids: readonly number[],
): Promise<Map<number, Person>> => {
  if (ids.length === 0) return new Map()
  const email = knowsAddresses(principal) ? sql.ref<string>('email') : sql<string>`''`
  const people = await db
    .selectFrom('user')
    .select(['id', 'username', 'first_name', 'last_name', email.as('email')])
    .where('id', 'in', ids)
    .execute()
  return new Map(people.map((person) => [person.id, person]))
}

export const fullName = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim()

/** The person whose id stands in a column, or null. */
export const person =
  <Row>(column: string): Head<Row> =>
  async (rows, context) => {
    const ids = rows.map((row) => field(row, column) as number | null)
    const people = await peopleOf(context, [...new Set(ids.filter((id) => id !== null))])
    return ids.map((id) => (id === null ? null : (people.get(id) ?? null)))
  }

/** "First Last" of the person whose id stands in a column, else an empty text. */
export const personName =
  <Row>(column: string): Head<Row> =>
  async (rows, context) =>
    ((await person<Row>(column)(rows, context)) as (Person | null)[]).map((found) => (found ? fullName(found) : ''))

/** Where the older clients look for a person. */
const personUrl =
  <Row>(column: string): Head<Row> =>
  async (rows, context) =>
    ((await person<Row>(column)(rows, context)) as (Person | null)[]).map((found) =>
      found ? `/superset/profile/${encodeURIComponent(found.username)}` : '',
    )

/** Owners by a table of pairs, in the order in which they became owners. */
export const owners =
  <Row extends WithId>(kind: 'chart' | 'dashboard' | 'dataset'): Head<Row> =>
  async (rows, { db, principal }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const pairs = await sql<{ of: number; user_id: number }>`select ${sql.ref(`${kind}_id`)} as of, user_id
      from ${sql.table(`${kind}_owner`)} where ${sql.ref(`${kind}_id`)} in (${sql.join(ids)}) order by user_id`.execute(
      db,
    )
    const people = await peopleOf({ db, principal }, [...new Set(pairs.rows.map(({ user_id }) => user_id))])
    const found = new Map<number, Person[]>(ids.map((id) => [id, []]))
    for (const { of, user_id } of pairs.rows) {
      const owner = people.get(user_id)
      if (owner) found.get(of)?.push(owner)
    }
    return ids.map((id) => found.get(id))
  }

/** Id and name of the database whose id stands in a column. */
export const databaseBy =
  <Row>(idOf: (row: Row) => number | null): Head<Row> =>
  async (rows, { db }) => {
    const ids = [...new Set(rows.map(idOf).filter((id) => id !== null))].concat(-1)
    const found = await db.selectFrom('database').select(['id', 'database_name']).where('id', 'in', ids).execute()
    return rows.map((row) => found.find(({ id }) => id === idOf(row)) ?? null)
  }

/** A value made of each row alone. */
export const each =
  <Row>(make: (row: Row) => unknown): Head<Row> =>
  (rows) =>
    rows.map(make)

/** 0 and 1 of the store as false and true. */
export const truthOf = <Row>(column: string): Head<Row> => each((row) => field(row, column) === 1)
export const truths = <Row>(...columns: string[]): Record<string, Head<Row>> =>
  Object.fromEntries(columns.map((column) => [column, truthOf<Row>(column)]))

export const agoOf =
  <Row>(column: string): Head<Row> =>
  (rows, { now }) =>
    rows.map((row) => {
      const time = field(row, column)
      return ago(time === null ? now.toISOString().slice(0, -1) : String(time), now)
    })
const utcOf = <Row>(column: string): Head<Row> => each((row) => withZone(String(field(row, column))))

/** Heads that every audited resource has. */
export const audited = <Row>(): Record<string, Head<Row>> => ({
  created_by: person('created_by_fk'),
  changed_by: person('changed_by_fk'),
  changed_by_name: personName('changed_by_fk'),
  changed_by_url: personUrl('changed_by_fk'),
  changed_on_delta_humanized: agoOf('changed_on'),
  created_on_delta_humanized: agoOf('created_on'),
  changed_on_utc: utcOf('changed_on'),
})

/** Sorting by a part of a person whose id stands in a column. */
export const byPerson = (column: string, part: 'first_name' | 'last_name' | 'id') =>
  sql`(select person.${sql.ref(part)} from ${sql.table('user')} as person where person.id = ${sql.ref(column)})`
