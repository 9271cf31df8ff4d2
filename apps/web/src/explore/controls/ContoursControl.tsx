import { Button, Field, NumberInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { Pills } from './Pills.tsx'
import { ColorControl } from './ValueControls.tsx'
import styles from './controls.module.css'

/** Contour as stored by the API: thresholds may be strings, colors may be arrays. */
interface ContourValue {
  lowerThreshold?: number | string | null
  upperThreshold?: number | string | null
  color?: unknown
  strokeWidth?: number | string | null
}

const parseNumber = (value: unknown): number | null =>
  value === null || value === undefined || value === '' || Number.isNaN(Number(value)) ? null : Number(value)

function parseColor(color: unknown): { r: number; g: number; b: number; a?: number } {
  if (!Array.isArray(color)) return { r: 49, g: 87, b: 203, ...(color as object | undefined) }
  const [r = 49, g = 87, b = 203] = color as number[]
  return { r, g, b }
}

interface ContourPopoverProps {
  value: ContourValue | null
  onSave(value: ContourValue): void
  onCancel(): void
}

function ContourPopover({ value, onSave, onCancel }: ContourPopoverProps) {
  const t = useTranslate()
  const [edited, setEdited] = useState<ContourValue>(() => value ?? { strokeWidth: 1 })
  const low = parseNumber(edited.lowerThreshold)
  const color = t('explore.contour.color', 'Color')
  const number = (key: 'lowerThreshold' | 'upperThreshold' | 'strokeWidth', label: string, help?: string) => (
    <Field label={label} help={help}>
      <NumberInput value={parseNumber(edited[key])} onChange={(next) => setEdited({ ...edited, [key]: next })} />
    </Field>
  )
  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        if (low !== null) onSave(edited)
      }}
    >
      <div className={styles.pair}>
        {number('lowerThreshold', t('explore.contour.low', 'From'))}
        {number(
          'upperThreshold',
          t('explore.contour.high', 'To'),
          t('explore.contour.line', 'Leave empty to draw a line.'),
        )}
      </div>
      {number('strokeWidth', t('explore.contour.width', 'Line width'))}
      <Field label={color} group>
        <ColorControl
          label={color}
          value={parseColor(edited.color)}
          hasOpacity
          onChange={(next) => setEdited({ ...edited, color: next })}
        />
      </Field>
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button
          variant="primary"
          type="submit"
          disabledReason={low === null ? t('explore.contour.missing', 'Enter a “From” value first') : undefined}
        >
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}

/** Contour lines at one value and bands between two values. */
export function ContoursControl({ value, onChange }: { value: readonly unknown[]; onChange(value: unknown): void }) {
  const t = useTranslate()
  return (
    <Pills<ContourValue>
      items={value as readonly ContourValue[]}
      labelOf={({ lowerThreshold, upperThreshold }) =>
        parseNumber(upperThreshold) === null
          ? t('explore.contour.at', 'Line at {low}', { low: String(lowerThreshold) })
          : t('explore.contour.between', '{low} to {high}', {
              low: String(lowerThreshold),
              high: String(upperThreshold),
            })
      }
      onChange={onChange}
      addLabel={t('explore.contour.add', 'Add a contour')}
      empty={t('explore.contour.add', 'Add a contour')}
      editor={(each, done, cancel) => <ContourPopover value={each} onSave={done} onCancel={cancel} />}
    />
  )
}
