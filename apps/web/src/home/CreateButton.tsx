import { Button, Menu, useNavigation, useText } from '@parquetry/ui'
import { creations } from '../shared/places.ts'

export function CreateButton() {
  const t = useText()
  const { go } = useNavigation()
  const made = creations(t)
  if (made.length === 0) return null
  return (
    <Menu
      align="end"
      label={t('app.create.menu', 'Create')}
      items={made.map(({ label, icon, href }) => ({ label, icon, onSelect: () => go(href) }))}
    >
      <Button variant="primary" icon="plus" iconRight="chevron-down">
        {t('app.create.menu', 'Create')}
      </Button>
    </Menu>
  )
}
