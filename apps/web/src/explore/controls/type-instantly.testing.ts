import type { Locator } from 'vitest/browser'

/** Types key after key, with no time between them however busy the machine is. */
export function typeInstantly(field: Locator, text: string): void {
  const input = field.element() as HTMLInputElement
  const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (let end = 1; end <= text.length; end++) {
    put?.call(input, text.slice(0, end))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
