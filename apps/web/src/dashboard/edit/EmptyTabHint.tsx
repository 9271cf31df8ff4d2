import { Button, useTranslate } from '@parquetry/ui'
import { useActions } from '../state/context.ts'
import styles from './Edit.module.css'

/** What a tab without anything says while the dashboard is edited: that things can be dropped, and the way to them by a key. */
export function EmptyTabHint({ id }: { id: string }) {
  const t = useTranslate()
  const { setAdding } = useActions()
  return (
    <div className={styles.emptyTab}>
      <p>{t('dashboard.emptyTabEdit', 'Drag charts and text here')}</p>
      <Button icon="plus" onClick={() => setAdding({ isOpen: true, into: id })}>
        {t('dashboard.emptyTabAdd', 'Add to this tab')}
      </Button>
    </div>
  )
}
