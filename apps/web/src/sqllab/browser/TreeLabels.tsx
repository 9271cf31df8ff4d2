import type { ListedTable } from '@parquetry/model'
import { Icon, Skeleton, useTranslate, type IconName } from '@parquetry/ui'
import { messageOf } from '../../shared/errors.ts'
import { formatNumber } from '../../shared/formats.ts'
import type { TableColumn } from '../state.ts'
import styles from './browser.module.css'

/** Returns the icon of a column type by its name in any engine. */
export function iconOfType(type: string): IconName {
  if (/^(tiny|small|medium|big|huge|u)*int|^(serial|number|numeric|decimal|double|float|real|money)/i.test(type))
    return 'number'
  if (/^(date|time|interval|year)/i.test(type)) return 'clock'
  if (/^bool/i.test(type)) return 'boolean'
  return 'text'
}

/** Row of a table in the tree; a skeleton until its page loads. */
export function TableLabel({
  table,
  isOpen,
  onMenu,
}: {
  table: ListedTable | undefined
  isOpen: boolean
  onMenu(anchor: Element, byKey: boolean): void
}) {
  const t = useTranslate()
  if (!table) return <Skeleton width="60%" />
  return (
    <>
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
      <Icon name={table.type === 'table' ? 'table' : 'eye'} />
      <span className={styles.nodeName} title={table.value}>
        {table.value}
      </span>
      {table.extra?.certification && <Icon name="certified" size={12} />}
      {table.extra?.warning_markdown && <Icon name="warning" size={12} />}
      {table.rows != null && (
        <span className={styles.note} title={formatNumber(table.rows)}>
          {compact(table.rows)}
        </span>
      )}
      <button
        type="button"
        tabIndex={-1}
        className={styles.more}
        aria-label={t('sqllab.schema.actions', 'Actions for {name}', { name: table.value })}
        onClick={(event) => {
          event.stopPropagation()
          onMenu(event.currentTarget, event.detail === 0)
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Icon name="more" />
      </button>
    </>
  )
}

/** Row of a column: the column, the error, or a skeleton. */
export function ColumnLabel({ column, error }: { column: TableColumn | undefined; error: Error | null | undefined }) {
  const t = useTranslate()
  if (error && !column)
    return (
      <span className={styles.wrong} title={messageOf(error)}>
        {messageOf(error)}
      </span>
    )
  if (!column) return <Skeleton width="50%" />
  const isKey = column.keys.some(({ type }) => type === 'pk')
  return (
    <>
      <Icon name={iconOfType(column.type)} />
      <span className={styles.nodeName} title={[column.name, column.comment].filter(Boolean).join(': ')}>
        {column.name}
      </span>
      {isKey && <Icon name="lock" size={12} label={t('sqllab.schema.key', 'Primary key')} />}
      <span className={styles.note} title={column.longType}>
        {column.type.toLowerCase()}
      </span>
    </>
  )
}

const compact = (rows: number): string => formatNumber(rows, { notation: 'compact', maximumFractionDigits: 1 })
