import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dataFolderOf } from '../connection/source.ts'
import type { ColumnResolver } from '../http/resource.ts'
import type { DatasetRow } from './stored-dataset.ts'

/**
 * Whether the file of a dataset's table is gone or empty. A runner sets aside a file that it finds damaged, so that this is told
 * without opening any.
 */
export const damagedColumn =
  (home: string): ColumnResolver<DatasetRow> =>
  async (rows, { db }) => {
    const databases = [...new Set(rows.map(({ database_id }) => database_id))].concat(-1)
    const files = await db
      .selectFrom('embedded_table')
      .innerJoin('database', 'database.id', 'embedded_table.database_id')
      .select(['database_id', 'database.uuid', 'name', 'file'])
      .where('database_id', 'in', databases)
      .execute()
    const fileAt = new Map(
      files.map(({ database_id, uuid, name, file }) => [
        `${database_id} ${name.toLowerCase()}`,
        resolve(dataFolderOf(home, uuid), file),
      ]),
    )
    return Promise.all(
      rows.map(async ({ database_id, table_name, sql }) => {
        const file = sql ? undefined : fileAt.get(`${database_id} ${table_name.toLowerCase()}`)
        return file !== undefined && isMissingFile(file)
      }),
    )
  }

/** One that cannot be looked at is not called gone. */
const isMissingFile = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ size }) => size === 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
