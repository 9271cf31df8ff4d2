import { createTranslator } from '@parquetry/charts/draw'
import type { Picture } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { readChartResults } from './chart-results.ts'

export { buildWorkbook, type CoverCell, type Sheet, type Workbook } from './workbook/workbook.ts'
export type { NativeChart } from './workbook/native-chart.ts'
export { listTableFiles } from './table-files.ts'
export { renderTextTables } from './text-tables.ts'
import { renderPages } from './sheet/pages.ts'
import { themeOf } from './sheet/tiles.ts'

/**
 * Draws an image without a browser.
 * @param messages  results of its charts, in the format of a dashboard's stream
 * @param rest      called between charts: yields to the event loop, and throws when the image is no longer needed
 * @throws AppError `result_too_large` for a PNG with too many pixels
 */
export async function drawPicture(
  picture: Picture,
  messages: Uint8Array,
  rest: () => Promise<void> = async () => {},
): Promise<Uint8Array> {
  const { locale, format } = picture
  const say = createTranslator({ messages: picture.messages, locale })
  // A browser draws an SVG with its own fonts.
  const fonts = format === 'svg' ? null : new (await import('./fonts.ts')).Fonts(picture.fonts)
  const pages = await renderPages({
    picture,
    theme: themeOf(picture),
    say,
    results: readChartResults(messages),
    cutTables: new Map(),
    yieldToEventLoop: rest,
    lacksFonts: (svg) => fonts?.lacksGlyphs(svg) ?? false,
  })
  const [page] = pages
  if (!page)
    throw new AppError('unsupported', { message: message('errors.picture.empty', 'There is nothing to draw.') })
  if (!fonts) return Buffer.from(page.svg)
  if (format !== 'png' && format !== 'pdf')
    throw new AppError('unsupported', {
      message: message('errors.picture.notAnImage', 'A table cannot be drawn as an image.'),
    })
  if (format === 'png') return (await import('./render-png.ts')).renderPng(page, fonts)
  return (await import('./pdf/render-pdf.ts')).renderPdf(pages, {
    title: picture.title,
    locale,
    fonts,
    yieldToEventLoop: rest,
  })
}
