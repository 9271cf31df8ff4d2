import { SegmentedControl, useTranslate } from '@parquetry/ui'
import type { KindSettingsProps } from '../kind.ts'
import { withSetting } from '../settings.ts'
import { readRangeMode, toSingleValueSetting, type RangeMode } from './range.ts'

export default function RangeSettings({ filter, onChange }: KindSettingsProps) {
  const t = useTranslate()
  const label = t('dashboard.rangeMode', 'Range bounds')
  return (
    <SegmentedControl<RangeMode>
      value={readRangeMode(filter.controlValues?.enableSingleValue)}
      onChange={(mode) =>
        onChange({
          ...withSetting(filter, 'enableSingleValue', toSingleValueSetting(mode)),
          // A default with two ends does not fit a single value.
          defaultDataMask: { extraFormData: {}, filterState: {} },
        })
      }
      label={label}
      options={[
        { value: 'range', label: t('dashboard.rangeBoth', 'Range') },
        { value: 'min', label: t('dashboard.rangeMin', 'Minimum') },
        { value: 'max', label: t('dashboard.rangeMax', 'Maximum') },
        { value: 'exact', label: t('dashboard.rangeExactMode', 'Exact value') },
      ]}
    />
  )
}
