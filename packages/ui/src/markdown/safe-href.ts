/** Returns true for addresses of pages; scripts and data URLs are not allowed. */
export const isSafeHref = (href: string): boolean => /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i.test(href)
