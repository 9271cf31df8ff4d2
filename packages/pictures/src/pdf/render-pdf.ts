import PDFDocument from 'pdfkit'
import type { Fonts } from '../fonts.ts'
import type { Page } from '../sheet/pages.ts'
import { drawSvg } from './draw-svg.ts'
import { parseSvg } from './svg-tree.ts'

interface PdfOptions {
  title: string
  locale: string
  fonts: Fonts
  yieldToEventLoop(): Promise<void>
}

/** Writes pages as a PDF: graphics as vectors, texts as searchable text that can be copied. */
export async function renderPdf(
  pages: readonly Page[],
  { title, locale, fonts, yieldToEventLoop }: PdfOptions,
): Promise<Uint8Array> {
  const doc = new PDFDocument({
    autoFirstPage: false,
    lang: locale,
    displayTitle: true,
    info: { Title: title, Creator: 'Parquetry' },
  })
  const parts: Uint8Array[] = []
  const isWhole = new Promise<void>((resolve, reject) => {
    doc.on('data', (part: Uint8Array) => void parts.push(part))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  // Items of the outline by level; an item belongs to the last one of the level above it.
  const outline: PDFKit.PDFOutline[] = [doc.outline]
  for (const { svg, width, height, points, links = [], marks = [] } of pages) {
    await yieldToEventLoop()
    doc.addPage({ size: [width * points, height * points], margin: 0 })
    doc.save().scale(points)
    drawSvg(parseSvg(svg), doc, fonts)
    for (const { x, y, width: across, height: down, entry } of links) doc.goTo(x, y, across, down, `entry-${entry}`)
    doc.restore()
    for (const { title: name, level, y, entry } of marks) {
      doc.addNamedDestination(`entry-${entry}`, 'XYZ', 0, y * points, null as unknown as number)
      const depth = Math.min(level, outline.length - 1)
      outline.length = depth + 1
      outline.push(outline[depth]!.addItem(name, { expanded: depth === 0 }))
    }
  }
  doc.end()
  await isWhole
  return Buffer.concat(parts)
}
