import { useEffect, useEffectEvent, useMemo } from 'react'

interface Layer {
  /** Grows with each layer that opens. A dialog and the list that opens inside it at once have theirs in this order. */
  order: number
  /** Keeps the keys of what lies below from working: dialogs do, menus do not. */
  modal: boolean
  escape: () => void
}

/** From the lowest to the topmost. */
const layers: Layer[] = []
let lastOrder = 0

/** How many modal things are open. A command declared with another depth does not answer to keys. */
export const modalDepth = (): number => layers.filter((layer) => layer.modal).length

// In the capture phase, so that Esc closes the topmost thing only and never reaches what lies below it.
window.addEventListener(
  'keydown',
  (event) => {
    const top = layers.at(-1)
    if (event.key !== 'Escape' || event.isComposing || !top) return
    if (event.target instanceof Element && event.target.closest('[data-keeps-escape]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    top.escape()
  },
  { capture: true },
)

/** Puts a menu, popover or dialog on top while it is open; Esc calls `escape` of the topmost one alone. */
export function useOverlayLayer(open: boolean, escape: () => void, modal = false): void {
  const close = useEffectEvent(escape)
  // Taken while rendering, where parents come first: effects of a child run before those of its parent.
  const order = useMemo(() => (open ? ++lastOrder : 0), [open])
  useEffect(() => {
    if (!open) return
    const layer: Layer = { order, modal, escape: () => close() }
    layers.push(layer)
    layers.sort((a, b) => a.order - b.order)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [open, modal, order])
}
