import type { Migration } from '../columns.ts'

/** The key that a browser assigns to a tab before the server has an id for it. */
export const tabKeys: Migration = async (db) => {
  await db.schema.alterTable('tab_state').addColumn('client_key', 'text').execute()
  await db.schema
    .createIndex('tab_state_by_user_id_client_key')
    .unique()
    .on('tab_state')
    .columns(['user_id', 'client_key'] as never)
    .execute()
}
