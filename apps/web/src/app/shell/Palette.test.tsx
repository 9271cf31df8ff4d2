import { useCommand } from '@parquetry/ui'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { showControl } from '../../explore/controls/with-queries.testing.tsx'
import { Palette } from './Palette.tsx'

function Page({ name }: { name: string }) {
  useCommand({ id: `app.go.${name}`, label: name, group: 'go', run: () => undefined })
  return null
}

it('regression: lists every page before anything is typed', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ count: 0, result: [] }))
  const names = [...'ABCDEFGHIJKL'].map((letter) => `Page ${letter}`)
  await showControl(
    <>
      {names.map((name) => (
        <Page key={name} name={name} />
      ))}
      <Palette onClose={() => undefined} />
    </>,
  )
  for (const name of names) await expect.element(page.getByRole('option', { name })).toBeInTheDocument()
  vi.restoreAllMocks()
})
