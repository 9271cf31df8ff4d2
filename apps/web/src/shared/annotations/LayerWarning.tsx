import { Icon, Popover, useText } from '@parquetry/ui'
import { useState } from 'react'
import type { LayerError } from './layer-errors.ts'
import styles from './annotations.module.css'

/** ⚠N in a chart's frame: which of its annotation layers are missing from the picture, and why. */
export function LayerWarning({ errors }: { errors: readonly LayerError[] }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  if (errors.length === 0) return null
  const label = t(
    'annotations.failed',
    '{count, plural, one {# annotation layer could not be drawn} other {# annotation layers could not be drawn}}',
    { count: errors.length },
  )
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={label}
      width={280}
      placement="bottom-end"
      anchor={
        <button type="button" className={styles.warning} aria-label={label} onClick={() => setOpen(!open)}>
          <Icon name="warning" size={14} />
          <span>{errors.length}</span>
        </button>
      }
    >
      <ul className={styles.errors}>
        {errors.map(({ name, error }, at) => (
          <li key={at}>
            <strong>{name}</strong> {error}
          </li>
        ))}
      </ul>
    </Popover>
  )
}
