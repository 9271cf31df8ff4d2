import type { PictureLayout } from '@parquetry/model'
import { margin } from './break-pages.ts'

/** Size of the pages of a dashboard, in CSS pixels. */
export interface Paper {
  contentWidth: number
  width: number
  /** Height of a page; an image without pages is as long as its content. */
  height: number
  /** Points per pixel. */
  points: number
}

/** A4 in points. */
const [shortSide, longSide] = [595.28, 841.89]
/** Content is about as wide as on a screen, so that it looks the same. */
const contentWidths = { landscape: 1200, portrait: 840 } as const
const widest = 4000

export function choosePaper({ orientation = 'landscape', width: wanted }: PictureLayout, isPaper: boolean): Paper {
  const isPortrait = orientation === 'portrait'
  const [across, down] = isPortrait ? [shortSide, longSide] : [longSide, shortSide]
  const usual = contentWidths[isPaper ? orientation : 'landscape']
  const contentWidth = isPaper || wanted === undefined ? usual : Math.min(widest, Math.max(320, wanted)) - 2 * margin
  const width = contentWidth + 2 * margin
  return { contentWidth, width, height: Math.floor((width * down) / across), points: across / width }
}
