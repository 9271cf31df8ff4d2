import type { AnnotationLayer } from '@parquetry/model'
import { Icon, useTranslate } from '@parquetry/ui'
import type { LayerError } from '../../shared/annotations/layer-errors.ts'
import { AnnotationPopover } from './AnnotationPopover.tsx'
import { Pills } from './Pills.tsx'
import styles from './controls.module.css'

export interface AnnotationLayersControlProps {
  value: readonly unknown[]
  /** CHART-034: errors of the last response, only for layers that failed. */
  errors: readonly LayerError[]
  onChange(layers: unknown[]): void
}

const nameOf = (layer: unknown): string => {
  const { name } = (layer ?? {}) as Partial<AnnotationLayer>
  return typeof name === 'string' ? name : ''
}
const icons = { FORMULA: 'function', EVENT: 'clock', INTERVAL: 'calendar', TIME_SERIES: 'line' } as const

/** CHART-031, CHART-033: annotation layers of a chart as pills, with their errors below. */
export function AnnotationLayersControl({ value, errors, onChange }: AnnotationLayersControlProps) {
  const t = useTranslate()
  return (
    <>
      <Pills<unknown>
        items={value}
        labelOf={(layer) => {
          const name = nameOf(layer) || t('explore.layer.unnamed', 'Unnamed layer')
          const isHidden = (layer as Partial<AnnotationLayer> | null)?.show === false
          return isHidden ? t('explore.layer.hidden', '{name} (hidden)', { name }) : name
        }}
        iconOf={(layer) => icons[(layer as AnnotationLayer | null)?.annotationType ?? 'FORMULA'] ?? 'line'}
        onChange={onChange}
        addLabel={t('explore.add.layer', 'Add an annotation layer')}
        empty={t('explore.add.layer', 'Add an annotation layer')}
        editor={(layer, done, cancel) => (
          <AnnotationPopover
            layer={layer as AnnotationLayer | null}
            others={value.filter((other) => other !== layer).map(nameOf)}
            onSave={done}
            onCancel={cancel}
          />
        )}
      />
      {errors.map(({ name, error }, index) => (
        <p key={index} className={styles.layerError} role="alert">
          <Icon name="warning" />
          <span>
            <strong>{name}</strong> {error}
          </span>
        </p>
      ))}
    </>
  )
}
