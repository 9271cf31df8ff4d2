/** Text without line breaks and control characters, for headers, subjects and names. */
export const singleLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
