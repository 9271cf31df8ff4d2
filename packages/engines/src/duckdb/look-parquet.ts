import type { FileLook } from '@parquetry/model'
import { columnNames } from '@parquetry/model/table-file/names'
import { plainStyle, shownRows } from '@parquetry/model/table-file/guess'
import type { InstanceLimits } from '../shared/driver.ts'
import { fileTypeOf } from './cast.ts'
import { literal } from './files.ts'
import { inWords } from './load-file.ts'
import { quoted } from './session.ts'
import { withEngine } from './write-table.ts'

/** @throws AppError `unprocessable` when it is no Parquet file */
export const lookAtParquet = (path: string, limits: InstanceLimits, signal: AbortSignal): Promise<FileLook> =>
  withEngine(limits, signal, async ({ texts }) => {
    try {
      const from = `read_parquet(${literal(path)})`
      const described = await texts(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${from})`)
      const sources = described.map(([name]) => name ?? '')
      const names = columnNames(sources)
      return {
        style: { ...plainStyle, format: 'parquet' },
        width: sources.length,
        columns: sources.map((source, at) => ({
          source,
          name: names[at] ?? source,
          type: fileTypeOf(described[at]?.[1] ?? ''),
          format: null,
        })),
        rows: await texts(
          `SELECT ${sources.map((name) => `CAST(${quoted(name)} AS VARCHAR)`).join(', ')} FROM ${from} LIMIT ${shownRows}`,
        ),
      }
    } catch (error) {
      throw inWords(error, path)
    }
  })
