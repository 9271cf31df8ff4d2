import { createPortal } from 'react-dom'
import type { Ref } from 'react'

/** A place in the window that a menu can stand beside: where it is, whatever the boxes around it contain or scroll. */
export function PointAnchor({ x, y, ref }: { x: number; y: number; ref: Ref<HTMLSpanElement> }) {
  return createPortal(<span ref={ref} style={{ position: 'fixed', left: x, top: y }} />, document.body)
}
