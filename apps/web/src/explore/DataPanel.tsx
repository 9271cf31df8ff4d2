import { Icon, IconButton, Menu, TextInput, useRows, useText, type IconName } from '@parquetry/ui'
import { useState } from 'react'
import { can, hasSqlLab } from '../shared/rights.ts'
import { iconOfColumn } from './controls/columns.ts'
import { dragsField } from './controls/field-drag.ts'
import type { ExploreDataset } from './use-explore.ts'
import styles from './Explore.module.css'

export interface DataPanelProps {
  dataset: ExploreDataset
  /** Puts a field where it fits best. */
  onAddMetric(name: string): void
  onAddColumn(name: string): void
  onSwap(): void
  /** Shows the SQL of the question. */
  onQuery(): void
  /** Saves the question as a dataset. */
  onSave(): void
}

type Entry =
  | { kind: 'heading'; words: string }
  | { kind: 'metric' | 'column' | 'time'; name: string; words: string; icon: IconName; note: string }

const rowHeight = 28

/** The dataset's metrics and columns; Enter or + puts one into the question. */
export function DataPanel({ dataset, onAddMetric, onAddColumn, onSwap, onQuery, onSave }: DataPanelProps) {
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
      note: metric.expression,
    })),
    { kind: 'heading', words: t('explore.data.columns', 'Columns {n}', { n: columns.length }) },
    ...columns.map((column): Entry => ({
      kind: column.is_dttm ? 'time' : 'column',
      name: column.column_name,
      words: column.verbose_name || column.column_name,
      icon: iconOfColumn(column),
      note: column.description ?? column.type ?? '',
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
            ...(hasSqlLab
              ? [
                  {
                    label: t('explore.data.sqllab', 'View in SQL Lab'),
                    icon: 'sql' as const,
                    href: `/superset/sqllab/?dbid=${dataset.database.id}&sql=${encodeURIComponent(dataset.sql ?? dataset.select_star ?? `SELECT * FROM ${dataset.table_name} LIMIT 100`)}`,
                  },
                ]
              : []),
            { label: t('explore.data.query', 'Query preview'), icon: 'query' as const, onSelect: onQuery },
            { label: t('explore.swap.title', 'Swap dataset'), icon: 'dataset' as const, onSelect: onSwap },
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
                <Icon name="plus" />
              </button>
            )
          })}
        </div>
      </div>
    </section>
  )
}
