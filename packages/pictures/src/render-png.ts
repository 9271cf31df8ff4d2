import { Resvg } from '@resvg/resvg-js'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { interFiles, type Fonts } from './fonts.ts'
import { outlineText } from './outlines.ts'
import type { Page } from './sheet/pages.ts'

/** Sharp on current screens. */
const scale = 2
/** Maximum number of RGBA pixels; drawing needs about three times that memory. */
const maxPixels = 40_000_000

/**
 * Renders a page as PNG with two dots per pixel, or one for a large page.
 * @throws AppError `result_too_large`
 */
export function renderPng({ svg, width, height }: Page, fonts: Fonts): Uint8Array {
  const fitting = [scale, 1].find((each) => width * height * each * each <= maxPixels)
  if (fitting === undefined)
    throw new AppError('result_too_large', {
      message: message('errors.picture.tooLargeForPng', 'This image is too large for PNG. Download it as PDF or SVG.'),
    })
  return new Resvg(outlineText(svg, fonts), {
    fitTo: { mode: 'zoom', value: fitting },
    font: { fontFiles: Object.values(interFiles), loadSystemFonts: false, defaultFontFamily: 'Inter' },
  })
    .render()
    .asPng()
}
