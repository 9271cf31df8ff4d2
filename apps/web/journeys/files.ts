import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Holds a file over the window, as a file manager does: until the page accepts it. */
export async function dragFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await expect.poll(() => dispatch(page, 'dragover', name, content), { timeout: 30_000 }).toBe('accepted')
}

export async function dropFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await dragFile(page, name, content)
  await dispatch(page, 'drop', name, content)
}

/** A page accepts an event of a drag by preventing its default. */
async function dispatch(page: Page, type: 'dragover' | 'drop', name: string, content: string | Buffer) {
  return page.evaluate(
    ([event = '', fileName = '', base64 = '']) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], fileName))
      const drag = new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer })
      return document.body.dispatchEvent(drag) ? 'ignored' : 'accepted'
    },
    [type, name, Buffer.from(content).toString('base64')],
  )
}
