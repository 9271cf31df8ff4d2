import {
  Icon,
  IconButton,
  Menu,
  TextInput,
  useVirtualRows,
  useTranslate,
  type IconName,
  type Translate,
} from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { notOwnerText } from '../shared/dataset-texts.ts'
import { can, hasSqlLab, isOwner } from '../shared/rights.ts'
import { columnIcon } from '../shared/column-icon.ts'
import { fieldDragProps } from './controls/field-drag.ts'
import { fieldRows, type FieldRow } from './field-list.ts'
import { postForm } from './post-form.ts'
import { datasourceKey, type ExploreColumn, type ExploreDataset } from './use-explore.ts'
import styles from './Explore.module.css'

export interface DataPanelProps {
  dataset: ExploreDataset
  /** Adds a field where it fits best. */
  onAddMetric(name: string): void
  onAddColumn(name: string): void
  onEdit(): void
  onSwap(): void
  /** Shows the SQL of the query. */
  onQuery(): void
  /** Saves the query as a dataset. */
  onSave(): void
}

const rowHeight = 28
/** Indentation per enclosing folder, in pixels. */
const indent = 14

/** Tooltip of a field: description, certification and warning. */
const buildFieldTooltip = (
  field: Pick<ExploreColumn, 'is_certified' | 'certified_by' | 'certification_details' | 'warning_markdown'>,
  text: string,
  t: Translate,
): string =>
  [
    text,
    field.is_certified &&
      t('explore.data.certified', 'Certified by {name}', { name: field.certified_by ?? '' }) +
        (field.certification_details ? `: ${field.certification_details}` : ''),
    field.warning_markdown,
  ]
    .filter(Boolean)
    .join('\n')

function shownField(row: Extract<FieldRow, { kind: 'metric' | 'column' }>, t: Translate) {
  const field = row.kind === 'metric' ? row.metric : row.column
  const marks = { isCertified: field.is_certified, warning: field.warning_markdown }
  if (row.kind === 'metric') {
    const { metric_name: name, verbose_name, description, expression } = row.metric
    const icon: IconName = 'function'
    return {
      kind: 'metric' as const,
      name,
      words: verbose_name || name,
      icon,
      ...marks,
      note: buildFieldTooltip(field, description ?? expression, t),
    }
  }
  const { column_name: name, verbose_name, description, type, is_dttm } = row.column
  const kind = is_dttm ? ('time' as const) : ('column' as const)
  const icon: IconName = columnIcon(row.column)
  return {
    kind,
    name,
    words: verbose_name || name,
    icon,
    ...marks,
    note: buildFieldTooltip(field, description ?? type ?? '', t),
  }
}

/** Metrics and columns of the dataset in their folders. Enter or + adds one to the query. */
export function DataPanel({ dataset, onAddMetric, onAddColumn, onEdit, onSwap, onQuery, onSave }: DataPanelProps) {
  const t = useTranslate()
  const [search, setSearch] = useState('')
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const entries = useMemo(() => fieldRows(dataset, { search, closed }), [dataset, search, closed])
  const toggle = (key: string): void =>
    setClosed((now) => new Set(now.has(key) ? [...now].filter((each) => each !== key) : [...now, key]))
  const rows = useVirtualRows(scroller, { count: entries.length, rowHeight })

  return (
    <section className={styles.data} aria-label={t('explore.data.label', 'Dataset')}>
      <header className={styles.dataHead}>
        <Icon name="dataset" />
        <h2 title={dataset.table_name.length > 25 ? dataset.table_name : undefined}>{dataset.table_name}</h2>
        <Menu
          label={t('explore.data.menu', 'Dataset')}
          align="end"
          items={[
            {
              label: t('explore.data.edit', 'Edit dataset'),
              icon: 'edit' as const,
              onSelect: onEdit,
              disabledReason:
                dataset.type !== 'table'
                  ? t('explore.data.noEdit', 'A SQL Lab query has no dataset to edit')
                  : isOwner(dataset.editors ?? []) && can('can_write', 'Dataset')
                    ? undefined
                    : notOwnerText(t),
            },
            { label: t('explore.swap.title', 'Swap dataset'), icon: 'dataset' as const, onSelect: onSwap },
            ...(hasSqlLab
              ? [
                  {
                    label: t('explore.data.sqllab', 'View in SQL Lab'),
                    icon: 'sql' as const,
                    onSelect: () =>
                      postForm('/superset/sqllab/', {
                        datasourceKey: datasourceKey(dataset),
                        sql: dataset.sql ?? dataset.select_star ?? `SELECT * FROM ${dataset.table_name} LIMIT 100`,
                      }),
                  },
                ]
              : []),
            { label: t('explore.data.query', 'Query preview'), icon: 'query' as const, onSelect: onQuery },
            ...(can('can_write', 'Dataset')
              ? [{ label: t('explore.dataset.title', 'Save as dataset'), icon: 'save' as const, onSelect: onSave }]
              : []),
            { label: t('explore.data.all', 'All datasets'), icon: 'list' as const, href: '/tablemodelview/list/' },
          ]}
        >
          <IconButton icon="more" label={t('explore.data.more', 'Dataset actions')} />
        </Menu>
      </header>
      <TextInput
        icon="search"
        aria-label={t('explore.data.search', 'Search fields')}
        placeholder={t('explore.data.search', 'Search fields')}
        value={search}
        onChange={setSearch}
        clearable
      />
      <div ref={setScroller} className={styles.dataList}>
        <div style={{ height: rows.height, position: 'relative' }}>
          {entries.slice(rows.first, rows.last).map((entry, at) => {
            const index = rows.first + at
            const offsetStyle = { transform: `translateY(${index * rowHeight}px)` }
            if (entry.kind === 'heading')
              return (
                <h3 key={index} className={styles.dataHeading} style={offsetStyle}>
                  {entry.of === 'metrics'
                    ? t('explore.data.metrics', 'Metrics {n}', { n: entry.count })
                    : t('explore.data.columns', 'Columns {n}', { n: entry.count })}
                </h3>
              )
            const style = { ...offsetStyle, paddingInlineStart: 4 + entry.depth * indent }
            if (entry.kind === 'folder')
              return (
                <button
                  key={index}
                  type="button"
                  className={`${styles.entry} ${styles.folder}`}
                  style={style}
                  title={entry.description ?? undefined}
                  aria-expanded={entry.isOpen}
                  disabled={search.trim() !== ''}
                  onClick={() => toggle(entry.key)}
                >
                  <Icon name={entry.isOpen ? 'chevron-down' : 'chevron-right'} />
                  <span>
                    {entry.name} <small>{entry.count}</small>
                  </span>
                </button>
              )
            const field = shownField(entry, t)
            return (
              <button
                key={index}
                type="button"
                className={styles.entry}
                style={style}
                title={field.note}
                onClick={() => (entry.kind === 'metric' ? onAddMetric(field.name) : onAddColumn(field.name))}
                {...fieldDragProps(field.kind, field.name)}
                aria-label={t('explore.data.add', 'Add {name}', { name: field.words })}
              >
                <Icon name={field.icon} />
                <span>{field.words}</span>
                {field.isCertified && <Icon name="certified" className={styles.certified} />}
                {field.warning && <Icon name="warning" className={styles.warning} />}
                <Icon name="plus" />
              </button>
            )
          })}
        </div>
      </div>
    </section>
  )
}
