import { AppError, type Inspection } from '@parquetry/model'
import { isReadOnly, refusedFunctions, tablesRead } from '@parquetry/sql'
import { sql, type SqlBool } from 'kysely'
import { type DatabaseRow, engineFor } from '../database/source.ts'
import type { AccessContext } from '../security/access.ts'
import { datasetAccess, wholeDatabaseAccess } from '../security/access.ts'

/**
 * Whether this user's text may run on this database: it parses, it only reads unless the
 * database takes changes, and every table in it was granted.
 * @throws AppError `syntax_error`, `dml_not_allowed`, `query_access`, `sql_not_allowed`
 */
export async function judge(
  inspection: Inspection,
  database: DatabaseRow,
  access: AccessContext,
  schema: string | null,
  catalog: string | null = null,
): Promise<void> {
  const { error, statements } = inspection
  if (error) {
    const { message, ...position } = error
    throw new AppError('syntax_error', { message, details: position })
  }
  if (statements.length === 0) throw new AppError('invalid_query', { message: 'There is no statement to run.' })
  if (database.allow_dml === 0 && !isReadOnly(inspection)) throw new AppError('dml_not_allowed')
  const [refused] = statements.flatMap((statement) => refusedFunctions(statement, database.backend))
  if (refused) throw new AppError('sql_not_allowed', { message: `The function "${refused}" cannot be used here.` })
  if (await mayReadAll(database.id, access)) return
  if (!isReadOnly(inspection)) throw new AppError('query_access')
  await checkTables(inspection, database, access, { schema, catalog })
}

async function mayReadAll(databaseId: number, { db, principal }: AccessContext): Promise<boolean> {
  const whole = wholeDatabaseAccess(principal)
  if (!whole) return true
  return (
    (
      await sql`select 1 from ${sql.table('database')} where ${sql.ref('database.id')} = ${databaseId} and ${whole}`.execute(
        db,
      )
    ).rows.length > 0
  )
}

/** Each table must be that of a physical dataset that the user may read; catalogue tables are none. */
async function checkTables(
  inspection: Inspection,
  database: DatabaseRow,
  { db, principal }: AccessContext,
  { schema, catalog }: { schema: string | null; catalog: string | null },
): Promise<void> {
  const settings = JSON.parse(database.settings) as { catalog?: string }
  const home = settings.catalog ?? null
  // Where the connection itself chooses a schema, a name without one means no other.
  const own = engineFor(database).schemaOf?.(settings) ?? null
  const here = (engineFor(database).supports.catalogs ? catalog : null) ?? home
  const readable = datasetAccess(principal) ?? sql<SqlBool>`1 = 1`
  const granted = await db
    .selectFrom('dataset')
    .select(['table_name', 'schema', 'catalog'])
    .where('database_id', '=', database.id)
    .where((eb) => eb.or([eb('sql', 'is', null), eb('sql', '=', '')]))
    .where(readable)
    .execute()
  const missing = tablesRead(inspection).filter(
    (table) =>
      !granted.some(
        (dataset) =>
          dataset.table_name === table.name &&
          (table.schema ?? schema ?? own ?? dataset.schema) === (dataset.schema ?? own) &&
          (table.catalog ?? here) === (dataset.catalog || home),
      ),
  )
  if (missing.length === 0) return
  const names = missing.map(({ schema: of, name }) => (of ? `${of}.${name}` : name))
  throw new AppError('query_access', {
    message: `You need access to the following tables: ${names.map((name) => `\`${name}\``).join(', ')}, \`all_database_access\` or \`all_datasource_access\` permission`,
    details: { tables: names, link: '' },
  })
}
