import type { Page } from 'playwright-core'

/** Holds a file over the window, or drops it, as a file manager does. */
export async function dragFile(page: Page, type: 'dragover' | 'drop', name: string, text: string): Promise<void> {
  await page.evaluate(
    ([event, fileName, content]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content ?? ''], fileName ?? ''))
      document.body.dispatchEvent(new DragEvent(event ?? '', { bubbles: true, cancelable: true, dataTransfer }))
    },
    [type, name, text],
  )
}

export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await dragFile(page, 'dragover', name, text)
  await dragFile(page, 'drop', name, text)
}
