import type { MenuItem, Translate } from '@parquetry/ui'

/** Entry of a row's menu. */
export const versionsItem = (t: Translate, onSelect: () => void): MenuItem => ({
  label: t('history.versions', 'Versions'),
  icon: 'history',
  onSelect,
})
