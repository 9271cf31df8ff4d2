import { useTranslate } from '@parquetry/ui'
import { FrameBadge } from '../FrameBadge.tsx'
import type { LayerError } from './layer-errors.ts'
import styles from './annotations.module.css'

/** Lists the annotation layers missing from a chart, and why. */
export function LayerWarning({ errors }: { errors: readonly LayerError[] }) {
  const t = useTranslate()
  if (errors.length === 0) return null
  const label = t(
    'annotations.failed',
    '{count, plural, one {# annotation layer could not be drawn} other {# annotation layers could not be drawn}}',
    { count: errors.length },
  )
  return (
    <FrameBadge icon="warning" tone="warning" count={errors.length} label={label}>
      <ul className={styles.errors}>
        {errors.map(({ name, error }, index) => (
          <li key={index}>
            <strong>{name}</strong> {error}
          </li>
        ))}
      </ul>
    </FrameBadge>
  )
}
