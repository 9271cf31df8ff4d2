import type { ImageType } from '@parquetry/model'

export interface Raster {
  media_type: ImageType
  width: number
  height: number
}

type Size = { width: number; height: number }
const matchesAt = (bytes: Buffer, text: string, index = 0): boolean =>
  bytes.toString('latin1', index, index + text.length) === text

/**
 * Reads the marker segments of a JPEG up to its frame, which contains the size; EXIF before it may rotate the image by a quarter
 * turn.
 */
function readJpegSize(bytes: Buffer): Size | undefined {
  let isRotated = false
  for (let index = 2; index + 9 < bytes.length;) {
    if (bytes[index] !== 0xff) return undefined
    const marker = bytes[index + 1] ?? 0
    if (marker === 0xff) {
      index += 1
      continue
    }
    const length = bytes.readUInt16BE(index + 2)
    if (marker === 0xe1 && matchesAt(bytes, 'Exif\0\0', index + 4))
      isRotated = hasRotatedOrientation(bytes.subarray(index + 10, index + 2 + length))
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(index + 5), bytes.readUInt16BE(index + 7)]
      return isRotated ? { width: height, height: width } : { width, height }
    }
    index += 2 + length
  }
  return undefined
}

/** EXIF orientations 5 to 8 are rotated by a quarter turn. */
function hasRotatedOrientation(exif: Buffer): boolean {
  if (exif.length < 8) return false
  const isLittle = matchesAt(exif, 'II')
  const readUint16 = (index: number) => (isLittle ? exif.readUInt16LE(index) : exif.readUInt16BE(index))
  const first = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (first + 2 > exif.length) return false
  const entries = readUint16(first)
  for (let n = 0; n < entries; n++) {
    const at = first + 2 + n * 12
    if (at + 12 > exif.length) return false
    if (readUint16(at) === 0x0112) return readUint16(at + 8) >= 5
  }
  return false
}

function readWebpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  if (matchesAt(bytes, 'VP8X', 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (matchesAt(bytes, 'VP8L', 12)) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (matchesAt(bytes, 'VP8 ', 12))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return undefined
}

/** `ispe` boxes contain the sizes, one for each image in the file; the largest image is the one shown. */
function readAvifSize(bytes: Buffer): Size | undefined {
  let found: Size | undefined
  const head = bytes.subarray(0, 64 << 10)
  for (
    let index = head.indexOf('ispe');
    index >= 0 && index + 16 <= head.length;
    index = head.indexOf('ispe', index + 4)
  ) {
    const size = { width: head.readUInt32BE(index + 8), height: head.readUInt32BE(index + 12) }
    if (!found || size.width * size.height > found.width * found.height) found = size
  }
  return found
}

function sizeAs(type: ImageType, bytes: Buffer): Size | undefined {
  if (type === 'image/png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (type === 'image/gif') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (type === 'image/jpeg') return readJpegSize(bytes)
  return type === 'image/webp' ? readWebpSize(bytes) : readAvifSize(bytes)
}

function detectType(bytes: Buffer): ImageType | undefined {
  if (matchesAt(bytes, '\x89PNG\r\n\x1a\n') && matchesAt(bytes, 'IHDR', 12)) return 'image/png'
  if (matchesAt(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (matchesAt(bytes, 'GIF87a') || matchesAt(bytes, 'GIF89a')) return 'image/gif'
  if (matchesAt(bytes, 'RIFF') && matchesAt(bytes, 'WEBP', 8)) return 'image/webp'
  if (matchesAt(bytes, 'ftypavif', 4) || matchesAt(bytes, 'ftypavis', 4)) return 'image/avif'
  return undefined
}

/** Detects type and size of an image from its bytes; undefined for anything but the raster formats that browsers show. */
export function detectRaster(bytes: Buffer): Raster | undefined {
  const media_type = bytes.length < 26 ? undefined : detectType(bytes)
  const size = media_type && sizeAs(media_type, bytes)
  return media_type && size && size.width > 0 && size.height > 0 ? { media_type, ...size } : undefined
}
