import { countDatasetFields, type DatasetFacts } from '@parquetry/charts'
import { type GalleryEntry } from '@parquetry/charts/gallery'
import { Button, Dialog, EmptyState, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { Cards } from './Cards.tsx'
import { ChartTypeDetails } from './ChartTypeDetails.tsx'
import { partitionByFit, findCharts, isInCategory, listGalleryCategories, type GalleryCategory } from './find-charts.ts'
import styles from './Gallery.module.css'
import { GalleryCategories } from './GalleryCategories.tsx'
import { useGalleryTexts } from './use-gallery-texts.ts'

export interface GalleryProps {
  onClose(): void
  charts: readonly GalleryEntry[]
  /** Types whose needs the dataset meets come first. */
  dataset: DatasetFacts
  /** Current type of the chart. */
  value: string
  onSelect(viz_type: string): void
}

/** All chart types by section or search, with details of the chosen one. */
export function Gallery({ onClose, charts, dataset, value, onSelect }: GalleryProps) {
  const t = useTranslate()
  const texts = useGalleryTexts()
  const isPhone = useMediaQuery(breakpoints.phone)
  const [chosen, setChosen] = useState<string | null>(value)
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<GalleryCategory>({ kind: 'all' })
  const box = useRef<HTMLDivElement>(null)
  const searches = search.trim() !== ''
  const shown = findCharts(
    charts.filter((chart) => searches || isInCategory(chart, category)).map(texts.ofChart),
    search,
  )
  const supply = useMemo(() => countDatasetFields(dataset), [dataset])
  const { fit, others } = partitionByFit(shown, supply)
  const details = charts.find(({ viz_type }) => viz_type === chosen)
  const at = searches ? null : category

  /** EXP-056: clears the selection if the new section does not contain it. */
  const goTo = (next: GalleryCategory): void => {
    setCategory(next)
    setSearch('')
    if (details && !isInCategory(details, next)) setChosen(null)
  }
  const select = (viz_type: string | null): void => {
    if (viz_type !== null) onSelect(viz_type)
  }
  const cards = () => [...(box.current?.querySelectorAll<HTMLButtonElement>('[data-viz]') ?? [])]
  const searchField = () => box.current?.querySelector('input')

  /** Arrow down moves from the search to the first card; Enter chooses the best match. */
  const onSearchKey = (event: KeyboardEvent): void => {
    const [first] = cards()
    if (!first || (event.key !== 'ArrowDown' && !(event.key === 'Enter' && searches))) return
    event.preventDefault()
    event.stopPropagation()
    setChosen(first.dataset['viz'] ?? null)
    first.focus()
  }

  return (
    <Dialog
      open
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
        {!isPhone && <GalleryCategories charts={charts} category={at} onCategory={goTo} />}
        <div className={styles.middle} ref={box}>
          <div onKeyDown={onSearchKey}>
            <TextInput
              data-autofocus
              icon="search"
              aria-label={t('explore.viz.search', 'Search all charts')}
              placeholder={t('explore.viz.search', 'Search all charts')}
              value={search}
              onChange={setSearch}
              clearable
            />
          </div>
          {isPhone && (
            <Select<string>
              aria-label={t('explore.viz.sections', 'Sections')}
              value={at && JSON.stringify(at)}
              placeholder={t('explore.viz.found', 'Search results')}
              options={listGalleryCategories(charts).map((each) => ({
                value: JSON.stringify(each),
                label: texts.ofPlace(each),
              }))}
              onChange={(next) => next && goTo(JSON.parse(next) as GalleryCategory)}
            />
          )}
          {shown.length === 0 ? (
            <EmptyState inline level={3} title={t('explore.viz.none', 'No chart types found')} />
          ) : (
            <Cards
              groups={
                searches
                  ? [{ title: null, charts: shown }]
                  : [
                      { title: t('explore.viz.fit', 'Fits your data'), charts: fit },
                      { title: t('explore.viz.others', 'Others'), charts: others },
                    ]
              }
              supply={supply}
              chosen={chosen}
              onChoose={setChosen}
              onSelect={select}
              onType={() => searchField()?.focus()}
            />
          )}
        </div>
        <ChartTypeDetails chart={details && texts.ofChart(details)} />
      </div>
    </Dialog>
  )
}
