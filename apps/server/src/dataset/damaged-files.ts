import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dataFolderOf } from '../connection/source.ts'
import type { ColumnResolver } from '../http/resource.ts'
import type { DatasetRow } from './stored-dataset.ts'

/**
 * Tests for each dataset if the file of its table is missing or empty. Runners move damaged files away, so no file has to be
 * opened.
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

/** A file that cannot be accessed does not count as missing. */
const isMissingFile = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ size }) => size === 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
