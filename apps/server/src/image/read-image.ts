import { AppError, imageLimits, message, type ImageType } from '@parquetry/model'
import { hash } from 'node:crypto'
import { sanitizeSvg } from './sanitize-svg.ts'
import { detectRaster } from './raster.ts'

/** An image as stored: its type is detected from its bytes, and an SVG contains nothing that runs or fetches. */
export interface Image {
  hash: string
  media_type: ImageType
  width: number | null
  height: number | null
  bytes: Buffer
}

export const tooLarge = (): AppError =>
  new AppError('too_large', { message: message('errors.image.tooLarge', 'The image is larger than 5 MB.') })

const noImage = (): AppError =>
  new AppError('unprocessable', {
    message: message(
      'errors.image.format',
      'This file is not a supported image. Use PNG, JPEG, GIF, WebP, AVIF or SVG.',
    ),
  })

/** Maximum number of pixels: a browser holds four bytes for each, regardless of the file size. */
const maxPixels = 50_000_000

/** @throws AppError `too_large`, `unprocessable` for bytes that are not an image */
export async function readImage(bytes: Buffer): Promise<Image> {
  if (bytes.length > imageLimits.bytes) throw tooLarge()
  const raster = detectRaster(bytes)
  if (raster) {
    if (raster.width * raster.height > maxPixels)
      throw new AppError('unprocessable', {
        message: message('errors.image.pixels', 'The image has more than 50 million pixels.'),
      })
    return { ...raster, bytes, hash: hash('sha256', bytes, 'hex') }
  }
  const svg = await sanitizeSvg(decodeText(bytes))
  if (!svg) throw noImage()
  const clean = Buffer.from(svg.text)
  if (clean.length > imageLimits.bytes) throw tooLarge()
  const { width, height } = svg
  return { media_type: 'image/svg+xml', width, height, bytes: clean, hash: hash('sha256', clean, 'hex') }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw noImage()
  }
}
