import type { ReportFile } from '@parquetry/model'
import { buffer } from 'node:stream/consumers'
import { safeFileName } from './file-name.ts'

/** Returns a ZIP archive of the files. Equal names get a number. */
export async function zipFiles(files: readonly ReportFile[]): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const used = new Set<string>()
  for (const file of files) {
    const name = uniqueName(safeFileName(file.name), used)
    // Pictures, PDF files and workbooks are compressed already.
    zip.addBuffer(Buffer.from(file.bytes), name, { compress: file.media_type.startsWith('text/') })
  }
  zip.end()
  return buffer(zip.outputStream)
}

function uniqueName(name: string, used: Set<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let unique = name
  for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${stem} (${number})${extension}`
  used.add(unique.toLowerCase())
  return unique
}
