import { type GalleryEntry } from '@parquetry/charts/gallery'
import { useTranslate } from '@parquetry/ui'
import { listGalleryCategories, type GalleryCategory } from './find-charts.ts'
import styles from './Gallery.module.css'
import { useGalleryTexts } from './use-gallery-texts.ts'

export interface GalleryCategoriesProps {
  charts: readonly GalleryEntry[]
  /** Null while searching all sections. */
  category: GalleryCategory | null
  onCategory(category: GalleryCategory): void
}

/** Navigation: all charts, recommended tags, categories, tags. */
export function GalleryCategories({ charts, category, onCategory }: GalleryCategoriesProps) {
  const t = useTranslate()
  const texts = useGalleryTexts()
  const groups = Map.groupBy(listGalleryCategories(charts), ({ kind }) => kind)
  const headings = {
    recommended: t('explore.viz.recommended', 'Recommended tags'),
    category: t('explore.viz.category', 'Category'),
    tag: t('explore.viz.tags', 'Tags'),
  }
  const entry = (next: GalleryCategory) => (
    <button
      key={texts.ofPlace(next)}
      type="button"
      className={styles.section}
      aria-current={JSON.stringify(category) === JSON.stringify(next) || undefined}
      onClick={() => onCategory(next)}
    >
      {texts.ofPlace(next)}
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
