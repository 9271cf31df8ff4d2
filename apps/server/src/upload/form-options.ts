import { message, type FileColumn, type FilePreview, type FileStyle, type FileType } from '@parquetry/model'
import { maxNameLength } from '@parquetry/model/table-file/names'
import { swapDayAndMonth } from '@parquetry/model/table-file/times'
import { timeFormatOf } from '@parquetry/model/table-file/types'
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

const trueValues = new Set(['true', '1', 'yes', 'on'])

/** Reads several fields of one name, or one with commas, or one with a JSON list. */
function parseList(values: readonly string[] | undefined): string[] {
  const [single = ''] = values ?? []
  if ((values?.length ?? 0) > 1) return [...(values ?? [])]
  if (single.trim().startsWith('['))
    try {
      const parsed = parseJson(single)
      if (Array.isArray(parsed)) return parsed.map(String)
    } catch {
      return single.split(',')
    }
  return single === '' ? [] : single.split(',').map((each) => each.trim())
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
  const errors = new FieldErrorCollector(invalidPayload)
  const text = (name: string): string => fields.get(name)?.at(-1) ?? ''
  const isEnabled = (name: string) => trueValues.has(text(name).toLowerCase())
  const count = (name: string, min: number): number | null => {
    const value = text(name)
    if (value === '' || value === 'null') return null
    if (!/^\d{1,9}$/.test(value) || Number(value) < min)
      errors.add(name, message('errors.fields.integer', 'Not a valid integer.'))
    return Number(value)
  }
  if (needsTable && text('table_name') === '')
    errors.add('table_name', message('errors.fields.missing', 'Missing data for required field.'))
  if (text('table_name').length > maxNameLength)
    errors.add(
      'table_name',
      message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxNameLength }),
    )
  const onExisting = text('already_exists') || 'fail'
  if (!['fail', 'replace', 'append'].includes(onExisting))
    errors.add('already_exists', message('errors.upload.alreadyExists', 'Must be one of: fail, replace, append.'))
  for (const name of ['dataframe_index', 'index_column', 'index_label'])
    if (name === 'dataframe_index' ? isEnabled(name) : text(name) !== '')
      errors.add(name, message('errors.upload.indexColumn', 'Adding an index column is not supported.'))
  const decimal = text('decimal_character') || '.'
  if (decimal !== '.' && decimal !== ',')
    errors.add('decimal_character', message('errors.upload.decimal', 'Must be one of: ., ,.'))
  const delimiter = text('delimiter').replace(/^\\t$/, '\t')
  if (delimiter.length > 1) errors.add('delimiter', message('errors.upload.delimiter', 'Must be a single character.'))
  const hasHeader = !fields.has('header_row') || text('header_row') !== ''
  const skip = (count('skip_rows', 0) ?? 0) + (count('header_row', 0) ?? 0)
  const rows = count('rows_to_read', 1)
  const types = parseTypes(text('column_data_types'), errors)
  errors.throwIfAny()
  return {
    table_name: text('table_name').trim(),
    already_exists: onExisting as FormOptions['already_exists'],
    schema: text('schema') || null,
    styleOverrides: {
      header: hasHeader,
      skip,
      decimal: decimal as '.',
      // Other clients expect null for empty texts, whether quoted or not.
      nulls: [...new Set(['', ...parseList(fields.get('null_values'))])],
      ...(delimiter && { delimiter }),
      ...(text('sheet_name') && { sheet: text('sheet_name') }),
    },
    columnsRead: parseList(fields.get('columns_read')).length > 0 ? parseList(fields.get('columns_read')) : null,
    columnDates: parseList(fields.get('column_dates')),
    dayFirst: isEnabled('day_first'),
    types,
    rows,
  }
}

function parseTypes(text: string, errors: FieldErrorCollector): Map<string, FileType> {
  const types = new Map<string, FileType>()
  if (text.trim() === '') return types
  try {
    const parsed = parseJson(text.includes('"') ? text : text.replaceAll("'", '"'))
    for (const [name, type] of Object.entries(parsed as Record<string, unknown>)) {
      const found = typeNames.find(([pattern]) => pattern.test(String(type)))?.[1]
      if (found) types.set(name, found)
      else
        errors.add(
          'column_data_types',
          message('errors.upload.columnType', 'Unknown type {type} for column {name}.', { type: String(type), name }),
        )
    }
  } catch {
    errors.add('column_data_types', message('errors.upload.columnTypes', 'Not a valid JSON object.'))
  }
  return types
}

/** @throws AppError `invalid_payload` for columns that the file does not have */
export function resolveColumns(
  preview: FilePreview,
  { columnsRead, columnDates, dayFirst, types }: FormOptions,
): FileColumn[] {
  const names = new Set(preview.columns.map(({ name }) => name))
  const errors = new FieldErrorCollector(invalidPayload)
  const reportMissing = (field: string, requested: Iterable<string>) => {
    for (const name of requested)
      if (!names.has(name))
        errors.add(field, message('errors.upload.noColumn', 'The file has no column {name}.', { name }))
  }
  reportMissing('columns_read', columnsRead ?? [])
  reportMissing('column_dates', columnDates)
  reportMissing('column_data_types', types.keys())
  errors.throwIfAny()
  const ambiguous = new Set(preview.notes.filter(({ kind }) => kind === 'order').map(({ source }) => source))
  return preview.columns
    .filter(({ name }) => columnsRead === null || columnsRead.includes(name))
    .map((column): FileColumn => {
      const { source, name, type } = column
      const requestedType = types.get(name)
      const isRequestedTime = columnDates.includes(name) || requestedType === 'datetime'
      if (requestedType && !isRequestedTime)
        return { source, name, type: requestedType, format: requestedType === 'decimal' ? 'rounded' : null }
      if (isRequestedTime && type !== 'date' && type !== 'datetime')
        return { source, name, type: 'datetime', format: 'iso' }
      // Without a user to ask, the order of day and month is taken from the form, or the column stays text.
      if (ambiguous.has(source) && !isRequestedTime && !dayFirst) return { source, name, type: 'text', format: null }
      const format = ambiguous.has(source) ? withOrder(column.format, dayFirst) : column.format
      return { ...column, type: requestedType ?? type, format }
    })
}

/** Puts the day or the month first in formats such as `%m/%d/%Y`, where they can be confused. */
function withOrder(format: FileColumn['format'], dayFirst: boolean): FileColumn['format'] {
  if (format === null || format.startsWith(dayFirst ? '%d' : '%m')) return format
  return swapDayAndMonth(timeFormatOf({ type: 'date', format })) ?? format
}
