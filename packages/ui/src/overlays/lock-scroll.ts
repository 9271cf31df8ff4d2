/**
 * The page stays where it is, and as wide: the place of its scroll bar is kept while the bar is away.
 * @returns lets it scroll again
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
