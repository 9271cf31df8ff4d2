import { engineOfUri } from '@parquetry/engines'
import { existsAlready, fieldsOf } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

/** A database of a bundle. One that is there stays as it is; a new one comes without its password, which bundles never hold. */
export async function importDatabase(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = fieldsOf(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('database').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.databases.set(uuid, found.id)
    if (context.mainFolder === 'databases' && !context.overwrite) context.problems[path] = existsAlready('Database')
    return
  }
  const uri = fields.required('sqlalchemy_uri')
  const engine = engineOfUri(uri)
  if (!engine) {
    context.problems[path] = { sqlalchemy_uri: ['This server has no engine for this kind of database.'] }
    return
  }
  const settings = engine.fromUri(uri)
  if (settings['password'] === 'XXXXXXXXXX') {
    context.problems[path] = { _schema: ['Must provide a password for the database'] }
    return
  }
  const made = await db
    .insertInto('database')
    .values({
      uuid,
      database_name: fields.required('database_name'),
      backend: engine.name,
      sqlalchemy_uri: engine.toUri(settings, true),
      settings: JSON.stringify(settings),
      secrets: null,
      extra: fields.json('extra') ?? '{}',
      cache_timeout: fields.number('cache_timeout'),
      expose_in_sqllab: fields.truth('expose_in_sqllab', true),
      allow_run_async: fields.truth('allow_run_async'),
      allow_ctas: fields.truth('allow_ctas'),
      allow_cvas: fields.truth('allow_cvas'),
      allow_dml: fields.truth('allow_dml'),
      allow_file_upload: fields.truth('allow_csv_upload') || fields.truth('allow_file_upload'),
      force_ctas_schema: null,
      impersonate_user: fields.truth('impersonate_user'),
      configuration_method: 'sqlalchemy_form',
      version: 1,
      created_on: at,
      changed_on: at,
      created_by_fk: authorId,
      changed_by_fk: authorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.databases.set(uuid, made.id)
}
