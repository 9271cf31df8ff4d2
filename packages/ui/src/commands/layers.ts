import { useEffect, useEffectEvent, useMemo } from 'react'

interface Layer {
  /** Increases with each opened layer. A list that opens together with the dialog around it gets the higher number. */
  order: number
  /** Blocks the shortcuts of lower layers: true for dialogs, false for menus. */
  modal: boolean
  escape: () => void
}

/** From the lowest to the topmost. */
const layers: Layer[] = []
let lastOrder = 0

/** Number of open modal layers. Commands declared at another depth ignore their keys. */
export const modalDepth = (): number => layers.filter((layer) => layer.modal).length

// In the capture phase, so that Esc closes only the topmost layer and never reaches those below.
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

/** Puts a menu, popover or dialog on top while it is open; Esc calls only the `escape` of the topmost one. */
export function useOverlayLayer(open: boolean, escape: () => void, modal = false): void {
  const close = useEffectEvent(escape)
  // Assigned during rendering, where parents come first: effects of a child run before those of its parent.
  const order = useMemo(() => (open ? ++lastOrder : 0), [open])
  useEffect(() => {
    if (!open) return
    const layer: Layer = { order, modal, escape: () => close() }
    layers.push(layer)
    layers.sort((a, b) => a.order - b.order)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [open, modal, order])
}
