import { createTranslator } from '@parquetry/charts/draw'
import type { Picture } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { readChartResults } from './chart-results.ts'

export { buildWorkbookSheets, type Sheet } from './workbook.ts'
import { renderPages } from './sheet/pages.ts'
import { themeOf } from './sheet/tiles.ts'

/**
 * Draws a picture without a browser.
 * @param messages  the answers of its charts, as a dashboard's stream sends them
 * @param rest      called between two charts: gives the loop back, and throws when nobody wants the picture any more
 * @throws AppError `result_too_large` for a PNG that is larger than pixels are good for
 */
export async function drawPicture(
  picture: Picture,
  messages: Uint8Array,
  rest: () => Promise<void> = async () => {},
): Promise<Uint8Array> {
  const { locale, format, fonts } = picture
  const say = createTranslator({ messages: picture.messages, locale })
  const pages = await renderPages({
    picture,
    theme: themeOf(picture),
    say,
    results: readChartResults(messages),
    yieldToEventLoop: rest,
  })
  const [page] = pages
  if (!page)
    throw new AppError('unsupported', { message: message('errors.picture.empty', 'There is nothing to draw.') })
  if (format === 'svg') return Buffer.from(page.svg)
  if (format === 'xlsx')
    throw new AppError('unsupported', {
      message: message('errors.picture.workbook', 'A workbook cannot be drawn as an image.'),
    })
  if (format === 'png') return (await import('./render-png.ts')).renderPng(page, fonts)
  return (await import('./pdf/render-pdf.ts')).renderPdf(pages, {
    title: picture.title,
    locale,
    fonts,
    yieldToEventLoop: rest,
  })
}
