import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import { Field, Icon, Skeleton, Tooltip, useTranslate } from '@parquetry/ui'
import { createElement, Suspense } from 'react'
import { useIsOutlined, useOutlining } from '../state/use-outlining.ts'
import { controlComponentOf } from './kinds/components.ts'
import { targetColumnOf, hasValue, isDivider, isRequired, formatEntry } from './mask.ts'
import styles from './Filters.module.css'

export interface FilterControlProps {
  filter: NativeFilter
  entry: DataMaskEntry | undefined
  /** Chosen but not applied yet. */
  isChanged: boolean
  onChange(entry: DataMaskEntry): void
  /** Charts outlined while it is hovered or focused. */
  reach?(): number[]
  /** Another number discards what was typed in the control but not applied. */
  cleared?: number
}

/** One filter of the bar: label, description and control. */
export function FilterControl(props: FilterControlProps) {
  const t = useTranslate()
  const { filter, entry, isChanged, reach = () => [], cleared } = props
  const outlining = useOutlining(reach)
  const isOutlined = useIsOutlined(filter.id)
  if (isDivider(filter)) return <Control {...props} name="" />
  const name = filter.name || targetColumnOf(filter) || ''
  const isMissing = isRequired(filter) && !hasValue(entry)
  return (
    <div className={styles.filter} data-filter={filter.id} data-outlined={isOutlined || undefined} {...outlining}>
      <Field
        label={name}
        required={isRequired(filter)}
        error={isMissing ? t('dashboard.choose', 'Choose a value for {name} to see its charts.', { name }) : undefined}
        aside={
          <>
            {filter.description && (
              <Tooltip text={filter.description}>
                <span className={styles.info} tabIndex={0} role="img" aria-label={filter.description}>
                  <Icon name="info" size={14} />
                </span>
              </Tooltip>
            )}
            {isChanged && (
              <span
                className={styles.changed}
                role="img"
                aria-label={t('dashboard.notAppliedYet', 'Changed, not applied yet')}
              />
            )}
          </>
        }
      >
        <Suspense fallback={<Skeleton height={32} />}>
          <Control key={cleared} {...props} name={name} />
        </Suspense>
      </Field>
    </div>
  )
}

function Control({ filter, entry, onChange, name }: Omit<FilterControlProps, 'reach' | 'cleared'> & { name: string }) {
  const t = useTranslate()
  const controlComponent = controlComponentOf(filter)
  if (controlComponent) return createElement(controlComponent, { filter, entry, name, onChange })
  return (
    <p className={styles.note}>
      {hasValue(entry) ? formatEntry(entry) : t('dashboard.noValue', 'No value')}
      {' · '}
      {t('dashboard.kindUnknown', 'This filter type isn’t supported.')}
    </p>
  )
}
