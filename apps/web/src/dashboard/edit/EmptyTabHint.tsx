import { Button, useTranslate } from '@parquetry/ui'
import { useActions } from '../state/context.ts'
import styles from './Edit.module.css'

/** Hint in an empty tab while editing: items can be dropped here or added with a button. */
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
