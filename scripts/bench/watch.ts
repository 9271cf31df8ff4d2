import type { BrowserContext, Page } from 'playwright-core'

/** Measurements of a page; injected into every page before its own scripts. */
interface PageWatch {
  /** Long tasks so far: start and duration in milliseconds since the navigation. */
  tasks: { at: number; ms: number }[]
  /** Last click, in milliseconds since the navigation. */
  clicked: number
  /** Milliseconds since the navigation, in the frame after the condition is first true. */
  when(condition: () => boolean): Promise<number>
  /** Time of the frame after the last of these elements stopped being busy, once all are idle for a while. */
  settled(selector: string): Promise<number>
}

declare global {
  var watch: PageWatch
}

/** @param context a context whose pages are measured */
export const watchPages = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    /** Not the timestamp of the frame, which is when it was due: a busy page misses that by dozens of milliseconds. */
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const restMs = 150
    const patienceMs = 180_000
    globalThis.watch = {
      tasks: [],
      clicked: 0,
      async when(condition) {
        const end = performance.now() + patienceMs
        while (!condition()) {
          if (performance.now() > end)
            throw new Error(`the page did not come so far: ${document.body.innerText.slice(0, 500)}`)
          await nextFrame()
        }
        await nextFrame()
        return performance.now()
      },
      settled(selector) {
        return new Promise((resolve, reject) => {
          let end = 0
          setTimeout(() => reject(new Error(`${selector} did not come to rest`)), patienceMs)
          const look = () => {
            if (document.querySelector(`${selector}[aria-busy="true"]`)) return
            void nextFrame().then(() => (end = performance.now()))
          }
          const observer = new MutationObserver(look)
          observer.observe(document.body, { subtree: true, attributeFilter: ['aria-busy'] })
          const timer = setInterval(() => {
            const isBusy = document.querySelector(`${selector}[aria-busy="true"]`) !== null
            if (isBusy || end < watch.clicked || performance.now() - end < restMs) return
            clearInterval(timer)
            observer.disconnect()
            resolve(end)
          }, 20)
        })
      },
    }
    addEventListener('click', () => (watch.clicked = performance.now()), { capture: true })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) watch.tasks.push({ at: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
  })

/** Longest task of the main thread since the navigation, 50 ms or more; 0 if there was none. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...watch.tasks.map(({ ms }) => ms)))
