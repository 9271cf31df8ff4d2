import type { FileColumn } from '@parquetry/model'
import type { ColumnFormat } from '@parquetry/model/table-file/types'
import type { Translate } from '@parquetry/ui'

export const typeLabels = (t: Translate): Record<FileColumn['type'], string> => ({
  text: t('upload.type.text', 'text'),
  integer: t('upload.type.integer', 'whole number'),
  decimal: t('upload.type.decimal', 'decimal'),
  boolean: t('upload.type.boolean', 'yes/no'),
  date: t('upload.type.date', 'date'),
  datetime: t('upload.type.datetime', 'date and time'),
})

/** An evening in December, in the parts of a time format. */
const example: Record<string, string> = {
  d: '31',
  m: '12',
  Y: '2024',
  y: '24',
  b: 'Dec',
  H: '20',
  I: '08',
  M: '15',
  S: '00',
  p: 'PM',
}

/** Label of a format: an example for times, `31/12/2024 20:15`. */
export function formatLabel(t: Translate, format: ColumnFormat | null): string {
  switch (format) {
    case null:
    case 'grouped':
      return t('upload.format.plain', 'plain number')
    case 'percent':
      return t('upload.format.percent', '5% as 0.05')
    case 'currency':
      return t('upload.format.currency', 'amount of money')
    case 'rounded':
      return t('upload.format.rounded', 'rounded')
    case 'iso':
      return '2024-12-31'
    case 'excel-1900':
      return t('upload.format.serial', 'Excel day number')
    case 'excel-1904':
      return t('upload.format.serial1904', 'Excel day number (1904)')
    default:
      return format.replaceAll(/%(\w)/g, (_, part: string) => example[part] ?? '')
  }
}
