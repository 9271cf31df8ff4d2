/** Whether an address leads to this server, however a browser reads it: a backslash is a slash to it, a tab nothing. */
export const isLocalUrl = (address: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(address)
