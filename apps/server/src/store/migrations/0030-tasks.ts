import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** Adds a view of the jobs as `/api/v1/task/` shows them, and to each job a name, the user who changed it last and the time. */
export const tasks: Migration = async (db, { integer }) => {
  await db.schema.alterTable('job').addColumn('name', 'text').execute()
  await db.schema
    .alterTable('job')
    .addColumn('changed_on', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('job').addColumn('changed_by_fk', integer).execute()
  await sql`update job set changed_on = coalesce(ended_on, started_on, created_on)`.execute(db)
  await db.schema.createIndex('job_by_user').on('job').columns(['user_id', 'created_on']).execute()

  await sql`create view task as select id, uuid, uuid as task_key, uuid as dedup_key, kind as task_type, name as task_name,
    case state when 'running' then 'in_progress' when 'stopping' then 'aborting' when 'done' then 'success'
      when 'failed' then 'failure' when 'stopped' then 'aborted' else state end as status,
    case when user_id is null then 'system' else 'private' end as scope,
    payload, error, user_id, user_id as created_by_fk, changed_by_fk, created_on, changed_on,
    started_on as started_at, ended_on as ended_at from job`.execute(db)
}
