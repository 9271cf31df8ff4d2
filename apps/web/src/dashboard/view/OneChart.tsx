import { IconButton, useText } from '@parquetry/ui'
import { useEffect } from 'react'
import { Slot } from '../grid/Slot.tsx'
import { useActions, useBoard } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import styles from './Dashboard.module.css'

/** One chart over the whole window: its host wanders here and back. Arrows go to the neighbours (DASH-021). */
export function OneChart({ id }: { id: string }) {
  const t = useText()
  const nodes = useBoard(({ history }) => history.present)
  const openTabs = useBoard((state) => state.openTabs)
  const { setFullSize } = useActions()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      // Arrows inside the chart walk its points.
      if (!by || event.defaultPrevented || event.target !== document.body) return
      const ids = shownCharts(nodes, openTabs).map((node) => node.id)
      const next = ids[(ids.indexOf(id) + by + ids.length) % ids.length]
      if (next !== undefined) setFullSize(next)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [id, nodes, openTabs, setFullSize])
  return (
    <div className={styles.full}>
      <IconButton
        icon="close"
        className={styles.leave}
        label={t('dashboard.leaveFullSize', 'Leave full size')}
        shortcut="Escape"
        onClick={() => setFullSize(null)}
      />
      <Slot id={id} />
    </div>
  )
}
