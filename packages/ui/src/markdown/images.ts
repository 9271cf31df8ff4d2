import { createElement, type ReactNode } from 'react'
import { isSafeHref } from './safe-href.ts'

/** Base for resolving addresses without a host. */
const ownOrigin = 'http://own.invalid'

/**
 * Returns the host of an image that must not be shown, with the address parsed as in a browser; undefined if it may be shown.
 * @param hosts allowed hosts in addition to our own
 */
export function findExternalHost(src: unknown, hosts: readonly string[]): string | undefined {
  const address = typeof src === 'string' ? URL.parse(src, ownOrigin) : null
  if (!address || address.origin === ownOrigin || address.host === '') return undefined
  return hosts.some((each) => each.toLowerCase() === address.host) ? undefined : address.host
}

/** Replaces an image of a foreign host: the host learns nothing about readers unless they follow the link. */
const linkTo = ({ src, alt }: Record<string, unknown>, host: string): ReactNode =>
  createElement(
    'a',
    { href: src, rel: 'noreferrer', target: '_blank' },
    typeof alt === 'string' && alt !== '' ? `${alt} (${host})` : host,
  )

/** Reads the image size from `#640x480` at the end of an address, so that space is reserved before the image loads. */
function parseImageSize(src: unknown): { width?: string | undefined; height?: string | undefined } {
  const [, width, height] = (typeof src === 'string' && /#(\d{1,5})x(\d{1,5})$/.exec(src)) || []
  return width ? { width, height } : {}
}

/**
 * Renders an image of a text, or a link if its host is not allowed.
 * @param hosts whose images are shown in addition to our own; undefined: all
 */
export function renderImage(props: Record<string, unknown>, hosts: readonly string[] | undefined): ReactNode {
  const host = hosts && findExternalHost(props['src'], hosts)
  if (host !== undefined) return linkTo(props, host)
  const size = props['width'] === undefined && props['height'] === undefined ? parseImageSize(props['src']) : {}
  return createElement('img', { ...size, ...props, loading: 'lazy', decoding: 'async' })
}

/** Matches code, which contains no images, and image addresses with the text before them. */
const imagePattern =
  /```[\s\S]*?(?:```|$)|`[^`\n]+`|(!\[[^[\]]{0,1000}\]\(|<img\s[^>]{0,2000}?\bsrc\s*=\s*["']?)([^\s"'<>)]{1,4000})/gi

/** Returns the distinct image addresses of a text with a foreign host that is not in the list. */
export const listExternalImages = (text: string, hosts: readonly string[]): string[] => [
  ...new Set(
    [...text.matchAll(imagePattern)].flatMap(([, , src]) =>
      src !== undefined && isSafeHref(src) && findExternalHost(src, hosts) !== undefined ? [src] : [],
    ),
  ),
]

/** Replaces the image addresses of a text. @param addresses  address in the text -> new address */
export const replaceImageUrls = (text: string, addresses: ReadonlyMap<string, string>): string =>
  text.replaceAll(imagePattern, (whole: string, before?: string, src?: string) => {
    const address = src === undefined ? undefined : addresses.get(src)
    return address === undefined ? whole : `${before ?? ''}${address}`
  })

/** An image as Markdown. */
export const formatMarkdownImage = (words: string, address: string): string =>
  `![${words.replaceAll(/[[\]\s]+/g, ' ').trim()}](${address})`
