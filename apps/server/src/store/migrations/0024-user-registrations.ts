import type { Migration } from '../columns.ts'

/** People who asked for an account. */
export const userRegistrations: Migration = async (db, { id }) => {
  const table = id(db.schema.createTable('user_registration')).addColumn('uuid', 'text', (column) =>
    column.notNull().unique(),
  )
  await ['username', 'email', 'first_name', 'last_name', 'registration_date']
    .reduce((built, name) => built.addColumn(name, 'text', (column) => column.notNull()), table)
    .execute()
}
