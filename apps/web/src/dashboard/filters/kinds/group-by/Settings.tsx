import { Checkbox, useText } from '@parquetry/ui'
import { isMultiple } from '../../mask.ts'
import type { SettingsProps } from '../kind.ts'
import { withSetting } from '../settings.ts'

export default function GroupBySettings({ filter, onChange }: SettingsProps) {
  const t = useText()
  return (
    <Checkbox
      checked={isMultiple(filter)}
      onChange={(on) => onChange(withSetting(filter, 'multiSelect', on))}
      label={t('dashboard.severalColumns', 'Allow multiple columns')}
    />
  )
}
