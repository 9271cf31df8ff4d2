import type { PictureOutput } from '@parquetry/model'

export const mediaTypes: Readonly<Record<PictureOutput, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  text: 'application/json',
}
