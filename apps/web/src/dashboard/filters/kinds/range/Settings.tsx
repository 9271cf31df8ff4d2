import { Segmented, useText } from '@parquetry/ui'
import type { SettingsProps } from '../kind.ts'
import { withSetting } from '../settings.ts'
import { modeOf, settingOfMode, type RangeMode } from './range.ts'

export default function RangeSettings({ filter, onChange }: SettingsProps) {
  const t = useText()
  const label = t('dashboard.rangeMode', 'Range bounds')
  return (
    <Segmented<RangeMode>
      value={modeOf(filter.controlValues?.enableSingleValue)}
      onChange={(mode) =>
        onChange({
          ...withSetting(filter, 'enableSingleValue', settingOfMode(mode)),
          // A default of two ends is none of one.
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
