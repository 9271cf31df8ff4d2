import { open } from 'node:fs/promises'
import { embeddedDriverOf, type InstanceLimits } from '@parquetry/engines/drivers'
import type { FileLook, FileToLook } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { guessTable, lookOfRows, maxFileColumns, plainStyle, sampleRecords } from '@parquetry/model/table-file/guess'
import { Workbook } from './workbook.ts'

const sampleBytes = 1 << 20

const refuse = (text: Message) => new AppError('unprocessable', { message: text })

/** What the start of a file says. @throws AppError `unprocessable` when it is no table of its format */
export async function lookAtFile(
  { path, format, told }: FileToLook,
  limits: InstanceLimits,
  signal: AbortSignal,
): Promise<FileLook> {
  const { bytes, isWhole } = await start(path)
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
    return narrow(await (await embeddedDriverOf('duckdb')).lookAtParquet(path, limits, signal))
  }
  const look = format === 'xlsx' ? await lookAtWorkbook(path, told) : guessTable(bytes, { format, isWhole, told })
  if (!look) throw refuse(message('errors.runner.noTable', 'No table found in this file.'))
  return narrow(look)
}

/** The engine holds a block of memory for each column while it writes. */
function narrow(look: FileLook): FileLook {
  if (look.width > maxFileColumns)
    throw refuse(
      message('errors.runner.columns', 'The file has {count, number} columns. At most {max, number} can be added.', {
        count: look.width,
        max: maxFileColumns,
      }),
    )
  return look
}

async function start(path: string): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const handle = await open(path)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0)
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead === (await handle.stat()).size }
  } finally {
    await handle.close()
  }
}

async function lookAtWorkbook(path: string, told: FileToLook['told']): Promise<FileLook | null> {
  const workbook = await Workbook.open(path)
  try {
    const rows: string[][] = []
    const skip = told.skip ?? 0
    await workbook.rows(told.sheet ?? null, (row, values) => {
      if (row > skip) rows.push(values)
      return rows.length <= sampleRecords
    })
    const width = Math.max(0, ...rows.map((row) => row.length))
    const padded = rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')])
    const style = { ...plainStyle, ...told, format: 'xlsx' as const }
    const look = lookOfRows(padded, style, { ...told, decimal: '.' })
    return look && { ...look, sheets: workbook.sheets }
  } finally {
    workbook.close()
  }
}
