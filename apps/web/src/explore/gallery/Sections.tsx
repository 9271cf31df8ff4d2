import { type GalleryEntry } from '@parquetry/charts/gallery'
import { useText } from '@parquetry/ui'
import { placesOf, type Place } from './find-charts.ts'
import styles from './Gallery.module.css'
import { useChartWords } from './use-chart-words.ts'

export interface SectionsProps {
  charts: readonly GalleryEntry[]
  /** Null while a search looks everywhere. */
  place: Place | null
  onPlace(place: Place): void
}

/** All charts, recommended tags, categories, tags. */
export function Sections({ charts, place, onPlace }: SectionsProps) {
  const t = useText()
  const words = useChartWords()
  const groups = Map.groupBy(placesOf(charts), ({ kind }) => kind)
  const headings = {
    recommended: t('explore.viz.recommended', 'Recommended tags'),
    category: t('explore.viz.category', 'Category'),
    tag: t('explore.viz.tags', 'Tags'),
  }
  const entry = (next: Place) => (
    <button
      key={words.ofPlace(next)}
      type="button"
      className={styles.section}
      aria-current={JSON.stringify(place) === JSON.stringify(next) || undefined}
      onClick={() => onPlace(next)}
    >
      {words.ofPlace(next)}
    </button>
  )
  return (
    <nav className={styles.sections} aria-label={t('explore.viz.sections', 'Sections')}>
      {entry({ kind: 'all' })}
      {(['recommended', 'category', 'tag'] as const).map((kind) => (
        <div key={kind} className={styles.group} role="group" aria-label={headings[kind]}>
          <h3>{headings[kind]}</h3>
          {groups.get(kind)?.map(entry)}
        </div>
      ))}
    </nav>
  )
}
