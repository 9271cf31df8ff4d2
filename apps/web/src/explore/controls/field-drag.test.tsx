import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boot } from '../../shared/boot.ts'
import { fieldDragProps, fieldDropProps, type FieldKind } from './field-drag.ts'
import { showControl } from './with-queries.testing.tsx'

const dropped = vi.fn<(name: string, kind: FieldKind) => void>()
beforeEach(() => void dropped.mockClear())

const Fields = () => (
  <>
    <button type="button" {...fieldDragProps('metric', 'revenue')}>
      Revenue
    </button>
    <button type="button" {...fieldDragProps('time', 'day')}>
      Day
    </button>
    <div style={{ marginTop: 60, padding: 20 }} {...fieldDropProps(['metric'], dropped)}>
      Metrics
    </div>
    <div style={{ marginTop: 60, padding: 20 }} {...fieldDropProps(['column', 'time'], dropped)}>
      Dimensions
    </div>
  </>
)

it.each([true, false])(
  'PERM-036: with drag and drop %s, fields can be dragged only to slots that accept them, or not at all',
  async (isOn) => {
    boot.common.feature_flags['ENABLE_EXPLORE_DRAG_AND_DROP'] = isOn
    await showControl(<Fields />)
    const drag = (field: string, slot: string) =>
      userEvent.dragAndDrop(page.getByRole('button', { name: field }), page.getByText(slot))
    await drag('Revenue', 'Metrics')
    await drag('Day', 'Metrics')
    await drag('Revenue', 'Dimensions')
    await drag('Day', 'Dimensions')
    const drops = dropped.mock.calls.map(([name, kind]) => [name, kind])
    expect(drops).toEqual(
      isOn
        ? [
            ['revenue', 'metric'],
            ['day', 'time'],
          ]
        : [],
    )
    expect(document.documentElement.dataset['dragged']).toBeUndefined()
    delete boot.common.feature_flags['ENABLE_EXPLORE_DRAG_AND_DROP']
  },
)
