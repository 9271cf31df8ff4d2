import type { ComponentProps } from 'react'
import { IconButton } from '../buttons/IconButton.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { useField } from './Field.tsx'
import styles from './fields.module.css'

export interface SliderProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'min' | 'max'> {
  /** Null shows the lowest position and no number. */
  value: number | null
  /** Null when the value is cleared. */
  onChange(value: number | null): void
  min: number
  max: number
}

/** A whole number between two limits, with a button that clears it. Its label comes from `Field` or `aria-label`. */
export function Slider({ value, onChange, min, max, ...rest }: SliderProps) {
  const t = useTranslate()
  const field = useField(rest)
  return (
    <span className={styles.slider}>
      <input
        type="range"
        {...rest}
        {...field}
        min={min}
        max={max}
        value={value ?? min}
        aria-valuetext={value === null ? t('ui.slider.unset', 'Not set') : undefined}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output>{value ?? '–'}</output>
      {value !== null && (
        <IconButton icon="close" label={t('ui.field.clear', 'Clear')} onClick={() => onChange(null)} />
      )}
    </span>
  )
}
