import { expect, it } from 'vitest'
import { giveMemoryBack } from './idle-memory.ts'

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('gives memory back once, when the work is over, and again after more of it', async () => {
  let times = 0
  const end = giveMemoryBack({ collect: () => (times += 1), everyMs: 100, worthMs: 300 })
  try {
    for (let turn = 0; turn < 10; turn += 1) {
      work(90)
      await rest(1)
    }
    expect(times).toBe(0)
    await expect.poll(() => times).toBe(1)
    await rest(500)
    expect(times).toBe(1)
    work(400)
    await expect.poll(() => times).toBe(2)
  } finally {
    end()
  }
})

it('gives back what the start left, and leaves a server alone that has done next to nothing since', async () => {
  let times = 0
  const end = giveMemoryBack({ collect: () => (times += 1), everyMs: 20, worthMs: 60_000 })
  await expect.poll(() => times).toBe(1)
  await rest(200)
  end()
  expect(times).toBe(1)
})
