/** Addresses of web pages, and empty text. Others, such as `javascript:`, would be dangerous as links. */
export const webAddressPattern = '^([hH][tT][tT][pP][sS]?://.*)?$'

const form = new RegExp(webAddressPattern, 'u')

/** Returns an address that may be linked; null for others. */
export const webAddressOf = (address: string | null): string | null =>
  address !== null && form.test(address) ? address : null
