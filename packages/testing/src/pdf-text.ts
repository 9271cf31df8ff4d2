import { inflateSync } from 'node:zlib'

/**
 * Returns the text of each page of a PDF that pdfkit wrote, one line per piece of text in the order of drawing. It is what a reader can
 * search and copy: glyphs are read by the table that the file has for it.
 */
export function readPdfText(bytes: Uint8Array): string[] {
  const objects = readObjects(Buffer.from(bytes).toString('latin1'))
  return listPages(objects).map((page) => readPage(page, objects))
}

interface PdfObject {
  dictionary: string
  stream: string
}

function readObjects(file: string): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>()
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, dictionary = body, raw] = /^([\s\S]*?)\nstream\n([\s\S]*)\nendstream$/.exec(body) ?? []
    const isDeflated = dictionary.includes('/FlateDecode') && !dictionary.includes('/Image')
    const stream =
      raw === undefined ? '' : isDeflated ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw
    objects.set(id, { dictionary, stream })
  }
  return objects
}

const reference = (dictionary: string, key: string): string | undefined =>
  new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1]

function listPages(objects: Map<string, PdfObject>): string[] {
  const tree = [...objects.values()].find(({ dictionary }) => dictionary.includes('/Type /Pages'))
  const kids = /\/Kids \[([^\]]*)\]/.exec(tree?.dictionary ?? '')?.[1] ?? ''
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => id!)
}

function readPage(id: string, objects: Map<string, PdfObject>): string {
  const { dictionary = '' } = objects.get(id) ?? {}
  const resources = objects.get(reference(dictionary, 'Resources') ?? '')?.dictionary ?? dictionary
  const listed = /\/Font <<([\s\S]*?)>>/.exec(resources)?.[1] ?? ''
  const tables = new Map(
    [...listed.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, font]) => [name!, readTable(font!, objects)]),
  )
  const { stream = '' } = objects.get(reference(dictionary, 'Contents') ?? '') ?? {}
  const lines: string[] = []
  let table = new Map<string, string>()
  for (const [, font, shown] of stream.matchAll(/\/(\w+) [\d.]+ Tf|(\[[^\]]*\]|<[\da-f]*>) TJ/gi)) {
    if (font !== undefined) table = tables.get(font) ?? new Map()
    else {
      const glyphs = [...shown!.matchAll(/<([\da-f]*)>/gi)].flatMap(
        ([, hex]) => hex!.toLowerCase().match(/.{4}/g) ?? [],
      )
      lines.push(glyphs.map((glyph) => table.get(glyph) ?? '\uFFFD').join(''))
    }
  }
  return lines.join('\n')
}

/** Text by glyph, from the `ToUnicode` table of a font. */
function readTable(font: string, objects: Map<string, PdfObject>): Map<string, string> {
  const { stream = '' } = objects.get(reference(objects.get(font)?.dictionary ?? '', 'ToUnicode') ?? '') ?? {}
  const table = new Map<string, string>()
  for (const [, from = '', , list = ''] of stream.matchAll(/<([\da-f]{4})>\s*<([\da-f]{4})>\s*\[([^\]]*)\]/gi))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\da-f\s]*)>/gi)].entries()) {
      const glyph = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0')
      const units = hex.replaceAll(/\s/g, '').match(/.{4}/g) ?? []
      table.set(glyph, String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))))
    }
  return table
}
