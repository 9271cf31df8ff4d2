import type { Migration } from '../columns.ts'

/** Work that continues after the response to the request that started it. */
export const jobs: Migration = async (db, { id, integer }) => {
  await id(db.schema.createTable('job'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('started_on', 'text')
    .addColumn('ended_on', 'text')
    .execute()
  await db.schema.createIndex('job_by_state').on('job').columns(['state', 'ended_on']).execute()
}
