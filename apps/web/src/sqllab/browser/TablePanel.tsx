import { Icon, IconButton, Menu, Skeleton, useCopy, useTranslate, type MenuItem } from '@parquetry/ui'
import { useId, useState } from 'react'
import type { TableKey, TableSchema } from '../state.ts'
import { iconOfType } from './TreeLabels.tsx'
import styles from './browser.module.css'

export interface TablePanelProps {
  table: TableSchema
  mayPreview: boolean
  quote(name: string): string
  onExpand(expanded: boolean): void
  onRemove(): void
  onRefresh(): void
  onPreview(): void
  onInsert(text: string): void
}

interface Partitions {
  cols?: string[]
  latest?: Record<string, unknown>
  partitionQuery?: string
}

/** One table: columns with types and keys, indexes, partitions, comment, the row count if known, and the SELECT text. */
export function TablePanel(props: TablePanelProps) {
  const { table, mayPreview, quote, onExpand, onRemove, onRefresh, onPreview, onInsert } = props
  const t = useTranslate()
  const copy = useCopy()
  const id = useId()
  const [isSorted, setSorted] = useState(false)
  const { name, schema, columns, selectStar, expanded, isMetadataLoading } = table
  const items: MenuItem[] = [
    ...(selectStar === null
      ? []
      : [
          {
            label: t('sqllab.schema.insertSelect', 'Insert SELECT'),
            icon: 'sql' as const,
            onSelect: () => onInsert(selectStar),
          },
          {
            label: t('sqllab.table.copySelect', 'Copy SELECT'),
            icon: 'copy' as const,
            onSelect: () => copy(selectStar, t('sqllab.table.selectCopied', 'SELECT copied')),
          },
        ]),
    ...(mayPreview && selectStar !== null
      ? [{ label: t('sqllab.schema.preview', 'Preview'), icon: 'rows' as const, onSelect: onPreview }]
      : []),
    {
      label: t('sqllab.schema.copyName', 'Copy name'),
      onSelect: () => copy(quote(name), t('sqllab.schema.nameCopied', 'Name copied')),
    },
    {
      label: isSorted
        ? t('sqllab.table.asDefined', 'Original column order')
        : t('sqllab.table.byName', 'Sort columns by name'),
      icon: 'sort',
      onSelect: () => setSorted(!isSorted),
    },
    { label: t('sqllab.table.refresh', 'Refresh'), icon: 'refresh', onSelect: onRefresh },
  ]
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h3 id={id}>
          <button type="button" aria-expanded={expanded} onClick={() => onExpand(!expanded)}>
            <Icon name={expanded ? 'chevron-down' : 'chevron-right'} size={12} />
            <span title={[schema, name].filter(Boolean).join('.')}>{name}</span>
          </button>
        </h3>
        <Menu label={t('sqllab.schema.actions', 'Actions for {name}', { name })} items={items} align="end">
          <IconButton icon="more" label={t('sqllab.schema.actions', 'Actions for {name}', { name })} />
        </Menu>
        <IconButton icon="close" label={t('sqllab.table.remove', 'Remove {name}', { name })} onClick={onRemove} />
      </header>
      {expanded &&
        (isMetadataLoading ? (
          <div className={styles.bones} aria-busy>
            <Skeleton width="70%" />
            <Skeleton width="50%" />
            <Skeleton width="60%" />
          </div>
        ) : (
          <Facts
            table={isSorted ? { ...table, columns: columns.toSorted((a, b) => a.name.localeCompare(b.name)) } : table}
            onInsert={(column) => onInsert(quote(column))}
          />
        ))}
    </section>
  )
}

function Facts({ table, onInsert }: { table: TableSchema; onInsert(column: string): void }) {
  const t = useTranslate()
  const { columns, primaryKey, foreignKeys, indexes, comment, extra, selectStar, isExtraMetadataLoading } = table
  const rows = typeof extra?.['rows'] === 'number' ? extra['rows'] : null
  const partitions = (extra?.['partitions'] ?? null) as Partitions | null
  const view = typeof extra?.['view'] === 'string' ? extra['view'] : null
  const others = indexes.filter(({ type }) => type !== 'pk' && type !== 'fk')
  const marks: Record<string, string> = {
    pk: t('sqllab.table.pk', 'PK'),
    fk: t('sqllab.table.fk', 'FK'),
    index: t('sqllab.table.index', 'index'),
    unique: t('sqllab.table.unique', 'unique'),
  }
  return (
    <div className={styles.facts}>
      {comment && <p>{comment}</p>}
      {rows !== null && (
        <p className={styles.muted}>
          {t(
            'sqllab.table.rows',
            '{rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}',
            {
              rows,
              columns: columns.length,
            },
          )}
        </p>
      )}
      {columns.length === 0 && (
        <p className={styles.muted}>{t('sqllab.table.nothing', 'No column information available')}</p>
      )}
      <ul className={styles.columns}>
        {columns.map(({ name, type, longType, keys, comment: about }) => (
          <li key={name}>
            <button
              type="button"
              title={[longType, about].filter(Boolean).join(' · ')}
              draggable
              onDragStart={(event) => event.dataTransfer.setData('text/plain', name)}
              onClick={() => onInsert(name)}
            >
              <Icon name={iconOfType(type)} />
              <span className={styles.nodeName}>{name}</span>
              {[...new Set(keys.map((key) => key.type))].map((kind) => (
                <span key={kind} className={styles.mark}>
                  {marks[kind] ?? kind}
                </span>
              ))}
              <span className={styles.note}>{type.toLowerCase()}</span>
            </button>
          </li>
        ))}
      </ul>
      {primaryKey && <Keys title={t('sqllab.table.primaryKey', 'Primary key')} keys={[primaryKey]} />}
      {foreignKeys.length > 0 && <Keys title={t('sqllab.table.foreignKeys', 'Foreign keys')} keys={foreignKeys} />}
      {others.length > 0 && <Keys title={t('sqllab.table.indexes', 'Indexes')} keys={others} />}
      {partitions?.cols && partitions.cols.length > 0 && (
        <>
          <h4>{t('sqllab.table.partitions', 'Partitions')}</h4>
          <p>
            {partitions.cols.join(', ')}
            {partitions.latest &&
              ` · ${t('sqllab.table.latest', 'latest: {latest}', {
                latest: Object.entries(partitions.latest)
                  .map(([column, value]) => `${column}=${String(value)}`)
                  .join(', '),
              })}`}
          </p>
        </>
      )}
      {isExtraMetadataLoading && <Skeleton width="40%" />}
      {view !== null && <Text title={t('sqllab.table.view', 'View definition')} text={view} />}
      {selectStar !== null && <Text title={t('sqllab.table.select', 'SELECT')} text={selectStar} />}
    </div>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly TableKey[] }) {
  return (
    <>
      <h4>{title}</h4>
      <ul className={styles.keys}>
        {keys.map(({ name, column_names, referred_table, referred_schema, referred_columns }) => (
          <li key={`${name ?? ''} ${column_names.join()}`} title={name ?? undefined}>
            {column_names.join(', ')}
            {referred_table &&
              ` → ${[referred_schema, referred_table].filter(Boolean).join('.')} (${(referred_columns ?? []).join(', ')})`}
          </li>
        ))}
      </ul>
    </>
  )
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  )
}
