import { Button, Menu, useNavigation, useTranslate } from '@parquetry/ui'
import { listCreateActions } from '../shared/nav-entries.ts'

export function CreateButton() {
  const t = useTranslate()
  const { go } = useNavigation()
  const createActions = listCreateActions(t)
  if (createActions.length === 0) return null
  return (
    <Menu
      align="end"
      label={t('app.create.menu', 'Create')}
      items={createActions.map(({ label, icon, href }) => ({ label, icon, onSelect: () => go(href) }))}
    >
      <Button variant="primary" icon="plus" iconRight="chevron-down">
        {t('app.create.menu', 'Create')}
      </Button>
    </Menu>
  )
}
