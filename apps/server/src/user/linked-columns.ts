import type { Attributes } from '@parquetry/model'
import { sql } from 'kysely'
import type { ColumnResolver } from '../http/resource.ts'

/**
 * Objects that a join table links to each row, ordered by name.
 * @param select  SQL up to `where`; its columns are the id of the row as `own`, and the id and the name of the object
 */
export const linkedColumn =
  <Row extends { id: number }>(select: ReturnType<typeof sql>): ColumnResolver<Row> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const linked = await sql<{
      own: number
    }>`select * from (${select}) as linked where own in (${sql.join(ids)}) order by 3, 2`.execute(db)
    const byRow = Map.groupBy(linked.rows, ({ own }) => own)
    return ids.map((id) => (byRow.get(id) ?? []).map(({ own: _own, ...object }) => object))
  }

/** Values by attribute of each row. */
export const attributesColumn =
  <Row extends { id: number }>(
    table: 'user_attribute' | 'group_attribute',
    column: 'user_id' | 'group_id',
  ): ColumnResolver<Row> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const stored = await sql<{ own: number; name: string; value: string }>`select ${sql.ref(column)} as own, name, value
      from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(ids)}) order by name, value`.execute(db)
    const byRow = Map.groupBy(stored.rows, ({ own }) => own)
    return ids.map((id) => toAttributes(byRow.get(id) ?? []))
  }

/** Groups the rows of an attribute table by name. */
export const toAttributes = (rows: readonly { name: string; value: string }[]): Attributes =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, found]) => [name, found.map(({ value }) => value)]),
  )
