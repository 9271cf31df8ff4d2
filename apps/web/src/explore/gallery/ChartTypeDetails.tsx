import type { GalleryEntry } from '@parquetry/charts/gallery'
import { examples } from '@parquetry/charts/views'
import { Tag, useTranslate, useTheme } from '@parquetry/ui'
import { Badge } from './Badge.tsx'
import styles from './Gallery.module.css'

/** Details of the chosen chart type: badge, tags, description, examples. */
export function ChartTypeDetails({ chart }: { chart: GalleryEntry | undefined }) {
  const t = useTranslate()
  return (
    // Focusable, so that the keyboard can scroll it.
    <aside
      className={styles.details}
      aria-label={t('explore.viz.details', 'Chart type details')}
      aria-live="polite"
      tabIndex={0}
    >
      {chart ? (
        <>
          <h3>{chart.name}</h3>
          <p className={styles.category}>
            {chart.category} {chart.label && <Badge label={chart.label} explanation={chart.labelExplanation} />}
          </p>
          <div className={styles.tags}>
            {chart.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </div>
          <p>{chart.description || t('explore.viz.undescribed', 'No description available.')}</p>
          <Examples chart={chart} />
        </>
      ) : (
        <p className={styles.category}>{t('explore.viz.first', 'Choose a chart type first')}</p>
      )}
    </aside>
  )
}

function Examples({ chart: { viz_type, exampleGallery } }: { chart: GalleryEntry }) {
  const t = useTranslate()
  const theme = useTheme()
  if (exampleGallery.length === 0) return null
  return (
    <>
      <h4>{t('explore.viz.examples', 'Examples')}</h4>
      <div className={styles.examples}>
        {exampleGallery.map(({ name, caption }) => (
          <figure key={name}>
            <img src={examples[viz_type]?.[name]?.[theme]} alt="" width={320} height={200} />
            <figcaption>{caption}</figcaption>
          </figure>
        ))}
      </div>
    </>
  )
}
