/**
 * Locks scrolling of the page and keeps its width by reserving the space of the scroll bar.
 * @returns unlocks scrolling
 */
export function lockScroll(): () => void {
  const page = document.documentElement.style
  const body = document.body.style
  const before = { gutter: page.scrollbarGutter, overflow: body.overflow }
  if (window.innerWidth > document.documentElement.clientWidth) page.scrollbarGutter = 'stable'
  body.overflow = 'hidden'
  return () => {
    page.scrollbarGutter = before.gutter
    body.overflow = before.overflow
  }
}
