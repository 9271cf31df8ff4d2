import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { MenuList } from './MenuList.tsx'
import { PointAnchor } from './PointAnchor.tsx'

function Menu() {
  const [point, setPoint] = useState<HTMLSpanElement | null>(null)
  return (
    <div style={{ contain: 'layout paint', marginLeft: 70, marginTop: 30, width: 300, height: 300 }}>
      <PointAnchor ref={setPoint} x={90} y={50} />
      {point && (
        <MenuList
          label="Actions"
          items={[]}
          anchor={() => point}
          placement="bottom-start"
          focusFirst={false}
          onClose={() => undefined}
        />
      )}
    </div>
  )
}

it('regression: a menu opens at the pointer inside a box with layout containment', async () => {
  await show(<Menu />)
  const menu = page.getByRole('menu', { name: 'Actions' })
  await expect.element(menu).toBeVisible()
  const { left, top } = menu.element().getBoundingClientRect()
  expect(left).toBeCloseTo(90, 0)
  expect(top).toBeGreaterThanOrEqual(50)
  expect(top).toBeLessThan(62)
})
