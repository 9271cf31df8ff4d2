import { maxFileColumns } from '@parquetry/model/table-file/guess'
import { overwriteText } from '@parquetry/model/table-file/names'
import type { Translate } from '@parquetry/ui'
import { i18n } from '../shared/intl.ts'
import { countBadLines, isTooWide, nameErrors, type UploadItem, findUnconfirmedColumns } from './upload-item.ts'

/** Reason why a file cannot be added yet. A running upload is not one, since adding waits for it. */
export function findUploadProblem(row: UploadItem, t: Translate): string | undefined {
  if (row.state?.state === 'ready') return undefined
  if (row.error && !row.isSent) return row.error
  const isText = row.format === 'csv' || row.format === 'json'
  if (isText && row.start && !row.look) return t('upload.missing.table', 'No table found in this file.')
  if (isTooWide(row))
    return t('upload.missing.narrow', 'The file has {count, number} columns. At most {most, number} can be added.', {
      count: row.look?.width ?? 0,
      most: maxFileColumns,
    })
  if (row.table_name.trim() === '') return t('upload.missing.name', 'Enter a table name')
  if (row.look && row.columns.every(({ source }) => row.left.has(source)))
    return t('upload.missing.columns', 'Choose at least one column')
  if (nameErrors(row).size > 0) return t('upload.missing.columnNames', 'Enter a unique name for each column')
  if (row.taken && row.already_exists === 'fail')
    return t(
      'upload.missing.taken',
      'A table with this name already exists. Replace it, append to it, or choose another name.',
    )
  if (row.taken && row.already_exists === 'replace' && row.overwrite !== overwriteText)
    return t('upload.missing.overwrite', 'Type {text} to replace the table', { text: overwriteText })
  if (findUnconfirmedColumns(row).length > 0 || (countBadLines(row) > 0 && !row.consent.lines))
    return t('upload.missing.consent', 'Choose what to do with values that don’t fit')
  return undefined
}

/** Data that was lost with consent after loading; null if none. */
export function discardedText(t: Translate, states: readonly UploadItem['state'][]): string | null {
  const results = states.flatMap((state) => (state?.result ? [state.result] : []))
  const values = results.flatMap(({ bad }) => bad).reduce((sum, { count }) => sum + count, 0)
  const short = results.reduce((sum, { badLines }) => sum + badLines.short, 0)
  const long = results.reduce((sum, { badLines }) => sum + badLines.long, 0)
  const parts = [
    values > 0 &&
      t('upload.lost.values', '{count, plural, one {# value} other {# values}} left empty', { count: values }),
    short > 0 &&
      t('upload.lost.short', '{count, plural, one {# short line} other {# short lines}} filled', { count: short }),
    long > 0 && t('upload.lost.long', '{count, plural, one {# line} other {# lines}} skipped', { count: long }),
  ].filter((each) => each !== false)
  return parts.length > 0 ? new Intl.ListFormat(i18n.locale).format(parts) : null
}
