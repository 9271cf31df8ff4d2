import { createPortal } from 'react-dom'
import type { Ref } from 'react'

/** An anchor at a point of the window, for menus. Containment and scrolling of surrounding boxes do not affect it. */
export function PointAnchor({ x, y, ref }: { x: number; y: number; ref: Ref<HTMLSpanElement> }) {
  return createPortal(<span ref={ref} style={{ position: 'fixed', left: x, top: y }} />, document.body)
}
