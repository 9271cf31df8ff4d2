/** Attribute for elements of the body that are never made inert: toasts, and overlays that close automatically. */
export const aboveAllProps = { 'data-above-all': '' }

/** The elements that each open modal layer makes inert. */
const pages = new Set<readonly HTMLElement[]>()
let inertElements: ReadonlySet<HTMLElement> = new Set()

/**
 * Makes all current children of the body inert for pointers, keys and screen readers, except the one that contains `element`.
 * Later elements stay active: menus, toasts, other dialogs.
 * @returns releases the elements that no other open layer holds
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
