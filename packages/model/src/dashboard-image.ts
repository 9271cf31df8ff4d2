/** Supported types of dashboard images: media type -> file extension. */
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
  /** Maximum size of one image. */
  bytes: 5 << 20,
  /** Maximum total size of a dashboard's images, limited by what a bundle can hold. */
  allBytes: 40 << 20,
  files: 500,
}

/** Returns the address of an image for use in the dashboard's text. */
export const fileUrl = (id: number, hash: string, width: number | null, height: number | null): string =>
  `/api/v1/dashboard/${id}/files/${hash}${width && height ? `#${Math.round(width)}x${Math.round(height)}` : ''}`

const fileUrlPattern = /\/api\/v1\/dashboard\/([^/\s"'()<>\\]+)\/files\/([0-9a-f]{64})(?![0-9a-f])/g

/** Returns the hashes of all images referenced in a text, of any dashboard; also works for JSON. */
export const extractFileHashes = (text: string | null): Set<string> =>
  new Set([...(text ?? '').matchAll(fileUrlPattern)].map(([, , hash = '']) => hash))

/**
 * Rewrites the image references of a text for another dashboard.
 * @param hashes  hash in the text -> hash in that dashboard; other references are unchanged
 */
export const replaceFileUrls = (text: string, id: number, hashes: ReadonlyMap<string, string>): string =>
  text.replace(fileUrlPattern, (whole: string, _of: string, hash: string) => {
    const there = hashes.get(hash)
    return there === undefined ? whole : `/api/v1/dashboard/${id}/files/${there}`
  })
