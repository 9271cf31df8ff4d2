import { chartEntries } from '@parquetry/charts'
import { Button, Dialog, EmptyState, Icon, TextInput, useText, type IconName } from '@parquetry/ui'
import { useState } from 'react'
import { boot } from '../shared/boot.ts'
import styles from './Explore.module.css'

export interface VizPickerProps {
  value: string
  onChange(viz_type: string): void
}

const denied = boot.common.conf['VIZ_TYPE_DENYLIST']
const offered = chartEntries.filter(({ viz_type }) => !(Array.isArray(denied) && denied.includes(viz_type)))

/** The six usual types as tiles, all others in the gallery. PERM-025: types that the server denies are not offered. */
const quick = ['echarts_timeseries_line', 'echarts_timeseries_bar', 'echarts_area', 'table', 'big_number_total', 'pie']

const icons: Record<string, IconName> = {
  table: 'table',
  pie: 'pie',
  big_number: 'number',
  big_number_total: 'number',
  echarts_area: 'area',
  echarts_timeseries_bar: 'chart',
}
const iconOf = (viz_type: string): IconName => icons[viz_type] ?? 'line'

export function VizPicker({ value, onChange }: VizPickerProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const tiles = quick.flatMap((viz_type) => offered.find((chart) => chart.viz_type === viz_type) ?? [])
  const words = search.trim().toLowerCase()
  const found = offered.filter(({ name, category, tags }) =>
    [name, category, ...tags].some((text) => text.toLowerCase().includes(words)),
  )
  const pick = (viz_type: string): void => {
    setOpen(false)
    onChange(viz_type)
  }

  return (
    <div className={styles.tiles} role="group" aria-label={t('explore.viz.label', 'Chart type')}>
      {tiles.map(({ viz_type, name }) => (
        <button
          key={viz_type}
          type="button"
          className={styles.tile}
          aria-pressed={viz_type === value}
          onClick={() => pick(viz_type)}
        >
          <Icon name={iconOf(viz_type)} size={20} />
          <span>{name}</span>
        </button>
      ))}
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t('explore.viz.all', 'View all charts')}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('explore.viz.title', 'Select a visualization type')}
        width={720}
      >
        <TextInput
          data-autofocus
          icon="search"
          aria-label={t('explore.viz.search', 'Search all charts')}
          placeholder={t('explore.viz.search', 'Search all charts')}
          value={search}
          onChange={setSearch}
          clearable
        />
        {found.length === 0 ? (
          <EmptyState inline level={3} title={t('explore.viz.none', 'No chart type fits')} />
        ) : (
          <div className={styles.gallery}>
            {found.map(({ viz_type, name, description }) => (
              <button
                key={viz_type}
                type="button"
                className={styles.card}
                aria-pressed={viz_type === value}
                onClick={() => pick(viz_type)}
              >
                <Icon name={iconOf(viz_type)} size={20} />
                <strong>{name}</strong>
                <span>{description}</span>
              </button>
            ))}
          </div>
        )}
      </Dialog>
    </div>
  )
}
