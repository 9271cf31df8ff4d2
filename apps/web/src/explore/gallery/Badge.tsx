import type { GalleryEntry } from '@parquetry/charts/gallery'
import { StatusChip, Tooltip, useTranslate } from '@parquetry/ui'

export interface BadgeProps {
  label: NonNullable<GalleryEntry['label']>
  /** Replaces the default tooltip unless empty. */
  explanation: string
}

/** CHART-039: marks a chart type as featured, or as deprecated. */
export function Badge({ label, explanation }: BadgeProps) {
  const t = useTranslate()
  const isFeatured = label === 'FEATURED'
  const text = isFeatured ? t('explore.viz.featured', 'Featured') : t('explore.viz.deprecated', 'Deprecated')
  const why = isFeatured
    ? t('explore.viz.featured.why', 'One of the most used chart types')
    : t('explore.viz.deprecated.why', 'Kept for existing charts. Choose another type for new charts.')
  return (
    <Tooltip text={explanation || why}>
      <span>
        <StatusChip tone={isFeatured ? 'accent' : 'warning'}>{text}</StatusChip>
      </span>
    </Tooltip>
  )
}
