import { closeSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Entry } from 'yauzl'

/** Contents of the entries of an archive. */
interface ArchiveContents {
  /** Unpacks an entry, and checks that it has the declared size and sum. @throws Error when it is damaged */
  read(entry: Entry): Buffer
  close(): void
}

/** The archive is read in pieces of this size, since most entries follow one another. */
const pieceBytes = 1 << 20

const stored = 0
const deflated = 8

const headerBytes = 30
const headerSignature = 0x04034b50
const nameLengthAt = 26
const extraLengthAt = 28

/**
 * Opens the contents of an archive whose directory was read. Entries are unpacked without streams: an archive has thousands of small
 * ones, and a stream for each takes several times as long.
 */
export function openContents(packed: Buffer | string): ArchiveContents {
  const { readBytes, close } = typeof packed === 'string' ? openFile(packed) : openBytes(packed)
  return {
    read(entry) {
      const header = readBytes(entry.relativeOffsetOfLocalHeader, headerBytes)
      if (header.readUInt32LE(0) !== headerSignature) throw new Error('An entry of the archive has no header')
      const start =
        entry.relativeOffsetOfLocalHeader +
        headerBytes +
        header.readUInt16LE(nameLengthAt) +
        header.readUInt16LE(extraLengthAt)
      const bytes = unpack(entry, readBytes(start, entry.compressedSize))
      if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
        throw new Error('An entry of the archive is damaged')
      return bytes
    },
    close,
  }
}

function unpack({ compressionMethod, uncompressedSize }: Entry, bytes: Buffer): Buffer {
  if (compressionMethod === stored) return bytes
  if (compressionMethod === deflated) return inflateRawSync(bytes, { maxOutputLength: Math.max(1, uncompressedSize) })
  throw new Error(`An entry of the archive is compressed with method ${compressionMethod}`)
}

function openBytes(packed: Buffer) {
  const readBytes = (offset: number, length: number): Buffer => {
    if (offset + length > packed.length) throw new Error('The archive is incomplete')
    return packed.subarray(offset, offset + length)
  }
  return { readBytes, close: () => {} }
}

function openFile(path: string) {
  const file = openSync(path, 'r')
  let piece: Buffer = Buffer.alloc(0)
  let pieceOffset = 0
  const readBytes = (offset: number, length: number): Buffer => {
    if (offset < pieceOffset || offset + length > pieceOffset + piece.length) {
      const wanted = Buffer.alloc(Math.max(length, pieceBytes))
      piece = wanted.subarray(0, readSync(file, wanted, 0, wanted.length, offset))
      pieceOffset = offset
      if (piece.length < length) throw new Error('The archive is incomplete')
    }
    return piece.subarray(offset - pieceOffset, offset - pieceOffset + length)
  }
  return { readBytes, close: () => closeSync(file) }
}
