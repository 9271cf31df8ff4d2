import { type DatasetFacts } from '@parquetry/charts'
import { galleryEntries, listPluginGalleryEntries } from '@parquetry/charts/gallery'
import { Button, Icon, useCommand, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { boot } from '../shared/boot.ts'
import { vizIcon, vizName } from '../shared/viz.ts'
import { listAvailableCharts } from './gallery/find-charts.ts'
import { Gallery } from './gallery/Gallery.tsx'
import styles from './Explore.module.css'

export interface VizPickerProps {
  value: string
  dataset: DatasetFacts
  onChange(viz_type: string): void
}

const denied = boot.common.conf['VIZ_TYPE_DENYLIST']

/** EXP-064: common chart types as tiles, all others in the gallery. If another type is selected, its tile appears below them. */
const quick = ['echarts_timeseries_line', 'echarts_timeseries_bar', 'echarts_area', 'table', 'big_number_total', 'pie']

export function VizPicker({ value, dataset, onChange }: VizPickerProps) {
  const t = useTranslate()
  const offered = listAvailableCharts(
    [...galleryEntries, ...listPluginGalleryEntries()],
    Array.isArray(denied) ? denied : [],
    value,
  )
  const [open, setOpen] = useState(false)
  useCommand({
    id: 'explore.gallery',
    label: t('explore.viz.title', 'Select a visualization type'),
    shortcut: 'V',
    icon: 'chart',
    run: () => setOpen(true),
  })
  const tiles = quick.flatMap((viz_type) => offered.find((chart) => chart.viz_type === viz_type) ?? [])
  const pick = (viz_type: string): void => {
    setOpen(false)
    onChange(viz_type)
  }

  return (
    <div className={styles.tiles} role="group" aria-label={t('explore.viz.label', 'Chart type')}>
      {tiles.map(({ viz_type }) => (
        <button
          key={viz_type}
          type="button"
          className={styles.tile}
          aria-pressed={viz_type === value}
          onClick={() => pick(viz_type)}
        >
          <Icon name={vizIcon(viz_type)} size={20} />
          <span>{vizName(viz_type, t)}</span>
        </button>
      ))}
      <div className={styles.moreTypes}>
        {!quick.includes(value) && (
          <button type="button" className={styles.tile} aria-pressed="true" onClick={() => setOpen(true)}>
            <Icon name={vizIcon(value)} size={16} />
            <span>{vizName(value, t)}</span>
          </button>
        )}
        <Button variant="quiet" onClick={() => setOpen(true)}>
          {t('explore.viz.all', 'View all charts')}
        </Button>
      </div>
      {open && (
        <Gallery onClose={() => setOpen(false)} charts={offered} dataset={dataset} value={value} onSelect={pick} />
      )}
    </div>
  )
}
