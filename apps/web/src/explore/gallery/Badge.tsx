import type { GalleryEntry } from '@parquetry/charts/gallery'
import { StatusChip, Tooltip, useTranslate } from '@parquetry/ui'

export interface BadgeProps {
  label: NonNullable<GalleryEntry['label']>
  /** In place of the usual words. */
  explanation: string
}

/** CHART-039: a chart type is among the most used, or kept for charts that have it. */
export function Badge({ label, explanation }: BadgeProps) {
  const t = useTranslate()
  const isFeatured = label === 'FEATURED'
  const words = isFeatured ? t('explore.viz.featured', 'Featured') : t('explore.viz.deprecated', 'Deprecated')
  const why = isFeatured
    ? t('explore.viz.featured.why', 'One of the most used chart types')
    : t('explore.viz.deprecated.why', 'Kept for existing charts. Choose another type for new charts.')
  return (
    <Tooltip text={explanation || why}>
      <span>
        <StatusChip tone={isFeatured ? 'accent' : 'warning'}>{words}</StatusChip>
      </span>
    </Tooltip>
  )
}
