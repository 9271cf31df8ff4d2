import { Checkbox, useTranslate } from '@parquetry/ui'
import { isMultiple } from '../../mask.ts'
import type { KindSettingsProps } from '../kind.ts'
import { withSetting } from '../settings.ts'

export default function GroupBySettings({ filter, onChange }: KindSettingsProps) {
  const t = useTranslate()
  return (
    <Checkbox
      checked={isMultiple(filter)}
      onChange={(on) => onChange(withSetting(filter, 'multiSelect', on))}
      label={t('dashboard.severalColumns', 'Allow multiple columns')}
    />
  )
}
