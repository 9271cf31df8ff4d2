/** Returns true if an address stays on this server in every browser: browsers treat a backslash as a slash and ignore tabs. */
export const isLocalUrl = (address: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(address)
