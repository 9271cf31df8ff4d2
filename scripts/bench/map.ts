import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import type { CDPSession } from 'playwright-core'
import { createServer } from 'vite'
import { launchBrowser } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'

const steps = 30

interface Profile {
  nodes: { id: number; parent?: number; callFrame: { url: string }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * A map of 200,000 points: main-thread cost of each step of a drag and of a pointer over it, by owner of the code. Our cost is
 * sampled in files of this repository; that of libraries is their work for it, without waiting for a graphics card that this
 * machine may lack.
 */
export const map: Workload = async () => {
  // Served module by module, so that each sample has an owner.
  const server = await createServer({
    root: fileURLToPath(new URL('map-page/', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    server: { port: 0, host: '127.0.0.1', hmr: false, fs: { strict: false } },
  })
  await server.listen()
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 700 } })
    await page.goto(server.resolvedUrls?.local[0] ?? '')
    const canvas = page.locator('canvas').first()
    await canvas.waitFor()
    const session = await page.context().newCDPSession(page)
    await page.evaluate(nextFrames, 30)
    const panned = await profileScript(session, async () => {
      await page.mouse.move(600, 300)
      await page.mouse.down()
      for (let step = 0; step < steps; step++) {
        await page.mouse.move(600 - step * 4, 300 - step)
        await page.evaluate(nextFrames, 1)
      }
      await page.mouse.up()
    })
    const hovered = await profileScript(session, async () => {
      for (let step = 0; step < steps; step++) {
        await page.mouse.move(300 + step * 7, 200 + step * 3)
        await page.evaluate(nextFrames, 1)
      }
    })
    return [
      {
        name: 'map of 200,000 points, dragged: our code a frame',
        unit: 'ms',
        value: panned.ours / steps,
        runs: steps,
        budget: 4,
      },
      {
        name: 'map of 200,000 points, dragged: libraries a frame',
        unit: 'ms',
        value: panned.libraries / steps,
        runs: steps,
      },
      {
        name: 'map of 200,000 points, pointed at: our code a frame',
        unit: 'ms',
        value: hovered.ours / steps,
        runs: steps,
        budget: 4,
      },
      {
        name: 'map of 200,000 points, pointed at: libraries a frame',
        unit: 'ms',
        value: hovered.libraries / steps,
        runs: steps,
      },
    ]
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Runs in the page. */
async function nextFrames(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await new Promise(requestAnimationFrame)
}

/** Milliseconds of script during an action, of our code and of packages. */
async function profileScript(
  session: CDPSession,
  act: () => Promise<void>,
): Promise<{ ours: number; libraries: number }> {
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 100 })
  await session.send('Profiler.start')
  await act()
  const { profile } = (await session.send('Profiler.stop')) as { profile: Profile }
  const urlOf = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.url]))
  const parentOf = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const owner = (id: number): string => {
    // Work of the JavaScript engine, such as garbage collection, belongs to the caller.
    for (let index: number | undefined = id; index !== undefined; index = parentOf.get(index)) {
      const url = urlOf.get(index)
      if (url) return url
    }
    return ''
  }
  let [ours, libraries] = [0, 0]
  for (const [at, id] of profile.samples.entries()) {
    const url = owner(id)
    const ms = (profile.timeDeltas[at] ?? 0) / 1000
    if (/\/node_modules\/|\.vite\/deps/.test(url)) libraries += ms
    else if (/\/packages\/|\/scripts\//.test(url)) ours += ms
  }
  return { ours, libraries }
}
