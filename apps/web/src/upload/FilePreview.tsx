import { nullText } from '@parquetry/charts'
import type { FileColumn } from '@parquetry/model'
import { fileTypes } from '@parquetry/model/table-file/types'
import { Icon, Select, TextInput, useTranslate, type IconName, type Translate } from '@parquetry/ui'
import { nameErrors, type UploadItem, updateColumn } from './upload-item.ts'
import styles from './upload.module.css'

const icons: Record<FileColumn['type'], IconName> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'calendar',
  datetime: 'clock',
}

const typeLabels = (t: Translate): Record<FileColumn['type'], string> => ({
  text: t('upload.type.text', 'text'),
  integer: t('upload.type.integer', 'whole number'),
  decimal: t('upload.type.decimal', 'decimal'),
  boolean: t('upload.type.boolean', 'yes/no'),
  date: t('upload.type.date', 'date'),
  datetime: t('upload.type.datetime', 'date and time'),
})

/** Number of columns shown; wider files can be added, and a note states how many more there are. */
const shownColumns = 60

/** First rows under editable headers: name, type, and whether to include the column. */
export function FilePreview({ row, onChange }: { row: UploadItem; onChange(change: Partial<UploadItem>): void }) {
  const t = useTranslate()
  const typeNames = typeLabels(t)
  const wrong = nameErrors(row)
  const columns = row.columns.slice(0, shownColumns)
  const more = row.columns.length - columns.length
  const isRight = ({ type }: FileColumn) => type === 'integer' || type === 'decimal'
  const isAppended = row.taken !== null && row.already_exists === 'append'
  return (
    <div className={styles.preview} role="region" aria-label={t('upload.preview', 'Preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => {
              const isLeft = row.left.has(column.source)
              return (
                <th key={column.source} scope="col" data-left={isLeft || undefined}>
                  <div className={styles.head}>
                    <input
                      type="checkbox"
                      checked={!isLeft}
                      aria-label={t('upload.column.take', 'Include column {name}', { name: column.name })}
                      onChange={() => onChange({ left: toggled(row.left, column.source) })}
                    />
                    <TextInput
                      value={column.name}
                      maxLength={120}
                      aria-label={t('upload.column.name', 'Name of column {name}', { name: column.name })}
                      aria-invalid={wrong.has(column.source) || undefined}
                      onChange={(name) => onChange(updateColumn(row, column.source, { name }))}
                    />
                  </div>
                  {isAppended ? (
                    <span className={styles.quiet}>{t('upload.column.ofTable', 'type from table')}</span>
                  ) : (
                    <Select
                      compact
                      value={column.type}
                      icon={icons[column.type]}
                      aria-label={t('upload.column.type', 'Type of column {name}', { name: column.name })}
                      options={fileTypes.map((type) => ({ value: type, label: typeNames[type], icon: icons[type] }))}
                      onChange={(type) =>
                        type && onChange(updateColumn(row, column.source, { type, format: formatFor(column, type) }))
                      }
                    />
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {row.look?.rows.map((values, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no names, and never move
            <tr key={at}>
              {columns.map((column, index) => (
                <td
                  key={column.source}
                  data-right={isRight(column) || undefined}
                  data-left={row.left.has(column.source) || undefined}
                >
                  {values[index] ?? <span className={styles.none}>{nullText}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className={styles.quiet}>
          <Icon name="info" />{' '}
          {t(
            'upload.preview.more',
            '{count, plural, one {# more column is} other {# more columns are}} added with the detected names and types',
            {
              count: more,
            },
          )}
        </p>
      )}
    </div>
  )
}

function toggled<T>(set: ReadonlySet<T>, value: T): Set<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

/** The detected format stays while the column is temporal. */
const formatFor = (column: FileColumn, type: FileColumn['type']): FileColumn['format'] => {
  if (type !== 'date' && type !== 'datetime') return column.format
  return column.format ?? 'iso'
}
