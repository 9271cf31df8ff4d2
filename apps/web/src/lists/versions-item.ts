import type { MenuItem, Translate } from '@parquetry/ui'

/** Menu item of a row that opens its versions. */
export const versionsItem = (t: Translate, onSelect: () => void): MenuItem => ({
  label: t('history.versions', 'Versions'),
  icon: 'history',
  onSelect,
})
