import { open } from 'node:fs/promises'
import { loadEmbeddedDriver, type InstanceLimits } from '@parquetry/engines/drivers'
import type { FilePreview, FilePreviewRequest } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { defaultFileStyle } from '@parquetry/model/table-file/file-preview'
import {
  buildFilePreview,
  maxFileColumns,
  previewTextFile,
  type SampleRecord,
  sampleRecords,
} from '@parquetry/model/table-file/guess'
import { findRecordMismatches } from '@parquetry/model/table-file/mismatches'
import { Workbook } from './workbook.ts'

const sampleBytes = 1 << 20

const refuse = (text: Message) => new AppError('unprocessable', { message: text })

/**
 * Guesses the format and the columns of a file from its start. @throws AppError `unprocessable` if it is not a table of its
 * format
 */
export async function previewFile(
  { path, format, givenStyle }: FilePreviewRequest,
  limits: InstanceLimits,
  signal: AbortSignal,
): Promise<FilePreview> {
  const { bytes, isWhole } = await readStart(path)
  const magic = bytes.subarray(0, 4).toString('latin1')
  if (bytes.length === 0) throw refuse(message('errors.runner.emptyFile', 'The file is empty.'))
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw refuse(
      message(
        'errors.runner.oldExcel',
        'Old Excel files (.xls) and password-protected workbooks cannot be read. Save the file as .xlsx without a password.',
      ),
    )
  if (format === 'parquet') {
    if (magic !== 'PAR1') throw refuse(message('errors.runner.notParquet', 'This file is not a Parquet file.'))
    return checkWidth(await (await loadEmbeddedDriver('duckdb')).previewParquet(path, limits, signal))
  }
  const preview =
    format === 'xlsx'
      ? await previewWorkbook(path, givenStyle)
      : previewTextFile(bytes, { format, isWhole, givenStyle })
  if (!preview) throw refuse(message('errors.runner.noTable', 'No table found in this file.'))
  return checkWidth(preview)
}

/** Rejects files with too many columns, since the engine holds a block of memory for each column while it writes. */
function checkWidth(preview: FilePreview): FilePreview {
  if (preview.width > maxFileColumns)
    throw refuse(
      message('errors.runner.columns', 'The file has {count, number} columns. At most {max, number} can be added.', {
        count: preview.width,
        max: maxFileColumns,
      }),
    )
  return preview
}

async function readStart(path: string): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const handle = await open(path)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0)
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead === (await handle.stat()).size }
  } finally {
    await handle.close()
  }
}

/** Previews the requested sheet, else the first one that contains a table; a damaged sheet does not hide the others. */
async function previewWorkbook(path: string, settings: FilePreviewRequest['givenStyle']): Promise<FilePreview | null> {
  const workbook = await Workbook.open(path)
  try {
    const { sheets } = workbook
    let failure: unknown
    for (const sheet of settings.sheet ? [settings.sheet] : sheets)
      try {
        const preview = await previewSheet(workbook, sheet, settings)
        if (preview) return { ...preview, sheets }
      } catch (error) {
        failure ??= error
      }
    if (failure) throw failure
    return null
  } finally {
    workbook.close()
  }
}

async function previewSheet(
  workbook: Workbook,
  sheet: string,
  settings: FilePreviewRequest['givenStyle'],
): Promise<FilePreview | null> {
  const rows: SampleRecord[] = []
  const skip = settings.skip ?? 0
  const empties = await workbook.rows(sheet, (line, values) => {
    if (line > skip) rows.push({ line, values: values.map((value) => (value === '' ? null : value)) })
    return rows.length <= sampleRecords
  })
  const width = Math.max(0, ...rows.map(({ values }) => values.length))
  for (const { values } of rows) while (values.length < width) values.push(null)
  const style = { ...defaultFileStyle, ...settings, format: 'xlsx' as const, sheet }
  const preview = buildFilePreview(rows, style, { ...settings, decimal: '.' })
  if (!preview) return null
  const records = rows.filter(({ line }) => line > preview.style.skip).slice(preview.style.header ? 1 : 0)
  const isWhole = rows.length <= sampleRecords
  const assumptions = [...preview.assumptions, ...(['formulas', 'errors'] as const).filter((kind) => empties[kind])]
  return { ...preview, assumptions, mismatches: findRecordMismatches(records, preview, preview.columns, isWhole) }
}
