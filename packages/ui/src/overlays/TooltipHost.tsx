import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { KeyHint } from '../commands/KeyHint.tsx'
import { currentTip, hideTip, cancelHideTip, subscribeTip } from './tips.ts'
import styles from './Tooltip.module.css'

const gap = 6
const margin = 8

/** Places the tooltip below its anchor, or above if there is not enough space, always inside the window. */
function computeTipPosition(anchor: DOMRect, tip: DOMRect): { left: number; top: number } {
  const below = anchor.bottom + gap
  const top = below + tip.height > innerHeight - margin ? anchor.top - gap - tip.height : below
  const left = anchor.left + anchor.width / 2 - tip.width / 2
  return { top: Math.max(margin, top), left: Math.min(Math.max(margin, left), innerWidth - margin - tip.width) }
}

export function TooltipHost() {
  const tip = useSyncExternalStore(subscribeTip, currentTip)
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState({ left: 0, top: 0 })

  useLayoutEffect(() => {
    if (tip && box.current)
      setAt(computeTipPosition(tip.anchor.getBoundingClientRect(), box.current.getBoundingClientRect()))
  }, [tip])

  useEffect(() => {
    if (!tip) return
    const hide = () => hideTip(0)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    // Removing an anchor from the page fires no event.
    const watch = new MutationObserver(() => tip.anchor.checkVisibility() || hide())
    watch.observe(document.body, { childList: true, subtree: true })
    addEventListener('keydown', onKey, { capture: true })
    addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      watch.disconnect()
      removeEventListener('keydown', onKey, { capture: true })
      removeEventListener('scroll', hide, { capture: true })
    }
  }, [tip])

  if (!tip) return null
  return createPortal(
    <div
      ref={box}
      role="tooltip"
      className={styles.tip}
      style={at}
      onPointerEnter={cancelHideTip}
      onPointerLeave={() => hideTip()}
    >
      {tip.text}
      {tip.shortcut && <KeyHint shortcut={tip.shortcut} />}
    </div>,
    document.body,
  )
}
