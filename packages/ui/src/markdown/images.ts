import { createElement, type ReactNode } from 'react'
import { isSafeHref } from './safe-href.ts'

/** Where addresses without a host lead. */
const ownOrigin = 'http://own.invalid'

/**
 * The host of an image that may not be shown, as a browser reads its address; undefined for one that may.
 * @param hosts beside our own
 */
export function findExternalHost(src: unknown, hosts: readonly string[]): string | undefined {
  const address = typeof src === 'string' ? URL.parse(src, ownOrigin) : null
  if (!address || address.origin === ownOrigin || address.host === '') return undefined
  return hosts.some((each) => each.toLowerCase() === address.host) ? undefined : address.host
}

/** What stands for a picture of a foreign host: who reads the page is not told to it unless he follows the link. */
const linkTo = ({ src, alt }: Record<string, unknown>, host: string): ReactNode =>
  createElement(
    'a',
    { href: src, rel: 'noreferrer', target: '_blank' },
    typeof alt === 'string' && alt !== '' ? `${alt} (${host})` : host,
  )

/** `#640x480` at the end of an address says how large its image is, so that there is room for it before it has come. */
function parseImageSize(src: unknown): { width?: string | undefined; height?: string | undefined } {
  const [, width, height] = (typeof src === 'string' && /#(\d{1,5})x(\d{1,5})$/.exec(src)) || []
  return width ? { width, height } : {}
}

/**
 * An image of a text, or a link where its host may not be asked.
 * @param hosts whose images are shown beside our own; undefined: all
 */
export function renderImage(props: Record<string, unknown>, hosts: readonly string[] | undefined): ReactNode {
  const host = hosts && findExternalHost(props['src'], hosts)
  if (host !== undefined) return linkTo(props, host)
  const size = props['width'] === undefined && props['height'] === undefined ? parseImageSize(props['src']) : {}
  return createElement('img', { ...size, ...props, loading: 'lazy', decoding: 'async' })
}

/** Pieces of code, in which there are no images, and addresses of images behind what stands before them. */
const imagePattern =
  /```[\s\S]*?(?:```|$)|`[^`\n]+`|(!\[[^[\]]{0,1000}\]\(|<img\s[^>]{0,2000}?\bsrc\s*=\s*["']?)([^\s"'<>)]{1,4000})/gi

/** Addresses of a text's images whose hosts are neither ours nor among these, each once. */
export const listExternalImages = (text: string, hosts: readonly string[]): string[] => [
  ...new Set(
    [...text.matchAll(imagePattern)].flatMap(([, , src]) =>
      src !== undefined && isSafeHref(src) && findExternalHost(src, hosts) !== undefined ? [src] : [],
    ),
  ),
]

/** The text with other addresses for its images. @param addresses  as they stand in the text -> the new ones */
export const replaceImageUrls = (text: string, addresses: ReadonlyMap<string, string>): string =>
  text.replaceAll(imagePattern, (whole: string, before?: string, src?: string) => {
    const address = src === undefined ? undefined : addresses.get(src)
    return address === undefined ? whole : `${before ?? ''}${address}`
  })

/** An image as Markdown. */
export const formatMarkdownImage = (words: string, address: string): string =>
  `![${words.replaceAll(/[[\]\s]+/g, ' ').trim()}](${address})`
