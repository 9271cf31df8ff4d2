import type { Band } from './bands.ts'

/** Margin around a page, and gap between bands, in pixels. */
export const margin = 32
export const gap = 16

/** Returns the height of the content below a heading, up to the first band that is not text. */
function heightAfter(bands: readonly Band[], heading: number): number {
  let height = 0
  for (const band of bands.slice(heading + 1)) {
    height += band.height + gap
    if (!band.isText) break
  }
  return height
}

/**
 * Distributes bands over pages; a heading stays with the texts below it and the band after them.
 * @param begin  start of the content on the first page, in pixels from its top
 * @param end    end of the content on every page
 */
export function breakPages(bands: readonly Band[], begin: number, end: number): Band[][] {
  const pages: Band[][] = [[]]
  let y = begin
  for (const [at, band] of bands.entries()) {
    const following = band.isHeading ? heightAfter(bands, at) : 0
    const needed = Math.min(band.height + following, end - margin)
    const isFull = y + needed > end || band.startsPage
    if (isFull && (pages.at(-1) as Band[]).length > 0) {
      pages.push([])
      y = margin
    }
    ;(pages.at(-1) as Band[]).push(band)
    y += Math.min(band.height, end - margin) + gap
  }
  return pages
}
