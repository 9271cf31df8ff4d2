import type { FilePreview } from '@parquetry/model'
import { toColumnNames } from '@parquetry/model/table-file/names'
import { defaultFileStyle } from '@parquetry/model/table-file/file-preview'
import { previewRowCount } from '@parquetry/model/table-file/guess'
import type { InstanceLimits } from '../shared/driver.ts'
import { toFileType } from './cast.ts'
import { quoteLiteral } from './files.ts'
import { redactFileError } from './load-file.ts'
import { quoteIdentifier } from './session.ts'
import { withEngine } from './write-table.ts'

/** @throws AppError `unprocessable` when it is not a Parquet file */
export const previewParquet = (path: string, limits: InstanceLimits, signal: AbortSignal): Promise<FilePreview> =>
  withEngine(limits, signal, async ({ texts }) => {
    try {
      const from = `read_parquet(${quoteLiteral(path)})`
      const described = await texts(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${from})`)
      const sources = described.map(([name]) => name ?? '')
      const names = toColumnNames(sources)
      return {
        style: { ...defaultFileStyle, format: 'parquet' },
        width: sources.length,
        columns: sources.map((source, index) => ({
          source,
          name: names[index] ?? source,
          type: toFileType(described[index]?.[1] ?? ''),
          format: null,
        })),
        notes: [],
        assumptions: [],
        rows: await texts(
          `SELECT ${sources.map((name) => `CAST(${quoteIdentifier(name)} AS VARCHAR)`).join(', ')} FROM ${from} LIMIT ${previewRowCount}`,
        ),
      }
    } catch (error) {
      throw redactFileError(error, path)
    }
  })
