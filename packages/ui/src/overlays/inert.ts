/** On an element of the body that stays in reach whatever is open: messages, and what closes by itself. */
export const aboveAllProps = { 'data-above-all': '' }

/** What each modal thing that is open found below itself. */
const pages = new Set<readonly HTMLElement[]>()
let inertElements: ReadonlySet<HTMLElement> = new Set()

/**
 * Takes everything that is in the body now out of reach, of pointers, keys and screen readers, but the part that `element`
 * stands in. What comes later floats above: menus, messages, other dialogs.
 * @returns gives it back, as far as no other that is open holds it
 */
export function makePageInert(element: Element): () => void {
  const page = [...document.body.children].filter(
    (child): child is HTMLElement =>
      child instanceof HTMLElement && !child.contains(element) && !child.hasAttribute('data-above-all'),
  )
  pages.add(page)
  apply()
  return () => {
    pages.delete(page)
    apply()
  }
}

function apply(): void {
  const next = new Set([...pages].flat())
  for (const element of inertElements) if (!next.has(element)) element.inert = false
  for (const element of next) element.inert = true
  inertElements = next
}
