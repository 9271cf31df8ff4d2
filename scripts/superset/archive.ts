import { readArchive } from '@parquetry/bundle'
import { fromBufferPromise } from 'yauzl'

/** Reads the texts of an export ZIP, by path below its root folder, sorted. */
export async function readFiles(archive: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, autoClose: false })
  const files: [string, string][] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const pieces: Buffer[] = []
      for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
      files.push([entry.fileName.slice(entry.fileName.indexOf('/') + 1), Buffer.concat(pieces).toString('utf8')])
    }
  } finally {
    zip.close()
  }
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export type Documents = ReadonlyMap<string, Record<string, unknown>>

/** Reads the documents of an export ZIP, by path below its root folder, without its metadata. */
export async function readDocumentsOf(archive: Buffer): Promise<Documents> {
  return (await readArchive(archive)).files
}
