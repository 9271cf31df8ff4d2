import { Button, Dialog, useTranslate } from '@parquetry/ui'
import type { TabConflict } from '../persistence/merge.ts'
import { syncedFields } from '../persistence/tab-state.ts'
import type { Lab } from '../lab.ts'
import { changeTab } from '../tabs.ts'
import styles from './TabConflictDialog.module.css'

/** Shows both texts of a tab; neither is discarded until the user chooses. */
export function TabConflictDialog({ lab, conflict: { tabId, theirs, base } }: { lab: Lab; conflict: TabConflict }) {
  const t = useTranslate()
  const mine = lab.store.getState().queryEditors.find(({ id }) => id === tabId)
  if (!mine) return null
  const keepMine = (): void => {
    lab.persistence.syncState(tabId).base = base
    lab.resolveConflict(tabId, true)
  }
  const takeTheirs = (): void => {
    const memory = lab.persistence.syncState(tabId)
    memory.base = base
    memory.dirty.clear()
    const part = Object.fromEntries(syncedFields.map((field) => [field, theirs[field]]))
    lab.persistence.adopt('server', (state) => changeTab(state, tabId, part))
    lab.resolveConflict(tabId, false)
  }
  const both = (): void => {
    const { sql, dbId, catalog, schema, queryLimit, templateParams } = mine
    lab.open({
      name: t('sqllab.open.copy', 'Copy of {name}', { name: mine.name }),
      sql,
      dbId,
      catalog,
      schema,
      queryLimit,
      templateParams,
    })
    takeTheirs()
  }
  return (
    <Dialog
      open
      blocking
      width={960}
      role="alertdialog"
      title={t('sqllab.conflict.title', '{name} was changed in two places', { name: mine.name })}
      onClose={() => undefined}
      onSubmit={both}
      footer={
        <>
          <Button onClick={takeTheirs}>{t('sqllab.conflict.theirs', 'Keep theirs')}</Button>
          <Button onClick={keepMine}>{t('sqllab.conflict.mine', 'Keep mine')}</Button>
          <Button variant="primary" type="submit" data-autofocus>
            {t('sqllab.conflict.both', 'Keep both')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          'sqllab.conflict.text',
          'This tab was also edited in another window or browser. “Keep both” opens your version as a copy in a new tab.',
        )}
      </p>
      <div className={styles.sides}>
        <section>
          <h3>{t('sqllab.conflict.here', 'Mine (this window)')}</h3>
          <pre tabIndex={0}>{mine.sql}</pre>
        </section>
        <section>
          <h3>{t('sqllab.conflict.there', 'Theirs (elsewhere)')}</h3>
          <pre tabIndex={0}>{theirs.sql}</pre>
        </section>
      </div>
    </Dialog>
  )
}
