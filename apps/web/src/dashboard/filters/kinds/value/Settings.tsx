import { Checkbox, Field, Select, useTranslate } from '@parquetry/ui'
import { nullsLeftOutText } from '../../../../shared/filter-operators.ts'
import { useDashboard } from '../../../state/context.ts'
import { targetDatasetOf, isInverse, isMultiple } from '../../mask.ts'
import type { KindSettingsProps } from '../kind.ts'
import { withSetting } from '../settings.ts'
import styles from '../../FilterConfig.module.css'

type Order = 'frequency' | 'up' | 'down'

export default function ValueSettings({ filter, onChange }: KindSettingsProps) {
  const t = useTranslate()
  const { datasets } = useDashboard()
  const { controlValues = {}, sortMetric } = filter
  const set = (name: string) => (on: boolean) => onChange(withSetting(filter, name, on))
  const metrics = datasets.find(({ id }) => id === targetDatasetOf(filter))?.metrics ?? []
  const hasMetric = typeof sortMetric === 'string' && sortMetric !== ''
  const ascending = controlValues.sortAscending
  const order: Order = typeof ascending === 'boolean' ? (ascending ? 'up' : 'down') : hasMetric ? 'down' : 'frequency'
  const orders: { value: Order; label: string }[] = hasMetric
    ? [
        { value: 'down', label: t('dashboard.greatestFirst', 'Highest first') },
        { value: 'up', label: t('dashboard.leastFirst', 'Lowest first') },
      ]
    : [
        { value: 'frequency', label: t('dashboard.mostFrequentFirst', 'Most frequent first') },
        { value: 'up', label: t('dashboard.aToZ', 'A to Z') },
        { value: 'down', label: t('dashboard.zToA', 'Z to A') },
      ]
  return (
    <>
      <Checkbox
        checked={isMultiple(filter)}
        onChange={(on) =>
          // A default with several values does not fit a single value.
          onChange({
            ...withSetting(filter, 'multiSelect', on),
            defaultDataMask: { extraFormData: {}, filterState: {} },
          })
        }
        label={t('dashboard.multiple', 'Allow multiple values')}
      />
      <Checkbox
        checked={isInverse(filter)}
        onChange={(on) =>
          onChange({
            ...withSetting(filter, 'inverseSelection', on),
            defaultDataMask: { extraFormData: {}, filterState: {} },
          })
        }
        label={t('dashboard.inverse', 'Exclude selected values')}
        help={isInverse(filter) ? nullsLeftOutText(t) : undefined}
      />
      <Checkbox
        checked={controlValues.creatable !== false}
        onChange={set('creatable')}
        label={t('dashboard.creatable', 'Allow values that aren’t in the list')}
      />
      <Checkbox
        checked={controlValues.defaultToFirstItem === true}
        onChange={set('defaultToFirstItem')}
        label={t('dashboard.firstItem', 'Select first value by default')}
      />
      <div className={styles.two}>
        <Field label={t('dashboard.valueOrder', 'Sort order')}>
          <Select<Order>
            value={order}
            onChange={(next) =>
              onChange(withSetting(filter, 'sortAscending', next === 'up' || (next === 'down' ? false : undefined)))
            }
            options={orders}
          />
        </Field>
        {metrics.length > 0 && (
          <Field label={t('dashboard.sortMetric', 'Sort by metric')}>
            <Select<string>
              value={typeof sortMetric === 'string' ? sortMetric : null}
              clearable
              placeholder={t('dashboard.noMetric', 'None')}
              onChange={(metric) =>
                onChange({
                  ...withSetting(filter, 'sortAscending', metric === null ? undefined : false),
                  sortMetric: metric,
                })
              }
              options={metrics.map(({ metric_name, verbose_name }) => ({
                value: metric_name,
                label: verbose_name || metric_name,
              }))}
            />
          </Field>
        )}
      </div>
    </>
  )
}
