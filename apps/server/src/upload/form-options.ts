import { message, type FileColumn, type FilePreview, type FileStyle, type FileType } from '@parquetry/model'
import { maxNameLength } from '@parquetry/model/table-file/names'
import { timeFormats } from '@parquetry/model/table-file/types'
import { parseJson } from '../http/json-body.ts'
import { FieldErrorCollector, invalidPayload } from '../http/writing.ts'
import type { UploadForm } from './read-form.ts'

export type FormKind = 'csv' | 'excel' | 'columnar'

/** The options of a form, under our names. */
export interface FormOptions {
  table_name: string
  already_exists: 'fail' | 'replace' | 'append'
  schema: string | null
  styleOverrides: Partial<FileStyle>
  /** Names of the columns to read; null: all. */
  columnsRead: string[] | null
  columnDates: string[]
  dayFirst: boolean
  types: Map<string, FileType>
  rows: number | null
}

const truths = new Set(['true', '1', 'yes', 'on'])

/** Reads several fields of one name, or one with commas, or one with a JSON list. */
function parseList(values: readonly string[] | undefined): string[] {
  const [only = ''] = values ?? []
  if ((values?.length ?? 0) > 1) return [...(values ?? [])]
  if (only.trim().startsWith('['))
    try {
      const parsed = parseJson(only)
      if (Array.isArray(parsed)) return parsed.map(String)
    } catch {
      return only.split(',')
    }
  return only === '' ? [] : only.split(',').map((each) => each.trim())
}

const typeNames: readonly (readonly [RegExp, FileType])[] = [
  [/^u?int(8|16|32|64)?$/i, 'integer'],
  [/^(float(16|32|64)?|double|decimal)$/i, 'decimal'],
  [/^(str|string|object|category)$/i, 'text'],
  [/^(bool|boolean)$/i, 'boolean'],
  [/^datetime64(\[.*\])?$|^datetime$/i, 'datetime'],
]

/**
 * Reads the fields of an upload form.
 * @throws AppError `invalid_payload` naming every invalid field
 */
export function readOptions({ fields }: Pick<UploadForm, 'fields'>, needsTable: boolean): FormOptions {
  const complaints = new FieldErrorCollector(invalidPayload)
  const text = (name: string): string => fields.get(name)?.at(-1) ?? ''
  const isOn = (name: string) => truths.has(text(name).toLowerCase())
  const count = (name: string, least: number): number | null => {
    const value = text(name)
    if (value === '' || value === 'null') return null
    if (!/^\d{1,9}$/.test(value) || Number(value) < least)
      complaints.add(name, message('errors.fields.integer', 'Not a valid integer.'))
    return Number(value)
  }
  if (needsTable && text('table_name') === '')
    complaints.add('table_name', message('errors.fields.missing', 'Missing data for required field.'))
  if (text('table_name').length > maxNameLength)
    complaints.add(
      'table_name',
      message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxNameLength }),
    )
  const already = text('already_exists') || 'fail'
  if (!['fail', 'replace', 'append'].includes(already))
    complaints.add('already_exists', message('errors.upload.alreadyExists', 'Must be one of: fail, replace, append.'))
  for (const name of ['dataframe_index', 'index_column', 'index_label'])
    if (name === 'dataframe_index' ? isOn(name) : text(name) !== '')
      complaints.add(name, message('errors.upload.indexColumn', 'Adding an index column is not supported.'))
  const decimal = text('decimal_character') || '.'
  if (decimal !== '.' && decimal !== ',')
    complaints.add('decimal_character', message('errors.upload.decimal', 'Must be one of: ., ,.'))
  const delimiter = text('delimiter').replace(/^\\t$/, '\t')
  if (delimiter.length > 1)
    complaints.add('delimiter', message('errors.upload.delimiter', 'Must be a single character.'))
  const hasHeader = !fields.has('header_row') || text('header_row') !== ''
  const skip = (count('skip_rows', 0) ?? 0) + (count('header_row', 0) ?? 0)
  const rows = count('rows_to_read', 1)
  const types = parseTypes(text('column_data_types'), complaints)
  complaints.throwIfAny()
  return {
    table_name: text('table_name').trim(),
    already_exists: already as FormOptions['already_exists'],
    schema: text('schema') || null,
    styleOverrides: {
      header: hasHeader,
      skip,
      decimal: decimal as '.',
      nulls: parseList(fields.get('null_values')).filter((word) => word !== ''),
      ...(delimiter && { delimiter }),
      ...(text('sheet_name') && { sheet: text('sheet_name') }),
    },
    columnsRead: parseList(fields.get('columns_read')).length > 0 ? parseList(fields.get('columns_read')) : null,
    columnDates: parseList(fields.get('column_dates')),
    dayFirst: isOn('day_first'),
    types,
    rows,
  }
}

function parseTypes(text: string, complaints: FieldErrorCollector): Map<string, FileType> {
  const types = new Map<string, FileType>()
  if (text.trim() === '') return types
  try {
    const given = parseJson(text.includes('"') ? text : text.replaceAll("'", '"'))
    for (const [name, type] of Object.entries(given as Record<string, unknown>)) {
      const found = typeNames.find(([pattern]) => pattern.test(String(type)))?.[1]
      if (found) types.set(name, found)
      else
        complaints.add(
          'column_data_types',
          message('errors.upload.columnType', 'Unknown type {type} for column {name}.', { type: String(type), name }),
        )
    }
  } catch {
    complaints.add('column_data_types', message('errors.upload.columnTypes', 'Not a valid JSON object.'))
  }
  return types
}

/** @throws AppError `invalid_payload` for columns that the file does not have */
export function resolveColumns(
  look: FilePreview,
  { columnsRead, columnDates, dayFirst, types }: FormOptions,
): FileColumn[] {
  const names = new Set(look.columns.map(({ name }) => name))
  const complaints = new FieldErrorCollector(invalidPayload)
  const missing = (field: string, asked: Iterable<string>) => {
    for (const name of asked)
      if (!names.has(name))
        complaints.add(field, message('errors.upload.noColumn', 'The file has no column {name}.', { name }))
  }
  missing('columns_read', columnsRead ?? [])
  missing('column_dates', columnDates)
  missing('column_data_types', types.keys())
  complaints.throwIfAny()
  return look.columns
    .filter(({ name }) => columnsRead === null || columnsRead.includes(name))
    .map((column) => {
      const told = types.get(column.name)
      if (told) return { ...column, type: told, format: told === 'datetime' ? column.format : null }
      const isTime = column.type === 'date' || column.type === 'datetime'
      if (columnDates.includes(column.name) && !isTime) return { ...column, type: 'datetime', format: 'iso' }
      return isTime && dayFirst ? { ...column, format: toDayFirst(column.format) } : column
    })
}

/** Puts the day first in formats such as `%m/%d/%Y`, where days and months can be confused. */
const toDayFirst = (format: FileColumn['format']): FileColumn['format'] => {
  const swapped = format?.replace('%m/%d', '%d/%m').replace('%m-%d', '%d-%m')
  return timeFormats.find((known) => known === swapped) ?? format
}
