import { Button, Dialog, useText } from '@parquetry/ui'
import type { Conflict } from '../keep/merge.ts'
import { keptFields } from '../keep/tab-state.ts'
import type { Lab } from '../lab.ts'
import { changeTab } from '../tabs.ts'
import styles from './ConflictDialog.module.css'

/** One tab, two texts: both are shown, and none goes before somebody chose. */
export function ConflictDialog({ lab, conflict: { tabId, theirs, base } }: { lab: Lab; conflict: Conflict }) {
  const t = useText()
  const mine = lab.store.getState().queryEditors.find(({ id }) => id === tabId)
  if (!mine) return null
  const keepMine = (): void => {
    lab.keeper.memory(tabId).base = base
    lab.settle(tabId, true)
  }
  const takeTheirs = (): void => {
    const memory = lab.keeper.memory(tabId)
    memory.base = base
    memory.dirty.clear()
    const part = Object.fromEntries(keptFields.map((field) => [field, theirs[field]]))
    lab.keeper.adopt('server', (state) => changeTab(state, tabId, part))
    lab.settle(tabId, false)
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
