import { makePageInert, IconButton, trapTab, useTranslate } from '@parquetry/ui'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { ChartHostSlot } from '../grid/ChartHostSlot.tsx'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { shownCharts } from '../state/tabs.ts'
import styles from './Dashboard.module.css'

/**
 * Shows one chart over the whole window by moving its host here and back. Arrow keys go to its neighbors (DASH-021). The page
 * behind is inert; on close the focus returns to where it was, or to the menu of the last chart shown.
 */
export function FullSizeChart({ id }: { id: string }) {
  const t = useTranslate()
  const nodes = useDashboardState(({ history }) => history.present)
  const openTabs = useDashboardState((state) => state.openTabs)
  const { setFullSize } = useActions()
  const { hosts } = useDashboard()
  const panel = useRef<HTMLDivElement>(null)
  const leave = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      // Arrow keys inside the chart move between its points.
      const isFree = event.target === document.body || event.target === panel.current || event.target === leave.current
      if (!by || event.defaultPrevented || !isFree) return
      const ids = shownCharts(nodes, openTabs).map((node) => node.id)
      const next = ids[(ids.indexOf(id) + by + ids.length) % ids.length]
      if (next !== undefined) setFullSize(next)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [id, nodes, openTabs, setFullSize])

  const came = useRef({ id, from: document.activeElement })
  const goBack = useEffectEvent(() => {
    const menu = hosts.of(id).querySelector<HTMLElement>('[aria-haspopup="menu"]')
    const { from } = came.current
    const isSame = came.current.id === id && from instanceof HTMLElement && from !== document.body
    // The host must be back in the page first: an element that moves loses the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) (isSame && from.isConnected ? from : menu)?.focus()
    })
  })
  useLayoutEffect(() => {
    if (!panel.current) return undefined
    const giveBack = makePageInert(panel.current)
    leave.current?.focus()
    return () => {
      giveBack()
      goBack()
    }
  }, [])

  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps Tab inside, as dialogs do
    <div
      ref={panel}
      role="dialog"
      aria-modal="true"
      aria-label={t('dashboard.fullSize', 'Full size')}
      tabIndex={-1}
      className={styles.full}
      onKeyDown={trapTab}
    >
      <IconButton
        ref={leave}
        icon="close"
        className={styles.leave}
        label={t('dashboard.leaveFullSize', 'Exit full size')}
        shortcut="Escape"
        onClick={() => setFullSize(null)}
      />
      <ChartHostSlot key={id} id={id} />
    </div>,
    document.body,
  )
}
