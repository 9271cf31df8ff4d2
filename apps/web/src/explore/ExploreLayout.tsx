import { Button, Drawer, SplitPane, useTranslate } from '@parquetry/ui'
import { useState, type ReactNode } from 'react'
import { useMediaQuery, breakpoints } from '../shared/use-media-query.ts'
import styles from './Explore.module.css'

export interface ExploreLayoutProps {
  data: ReactNode
  controls: ReactNode
  picture: ReactNode
  results: ReactNode
}

/** Dataset, controls and chart side by side. In narrow windows first the dataset and then the controls become drawers. */
export function ExploreLayout({ data, controls, picture, results }: ExploreLayoutProps) {
  const t = useTranslate()
  const isNarrow = useMediaQuery(breakpoints.narrow)
  const isTight = useMediaQuery('(max-width: 991px)')
  const [open, setOpen] = useState<'data' | 'controls' | null>(null)
  const shown = (
    <SplitPane
      name="explore.results"
      label={t('explore.split.results', 'Resize chart data')}
      direction="column"
      sized="second"
      size={260}
      min={120}
      max={700}
      first={picture}
      second={results}
    />
  )
  const beside = (
    <SplitPane
      name="explore.controls"
      label={t('explore.split.controls', 'Resize controls')}
      size={isNarrow ? 300 : 320}
      min={260}
      max={520}
      first={controls}
      second={shown}
    />
  )
  if (!isNarrow)
    return (
      <div className={styles.body}>
        <SplitPane
          name="explore.data"
          label={t('explore.split.data', 'Resize dataset')}
          size={240}
          min={180}
          max={400}
          first={data}
          second={beside}
        />
      </div>
    )
  return (
    <>
      <div className={styles.openers}>
        <Button icon="dataset" onClick={() => setOpen('data')}>
          {t('explore.open.data', 'Dataset')}
        </Button>
        {isTight && (
          <Button icon="settings" onClick={() => setOpen('controls')}>
            {t('explore.open.controls', 'Controls')}
          </Button>
        )}
      </div>
      <div className={styles.body}>{isTight ? shown : beside}</div>
      <Drawer
        open={open === 'data'}
        onClose={() => setOpen(null)}
        title={t('explore.data.label', 'Dataset')}
        side="start"
        width={320}
      >
        <div className={styles.inDrawer}>{data}</div>
      </Drawer>
      <Drawer
        open={isTight && open === 'controls'}
        onClose={() => setOpen(null)}
        title={t('explore.panel.label', 'Controls')}
        side="start"
        width={320}
      >
        <div className={styles.inDrawer}>{controls}</div>
      </Drawer>
    </>
  )
}
