import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Holds a file over the window, as a file manager does: until the page accepts it. */
export async function dragFile(page: Page, name: string, text: string): Promise<void> {
  await expect.poll(() => dispatch(page, 'dragover', name, text), { timeout: 30_000 }).toBe('accepted')
}

export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await dragFile(page, name, text)
  await dispatch(page, 'drop', name, text)
}

/** A page accepts an event of a drag by preventing its default. */
async function dispatch(page: Page, type: 'dragover' | 'drop', name: string, text: string) {
  return page.evaluate(
    ([event, fileName, content]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content ?? ''], fileName ?? ''))
      const drag = new DragEvent(event ?? '', { bubbles: true, cancelable: true, dataTransfer })
      return document.body.dispatchEvent(drag) ? 'ignored' : 'accepted'
    },
    [type, name, text],
  )
}
