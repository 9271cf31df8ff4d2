import type { ReactNode } from 'react'

/** Longer texts are no addresses that a user would open. */
const maxLength = 2000

/** Returns whether a whole text is the address of a web page. */
export const isWebAddress = (text: string): boolean =>
  text.length <= maxLength && /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text)

/**
 * A link to `address` that opens in a new tab, if the address is a web page; otherwise only the shown text.
 * @param shown  the text of the cell, which may be shortened or formatted
 */
export const linkedText = (shown: ReactNode, address: string | null): ReactNode =>
  address !== null && isWebAddress(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  ) : (
    shown
  )
