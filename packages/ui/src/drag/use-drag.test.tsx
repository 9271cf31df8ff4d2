import { useRef } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mouse } from '../mouse.testing.ts'
import { show } from '../show.testing.tsx'
import { dragHandle, dropZone, useDrag, type DragEvents, type DragPoint } from './use-drag.ts'

/** Events in order; moves are reported once per frame and distinguished by their drop zones. */
const log: string[] = []
const clicked = vi.fn()
const formatZones = ({ zones }: DragPoint) => zones.map(({ id }) => id).join(' < ')
const events: DragEvents = {
  start: (id) => log.push(`start ${id}`),
  over: (_, point) => log.at(-1) !== `over ${formatZones(point)}` && log.push(`over ${formatZones(point)}`),
  drop: (id, point) => log.push(`drop ${id} on ${formatZones(point)}`),
  cancel: (id) => log.push(`cancel ${id}`),
  pickUp: (id) => log.push(`pick up ${id}`),
  key: (id, key) => log.push(`${id} ${key}`),
  putDown: (id) => log.push(`put down ${id}`),
}
beforeEach(() => {
  log.length = 0
  clicked.mockClear()
})

function Board({ isOn = true }) {
  const root = useRef<HTMLDivElement>(null)
  useDrag(root, root, isOn ? events : null)
  return (
    <div ref={root} style={{ height: 700 }}>
      <button type="button" {...dragHandle('tile')} onClick={clicked}>
        Move the tile
      </button>
      <button type="button" {...dragHandle('other')}>
        Move the other
      </button>
      <div {...dropZone('row')} style={{ padding: 40, margin: 100 }}>
        <p {...dropZone('column')}>Mine (this window)</p>
      </div>
    </div>
  )
}
const handle = page.getByRole('button', { name: 'Move the tile' })
const here = page.getByText('Mine (this window)')
const center = (element: Element) => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

it('regression: drags from the first pointer move, even outside the handle, and drops on nested zones, innermost first, without a click', async () => {
  await show(<Board />)
  await userEvent.dragAndDrop(handle, here)
  expect(log.at(0)).toBe('start tile')
  expect(log).toContain('over column < row')
  expect(log.at(-1)).toBe('drop tile on column < row')
  expect(clicked).not.toHaveBeenCalled()
})

it('treats a press without movement as a click', async () => {
  await show(<Board />)
  const { x, y } = center(handle.element())
  await mouse.down(x, y)
  await mouse.move(x + 2, y + 2)
  await mouse.up(x + 2, y + 2)
  expect(log).toEqual([])
  expect(clicked).toHaveBeenCalledOnce()
})

it('reverts on Escape while dragging', async () => {
  await show(<Board />)
  const [from, to] = [center(handle.element()), center(here.element())]
  await mouse.down(from.x, from.y)
  await mouse.move(to.x, to.y)
  await expect.poll(() => log.at(-1)).toBe('over column < row')
  await userEvent.keyboard('{Escape}')
  await mouse.up(to.x, to.y)
  expect(log.at(-1)).toBe('cancel tile')
})

it('by keyboard: Space picks up, arrows move, Shift-arrows resize, Enter drops', async () => {
  await show(<Board />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}')
  await userEvent.keyboard(' {ArrowRight}{ArrowUp}{Shift>}{ArrowLeft}{ArrowDown}{/Shift}{Enter}')
  expect(log).toEqual(['pick up tile', 'tile right', 'tile up', 'tile narrower', 'tile higher', 'put down tile'])
  await expect.element(handle).toHaveFocus()
})

it('by keyboard: Escape and Tab cancel, the pointer drops', async () => {
  await show(<Board />)
  await userEvent.tab()
  await userEvent.keyboard(' {Escape}')
  await userEvent.keyboard(' {Tab}')
  await expect.element(page.getByRole('button', { name: 'Move the other' })).toHaveFocus()
  await userEvent.keyboard(' ')
  await here.click()
  expect(log).toEqual(['pick up tile', 'cancel tile', 'pick up tile', 'cancel tile', 'pick up other', 'put down other'])
})

it('regression: keeps the focus moved by a Tab right after Space', async () => {
  await show(<Board />)
  const other = page.getByRole('button', { name: 'Move the other' })
  for (const key of [' ', 'Tab']) handle.element().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  other.element().focus()
  await new Promise(requestAnimationFrame)
  await expect.element(other).toHaveFocus()
})

it('does nothing while disabled', async () => {
  await show(<Board isOn={false} />)
  await userEvent.dragAndDrop(handle, here)
  await userEvent.keyboard(' ')
  expect(log).toEqual([])
})

it('prevents text selection only while dragging', async () => {
  await show(<Board />)
  const mayBegin = () => here.element().dispatchEvent(new Event('selectstart', { bubbles: true, cancelable: true }))
  const [from, to] = [center(handle.element()), center(here.element())]
  await mouse.down(from.x, from.y)
  await mouse.move(to.x, to.y)
  expect(mayBegin()).toBe(false)
  await mouse.up(to.x, to.y)
  expect(mayBegin()).toBe(true)
})
