import { schemes } from '@parquetry/charts'
import { Icon, Popover, useText } from '@parquetry/ui'
import { useState } from 'react'
import styles from './controls.module.css'

export interface SchemeControlProps {
  value: string
  onChange(id: string): void
  /** Name of the control. */
  label: string
}

/** A colour scheme, each shown by its first colours. */
export function SchemeControl({ value, onChange, label }: SchemeControlProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const chosen = schemes.find(({ id }) => id === value)
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={label}
      width="target"
      anchor={
        <button type="button" className={styles.scheme} onClick={() => setOpen((now) => !now)}>
          <span>{chosen?.label ?? value}</span>
          {chosen && <Swatches colors={chosen.colors} />}
          <Icon name="chevron-down" />
        </button>
      }
    >
      <div role="radiogroup" aria-label={label} className={styles.schemes}>
        {schemes.map(({ id, label: words, colors }) => (
          <label key={id} className={styles.schemeRow}>
            <input type="radio" name="scheme" checked={id === value} onChange={() => onChange(id)} />
            <span>
              {id === 'parquetry' ? t('explore.scheme.safe', '{name} (color-blind-safe)', { name: words }) : words}
            </span>
            <Swatches colors={colors} />
          </label>
        ))}
      </div>
    </Popover>
  )
}

function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <span className={styles.swatches} aria-hidden="true">
      {colors.slice(0, 8).map((color, at) => (
        <i key={at} style={{ background: color }} />
      ))}
    </span>
  )
}
