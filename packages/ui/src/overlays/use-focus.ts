import { useLayoutEffect, type KeyboardEvent, type RefObject } from 'react'
import { makePageInert } from './inert.ts'

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]):not([type=hidden]), select:not([disabled]), textarea:not([disabled]), [contenteditable=true], [tabindex]'

/** Returns the elements inside a container that Tab reaches, in order. */
export const listTabbable = (container: Element): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  )

/**
 * Moves the focus inside when the element appears: to `data-autofocus`, else the first field, else the element itself, and later
 * to a `data-autofocus` that is loaded afterwards. Restores the focus when it disappears.
 * @param modal  makes the page behind it inert meanwhile
 */
export function useFocusScope(container: RefObject<HTMLElement | null>, take: boolean, modal = false): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = container.current
    if (!element) return
    const late = new MutationObserver(() => {
      const wished = element.querySelector<HTMLElement>('[data-autofocus]')
      if (!wished) return
      late.disconnect()
      if (document.activeElement === element) wished.focus()
    })
    if (take && !element.contains(before)) {
      const wished = element.querySelector<HTMLElement>('[data-autofocus]')
      const field = listTabbable(element).find((one) => one.matches('input, select, textarea'))
      ;(wished ?? field ?? element).focus()
      if (!wished && !field) late.observe(element, { childList: true, subtree: true })
    }
    // The focus must leave the page before it becomes inert, and can only return after it is active again.
    const giveBack = modal ? makePageInert(element) : undefined
    return () => {
      late.disconnect()
      giveBack?.()
      const now = document.activeElement
      const isLost = now === null || now === document.body || element.contains(now)
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [container, take, modal])
}

/** Traps Tab inside: wraps from the last element to the first and back. */
export function trapTab(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab') return
  const container = event.currentTarget
  // The key belongs to an element floating above, which handles it.
  if (!(event.target instanceof Node) || !container.contains(event.target)) return
  const inside = listTabbable(container)
  const first = inside[0]
  const last = inside.at(-1)
  const { activeElement } = document
  const leaves = event.shiftKey ? activeElement === first || activeElement === container : activeElement === last
  if (!leaves && inside.length > 0) return
  event.preventDefault()
  ;(event.shiftKey ? last : first)?.focus()
}
