/** Kinds of images that a dashboard keeps, by media type, with the ending of their names. */
export const imageTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
} as const
export type ImageType = keyof typeof imageTypes

export const imageLimits = {
  /** Of one image. */
  bytes: 5 << 20,
  /** Of all images of one dashboard together: as much as a bundle holds. */
  allBytes: 40 << 20,
  files: 500,
}

/** Address of an image for the text of its dashboard. */
export const fileUrl = (id: number, hash: string, width: number | null, height: number | null): string =>
  `/api/v1/dashboard/${id}/files/${hash}${width && height ? `#${Math.round(width)}x${Math.round(height)}` : ''}`

const fileUrlPattern = /\/api\/v1\/dashboard\/([^/\s"'()<>\\]+)\/files\/([0-9a-f]{64})(?![0-9a-f])/g

/** Hashes of the images that a text names, whichever dashboard they are of; also in JSON. */
export const extractFileHashes = (text: string | null): Set<string> =>
  new Set([...(text ?? '').matchAll(fileUrlPattern)].map(([, , hash = '']) => hash))

/**
 * A text that is of another dashboard now: its images are found there.
 * @param hashes  hash in the text -> hash there; images that are not in it are left as they are
 */
export const replaceFileUrls = (text: string, id: number, hashes: ReadonlyMap<string, string>): string =>
  text.replace(fileUrlPattern, (whole: string, _of: string, hash: string) => {
    const there = hashes.get(hash)
    return there === undefined ? whole : `/api/v1/dashboard/${id}/files/${there}`
  })
