import { useEffect, useEffectEvent } from 'react'

interface Layer {
  /** Keeps the keys of what lies below from working: dialogs do, menus do not. */
  modal: boolean
  escape: () => void
}

const layers: Layer[] = []

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
export function useLayer(open: boolean, escape: () => void, modal = false): void {
  const close = useEffectEvent(escape)
  useEffect(() => {
    if (!open) return
    const layer: Layer = { modal, escape: () => close() }
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [open, modal])
}
