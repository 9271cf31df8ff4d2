import { type ChartEntry } from '@parquetry/charts'
import { thumbnails } from '@parquetry/charts/views'
import { Button, Dialog, EmptyState, Tag, TextInput, useText, useTheme } from '@parquetry/ui'
import { useState } from 'react'
import { categoriesOf, findCharts, isAt, recommendedTags, tagsOf, type Place } from './find-charts.ts'
import styles from './Gallery.module.css'

export interface GalleryProps {
  open: boolean
  onClose(): void
  charts: readonly ChartEntry[]
  /** The type that the chart has now. */
  value: string
  onSelect(viz_type: string): void
}

/** All chart types by section and by search, with what is known of the one that is chosen. */
export function Gallery({ open, onClose, charts, value, onSelect }: GalleryProps) {
  const t = useText()
  const theme = useTheme()
  const [chosen, setChosen] = useState<string | null>(value)
  const [search, setSearch] = useState('')
  const [place, setPlace] = useState<Place>({ kind: 'all' })
  const shown = findCharts(charts, search).filter((chart) => search.trim() !== '' || isAt(chart, place))
  const details = charts.find(({ viz_type }) => viz_type === chosen)

  /** EXP-056: what is chosen stays chosen only where it can be seen. */
  const goTo = (next: Place): void => {
    setPlace(next)
    setSearch('')
    if (details && !isAt(details, next)) setChosen(null)
  }
  const select = (viz_type: string | null): void => {
    if (viz_type !== null) onSelect(viz_type)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('explore.viz.title', 'Select a visualization type')}
      width={1090}
      onSubmit={() => select(chosen)}
      footer={
        <>
          <Button onClick={onClose}>{t('explore.popover.cancel', 'Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            disabledReason={chosen === null ? t('explore.viz.first', 'Choose a chart type first') : undefined}
          >
            {t('explore.viz.select', 'Select')}
          </Button>
        </>
      }
    >
      <div className={styles.gallery}>
        <Sections charts={charts} place={search.trim() === '' ? place : null} onPlace={goTo} />
        <div className={styles.middle}>
          <TextInput
            data-autofocus
            icon="search"
            aria-label={t('explore.viz.search', 'Search all charts')}
            placeholder={t('explore.viz.search', 'Search all charts')}
            value={search}
            onChange={setSearch}
            clearable
          />
          {shown.length === 0 ? (
            <EmptyState inline level={3} title={t('explore.viz.none', 'No chart type fits')} />
          ) : (
            <div className={styles.cards} role="group" aria-label={t('explore.viz.types', 'Chart types')}>
              {shown.map(({ viz_type, name }) => (
                <button
                  key={viz_type}
                  type="button"
                  className={styles.card}
                  aria-pressed={viz_type === chosen}
                  onClick={() => setChosen(viz_type)}
                  onDoubleClick={() => select(viz_type)}
                >
                  <img src={thumbnails[viz_type]?.[theme]} alt="" width={150} height={94} />
                  <span>{name}</span>
                </button>
              ))}
            </div>
          )}
        </div>
        <aside
          className={styles.details}
          aria-label={t('explore.viz.details', 'About the chart type')}
          aria-live="polite"
        >
          {details && (
            <>
              <h3>{details.name}</h3>
              <p className={styles.category}>{details.category}</p>
              <div className={styles.tags}>
                {details.tags.map((tag) => (
                  <Tag key={tag}>{tag}</Tag>
                ))}
              </div>
              <p>{details.description || t('explore.viz.undescribed', 'No description available.')}</p>
            </>
          )}
        </aside>
      </div>
    </Dialog>
  )
}

interface SectionsProps {
  charts: readonly ChartEntry[]
  /** Null while a search looks everywhere. */
  place: Place | null
  onPlace(place: Place): void
}

function Sections({ charts, place, onPlace }: SectionsProps) {
  const t = useText()
  const entry = (next: Place, words: string) => (
    <button
      key={`${next.kind}.${words}`}
      type="button"
      className={styles.section}
      aria-current={JSON.stringify(place) === JSON.stringify(next) || undefined}
      onClick={() => onPlace(next)}
    >
      {words}
    </button>
  )
  return (
    <nav className={styles.sections} aria-label={t('explore.viz.sections', 'Sections')}>
      {entry({ kind: 'all' }, t('explore.viz.allCharts', 'All charts'))}
      <h3>{t('explore.viz.recommended', 'Recommended tags')}</h3>
      {recommendedTags.map((name) => entry({ kind: 'tag', name }, name))}
      <h3>{t('explore.viz.category', 'Category')}</h3>
      {categoriesOf(charts).map((name) => entry({ kind: 'category', name }, name))}
      <h3>{t('explore.viz.tags', 'Tags')}</h3>
      {tagsOf(charts).map((name) => entry({ kind: 'tag', name }, name))}
    </nav>
  )
}
