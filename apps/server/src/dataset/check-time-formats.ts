import { type DatasetPut, isTimeFormat, message } from '@parquetry/model'
import type { FieldErrorCollector } from '../http/writing.ts'

/**
 * Adds an error for a new time format that queries cannot read. Formats that are stored already, such as those of imported
 * datasets, do not block other changes.
 */
export function checkTimeFormats(
  { columns = [] }: DatasetPut,
  stored: readonly { id: number; python_date_format: string | null }[],
  errors: FieldErrorCollector,
): void {
  for (const column of columns) {
    const format = column.python_date_format ?? column.datetime_format
    if (!format || isTimeFormat(format)) continue
    if (stored.some(({ id, python_date_format }) => id === column.id && python_date_format === format)) continue
    errors.add(
      'columns',
      message(
        'errors.dataset.timeFormat',
        'The time format {format} of {column} cannot be read. Use epoch_s, epoch_ms, or a format that begins with the year, such as %Y-%m-%d or %Y%m%d.',
        { format, column: column.column_name },
      ),
    )
    return
  }
}
