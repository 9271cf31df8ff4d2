import { rampColor, ramps } from '@parquetry/charts'
import { Icon, Popover, Swatches, useTranslate, useTheme } from '@parquetry/ui'
import { useId, useState } from 'react'
import { useColorSchemes, type ColorSchemeOption } from '../../shared/use-color-schemes.ts'
import styles from './controls.module.css'

export interface SchemeControlProps {
  value: string
  onChange(id: string): void
  label: string
}

/** Categorical color schemes, each previewed by its first colors in the current theme. */
export function SchemeControl(props: SchemeControlProps) {
  return <Schemes {...props} offered={useColorSchemes()} shown={8} />
}

/** CTRL-112. */
const previewColors = 10

/** Sequential color schemes from low to high, previewed in the current theme. */
export function LinearSchemeControl(props: SchemeControlProps) {
  const theme = useTheme()
  const offered = Object.entries(ramps).map(([id, { label }]) => ({
    id,
    label,
    colors: Array.from({ length: previewColors }, (_, index) => rampColor(id, index / (previewColors - 1), theme)),
  }))
  return <Schemes {...props} offered={offered} shown={previewColors} />
}

interface SchemesProps extends SchemeControlProps {
  offered: readonly ColorSchemeOption[]
  /** Number of preview colors per scheme. */
  shown: number
}

function Schemes({ value, onChange, label, offered, shown }: SchemesProps) {
  const t = useTranslate()
  const name = useId()
  const [open, setOpen] = useState(false)
  const chosen = offered.find(({ id }) => id === value)
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={label}
      width="target"
      anchor={
        <button type="button" className={styles.scheme} onClick={() => setOpen((now) => !now)}>
          <span>{chosen?.label ?? value}</span>
          {chosen && <Swatches colors={chosen.colors.slice(0, shown)} />}
          <Icon name="chevron-down" />
        </button>
      }
    >
      <div role="radiogroup" aria-label={label} className={styles.schemes}>
        {offered.map(({ id, label: schemeLabel, colors }) => (
          <label key={id} className={styles.schemeRow}>
            <input type="radio" name={name} checked={id === value} onChange={() => onChange(id)} />
            <span>
              {id === 'parquetry'
                ? t('explore.scheme.safe', '{name} (color-blind-safe)', { name: schemeLabel })
                : schemeLabel}
            </span>
            <Swatches colors={colors.slice(0, shown)} />
          </label>
        ))}
      </div>
    </Popover>
  )
}
