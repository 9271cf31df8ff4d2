import type { Band } from './bands.ts'

/** Around a page, and between bands, in pixels. */
export const margin = 32
export const gap = 16

/** Of what a heading heads, up to the first band that is no text. */
function heightAfter(bands: readonly Band[], heading: number): number {
  let height = 0
  for (const band of bands.slice(heading + 1)) {
    height += band.height + gap
    if (!band.isText) break
  }
  return height
}

/**
 * Bands by pages; a heading stays with what it heads: the texts below it and what comes after them.
 * @param begin  where the first page has room, in pixels from its top
 * @param end    where every page ends
 */
export function breakPages(bands: readonly Band[], begin: number, end: number): Band[][] {
  const pages: Band[][] = [[]]
  let y = begin
  for (const [at, band] of bands.entries()) {
    const following = band.isHeading ? heightAfter(bands, at) : 0
    const needed = Math.min(band.height + following, end - margin)
    if (y + needed > end && (pages.at(-1) as Band[]).length > 0) {
      pages.push([])
      y = margin
    }
    ;(pages.at(-1) as Band[]).push(band)
    y += Math.min(band.height, end - margin) + gap
  }
  return pages
}
