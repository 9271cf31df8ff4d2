import { sql, type SqlBool } from 'kysely'
import { accessConditions, type ReadContext } from '../http/resource.ts'
import { and, type Condition } from '../store/conditions.ts'

/** Rows that are in memory at once. */
const pageSize = 100

type Kind = Parameters<typeof accessConditions>[0]['kind']

/** Rows of a kind that meet a condition and that the caller may see, in the order in which they were created. */
export async function* visibleRowsInPages<Row extends { id: number }>(
  kind: Kind,
  condition: Condition,
  context: ReadContext,
): AsyncGenerator<Row> {
  const access = accessConditions({ kind }, context)
  for (let lastId = 0; ;) {
    const isNext = sql<SqlBool>`${sql.ref(`${kind}.id`)} > ${lastId}`
    const { rows } = await sql<Row>`select * from ${sql.table(kind)}
      where ${and([isNext, condition, ...access])} order by id limit ${pageSize}`.execute(context.db)
    yield* rows
    if (rows.length < pageSize) return
    lastId = rows.at(-1)!.id
  }
}
