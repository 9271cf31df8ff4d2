/** Only addresses that lead to pages: no scripts, no data. */
export const isSafeHref = (href: string): boolean => /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i.test(href)
