import type { Page } from 'playwright-core'
import { intercept } from './browser.ts'

/** Steps and locators that several journeys through SQL Lab share. Each works on `page` unless another page is given. */
export function sqllabTools(page: Page) {
  const editor = (on = page) => on.locator('.cm-content')
  const tabList = (on = page) => on.getByRole('tablist', { name: 'Query tabs' })
  const results = () => page.getByRole('region', { name: 'Results' })

  /** Replaces the text of the editor. */
  async function write(sql: string, on = page): Promise<void> {
    await editor(on).click()
    await on.keyboard.press('Control+a')
    if (sql === '') await on.keyboard.press('Delete')
    else await on.keyboard.insertText(sql)
    await on.keyboard.press('Escape')
  }

  return {
    editor,
    tabList,
    results,
    write,

    /** The text of the editor, or the placeholder of an empty one, whose line ends in a break. */
    text: async (on = page) => (await editor(on).innerText()).replace(/^(.*SELECT \.\.\.)\n$/s, '$1'),

    /** The names of the tabs, without their marks for running and unsaved queries. */
    tabNames: async (on = page) =>
      (await tabList(on).getByRole('tab').allTextContents()).map((text) =>
        text.replace(/ ?•.*$/, '').replace(/^running: /, ''),
      ),

    activeTab: (on = page) => tabList(on).getByRole('tab', { selected: true }),

    /** The line above a result: number of rows, time and limit. */
    resultSummary: () => results().getByRole('status').first(),

    grid: () => page.getByRole('grid', { name: 'Result', exact: true }),

    resultTab: (name: string | RegExp) => results().getByRole('tab', { name, exact: true }),

    message: (text: string | RegExp, on = page) => on.getByText(text).first(),

    /** The tabs as the server stores them for the user of the page. */
    storedTabs: async (on = page) =>
      on.evaluate(async () => {
        const { result } = await (await fetch('/api/v1/sqllab/')).json()
        return result as { tab_state_ids: { id: number; label: string }[]; active_tab: { sql: string } | null }
      }),

    /** Replaces the text of the editor and presses the keys that run it. */
    async run(sql: string, keys = 'Control+Enter'): Promise<void> {
      await write(sql)
      await page.keyboard.press(keys)
    },

    async chooseMenuItem(button: string, item: string | RegExp): Promise<void> {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    },

    /** Answers every matching call with an error while `during` runs. */
    async withFailure(pattern: string | RegExp, method: string, status: number, during: () => Promise<void>) {
      await intercept(page, pattern, async (route) =>
        route.request().method() === method
          ? route.fulfill({ status, contentType: 'application/json', body: '{"message": "no room"}' })
          : route.fallback(),
      )
      try {
        await during()
      } finally {
        await page.unroute(pattern)
      }
    },
  }
}
