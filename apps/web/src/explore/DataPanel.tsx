import { Icon, IconButton, Menu, TextInput, useRows, useText, type IconName, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { notOwner } from '../shared/dataset-words.ts'
import { can, hasSqlLab, owns } from '../shared/rights.ts'
import { iconOfColumn } from './controls/columns.ts'
import { dragsField } from './controls/field-drag.ts'
import { postForm } from './post-form.ts'
import { datasourceKey, type ExploreColumn, type ExploreDataset } from './use-explore.ts'
import styles from './Explore.module.css'

export interface DataPanelProps {
  dataset: ExploreDataset
  /** Puts a field where it fits best. */
  onAddMetric(name: string): void
  onAddColumn(name: string): void
  onEdit(): void
  onSwap(): void
  /** Shows the SQL of the question. */
  onQuery(): void
  /** Saves the question as a dataset. */
  onSave(): void
}

type Entry =
  | { kind: 'heading'; words: string }
  | {
      kind: 'metric' | 'column' | 'time'
      name: string
      words: string
      icon: IconName
      note: string
      isCertified: boolean
      warning: string | null
    }

const rowHeight = 28

/** What a field is, who vouches for it and what to mind. */
const noteOf = (
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

/** The dataset's metrics and columns; Enter or + puts one into the question. */
export function DataPanel({ dataset, onAddMetric, onAddColumn, onEdit, onSwap, onQuery, onSave }: DataPanelProps) {
  const t = useText()
  const [search, setSearch] = useState('')
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const fits = (...texts: (string | null)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(search.trim().toLowerCase()))
  const metrics = dataset.metrics.filter(({ metric_name, verbose_name }) => fits(metric_name, verbose_name))
  const columns = dataset.columns.filter(({ column_name, verbose_name }) => fits(column_name, verbose_name))
  const entries: Entry[] = [
    { kind: 'heading', words: t('explore.data.metrics', 'Metrics {n}', { n: metrics.length }) },
    ...metrics.map((metric): Entry => ({
      kind: 'metric',
      name: metric.metric_name,
      words: metric.verbose_name || metric.metric_name,
      icon: 'function',
      note: noteOf(metric, metric.description ?? metric.expression, t),
      isCertified: metric.is_certified,
      warning: metric.warning_markdown,
    })),
    { kind: 'heading', words: t('explore.data.columns', 'Columns {n}', { n: columns.length }) },
    ...columns.map((column): Entry => ({
      kind: column.is_dttm ? 'time' : 'column',
      name: column.column_name,
      words: column.verbose_name || column.column_name,
      icon: iconOfColumn(column),
      note: noteOf(column, column.description ?? column.type ?? '', t),
      isCertified: column.is_certified,
      warning: column.warning_markdown,
    })),
  ]
  const rows = useRows(scroller, { count: entries.length, rowHeight })

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
                  ? t('explore.data.noEdit', 'A run of SQL Lab has no dataset to edit')
                  : owns(dataset.owners) && can('can_write', 'Dataset')
                    ? undefined
                    : notOwner(t),
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
          <IconButton icon="more" label={t('explore.data.more', 'Actions on the dataset')} />
        </Menu>
      </header>
      <TextInput
        icon="search"
        aria-label={t('explore.data.search', 'Find a field')}
        placeholder={t('explore.data.search', 'Find a field')}
        value={search}
        onChange={setSearch}
        clearable
      />
      <div ref={setScroller} className={styles.dataList}>
        <div style={{ height: rows.height, position: 'relative' }}>
          {entries.slice(rows.first, rows.last).map((entry, at) => {
            const index = rows.first + at
            const place = { transform: `translateY(${index * rowHeight}px)` }
            if (entry.kind === 'heading')
              return (
                <h3 key={index} className={styles.dataHeading} style={place}>
                  {entry.words}
                </h3>
              )
            const add = (): void => (entry.kind === 'metric' ? onAddMetric(entry.name) : onAddColumn(entry.name))
            return (
              <button
                key={index}
                type="button"
                className={styles.entry}
                style={place}
                title={entry.note}
                onClick={add}
                {...dragsField(entry.kind, entry.name)}
                aria-label={t('explore.data.add', 'Add {name}', { name: entry.words })}
              >
                <Icon name={entry.icon} />
                <span>{entry.words}</span>
                {entry.isCertified && <Icon name="certified" className={styles.certified} />}
                {entry.warning && <Icon name="warning" className={styles.warning} />}
                <Icon name="plus" />
              </button>
            )
          })}
        </div>
      </div>
    </section>
  )
}
