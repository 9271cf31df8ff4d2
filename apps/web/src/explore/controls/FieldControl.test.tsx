import { buildFieldGroups, schemeOf, type ChartForm } from '@parquetry/charts'
import { control, type Control } from '@parquetry/charts/define'
import Type, { type TSchema } from 'typebox'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ExploreDataset } from '../use-explore.ts'
import { FieldControl } from './FieldControl.tsx'
import { MetricPopover } from './MetricPopover.tsx'
import { SchemeNote } from './SchemeNote.tsx'
import { TimeColumnPopover } from './TimeColumnPopover.tsx'
import { typeInstantly } from './type-instantly.testing.ts'
import { showControl } from './with-queries.testing.tsx'

const dataset = {
  columns: [{ column_name: 'city' }],
  metrics: [],
  verbose_map: {},
  time_grain_sqla: [],
} as unknown as ExploreDataset
const onChange = vi.fn<(value: unknown) => void>()
beforeEach(() => void onChange.mockClear())

/** One control of a form that stores its changes. */
function Panel({
  schema,
  options,
  initialForm,
}: {
  schema: TSchema
  options: Partial<Control>
  initialForm: ChartForm
}) {
  const [form, setForm] = useState(initialForm)
  const all = Type.Object({ own: control(schema, { label: 'Own', group: 'look', ...options }) })
  const [field] = buildFieldGroups(all, form).flatMap(({ fields }) => fields)
  if (!field) return null
  const change = (own: unknown) => {
    onChange(own)
    setForm({ own })
  }
  return (
    <>
      <FieldControl field={field} form={form} dataset={dataset} onChange={change} />
      <button type="button">Elsewhere</button>
      <output aria-label="Stored value">{JSON.stringify(form['own'])}</output>
    </>
  )
}
const showPanel = (schema: TSchema, options: Partial<Control> = {}, own?: unknown) =>
  showControl(<Panel schema={schema} options={options} initialForm={{ own }} />)
const storedValue = page.getByRole('status', { name: 'Stored value' })

it('CTRL-009: a control of an unknown kind is not shown, and the console names the kind', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await showPanel(Type.Optional(Type.String()), { as: 'hologram' as never })
  await expect.element(page.getByText('Own')).not.toBeInTheDocument()
  expect(warn).toHaveBeenCalledWith('Unknown controlType: hologram')
  warn.mockRestore()
})

describe('CTRL-010: filters that must stay', () => {
  const range = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'day', operator: 'TEMPORAL_RANGE' }
  const other = { expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'delay > 1' }
  const remove = (name: string) => page.getByRole('button', { name: new RegExp(`^Remove ${name}`) })
  const warning = page.getByRole('alertdialog', { name: 'Warning' })
  const filters = Type.Optional(Type.Array(Type.Unknown()))

  it('the last temporal filter is kept, and a dialog says why', async () => {
    await showPanel(filters, { as: 'filters' }, [range, other])
    await remove('day').click()
    await expect.element(warning.getByText(/^Dashboards apply their time range to this filter/)).toBeVisible()
    await warning.getByRole('button', { name: 'Close' }).last().click()
    await expect.element(warning).not.toBeInTheDocument()
    expect(onChange).not.toHaveBeenCalled()
    await remove('delay > 1').click()
    expect(onChange).toHaveBeenCalledWith([range])
  })

  it('one of two temporal filters can be removed', async () => {
    const second = { ...range, subject: 'arrival' }
    await showPanel(filters, { as: 'filters' }, [range, second])
    await remove('day').click()
    expect(onChange).toHaveBeenCalledWith([second])
  })
})

describe('numbers', () => {
  const field = page.getByRole('spinbutton', { name: 'Own' })

  it('CTRL-029: reports the typed value once, 300 ms after the last key', async () => {
    await showPanel(Type.Optional(Type.Integer()))
    const since = performance.now()
    typeInstantly(field, '1200')
    await expect.element(storedValue).toHaveTextContent('1200')
    expect(performance.now() - since).toBeGreaterThanOrEqual(300)
    expect(onChange.mock.calls).toEqual([[1200]])
  })

  it.each([
    ['Enter', () => userEvent.keyboard('{Enter}')],
    ['a shortcut', () => userEvent.keyboard('{Control>}')],
    ['leaving the field', () => userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))],
  ])('%s reports the value immediately', async (_, end) => {
    await showPanel(Type.Optional(Type.Integer()))
    await userEvent.click(field)
    await userEvent.keyboard('7')
    await end()
    expect(onChange.mock.calls).toEqual([[7]])
  })

  it('unmounting a field reports the pending value', async () => {
    const { unmount } = await showPanel(Type.Optional(Type.Integer()))
    await userEvent.click(field)
    await userEvent.keyboard('7')
    await unmount()
    expect(onChange.mock.calls).toEqual([[7]])
  })

  it('CTRL-027: an integer field reports only numbers, and rounds on blur', async () => {
    await showPanel(Type.Optional(Type.Integer({ minimum: 0 })))
    await userEvent.click(field)
    await userEvent.keyboard('x')
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    expect(onChange).not.toHaveBeenCalled()
    await userEvent.click(field)
    await userEvent.keyboard('2.6')
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    await expect.element(storedValue).toHaveTextContent('3')
  })

  it('CTRL-027: a decimal field reports only numbers, and keeps decimals on blur', async () => {
    await showPanel(Type.Optional(Type.Number()))
    await userEvent.click(field)
    await userEvent.keyboard('x')
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    expect(onChange).not.toHaveBeenCalled()
    await userEvent.click(field)
    await userEvent.keyboard('2.6')
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    await expect.element(storedValue).toHaveTextContent('2.6')
  })
})

describe('bounds', () => {
  const lowest = page.getByRole('spinbutton', { name: 'Minimum' })
  const highest = page.getByRole('spinbutton', { name: 'Maximum' })
  const bounds = Type.Array(Type.Union([Type.Number(), Type.Null()]), { default: [null, null] })

  const fields = [
    ['lowest', lowest, '[null,9]'],
    ['highest', highest, '[5,null]'],
  ] as const
  it.each(fields)('CTRL-030: non-numeric input becomes null: the %s', async (_, field, stored) => {
    await showPanel(bounds, { as: 'bounds' }, [5, 9])
    await userEvent.tripleClick(field)
    await userEvent.keyboard('ten')
    await expect.element(storedValue).toHaveTextContent(stored)
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    await expect.element(field).toHaveValue('')
  })

  it('CTRL-031: reports both bounds once, 300 ms after the last key', async () => {
    await showPanel(bounds, { as: 'bounds' }, [null, 9])
    typeInstantly(lowest, '-12')
    await expect.element(storedValue).toHaveTextContent('[-12,9]')
    expect(onChange.mock.calls).toEqual([[[-12, 9]]])
  })
})

it('CTRL-003: a value outside the choices is dropped, unless the control accepts free text', async () => {
  const choices = Type.Union([Type.Literal('top'), Type.Literal('left')], { default: 'top' })
  const all = Type.Object({ own: control(choices, { label: 'Own', group: 'look' }) })
  const effectiveValue = (own: unknown) => buildFieldGroups(all, { own })[0]?.fields[0]?.effective
  expect([effectiveValue('left'), effectiveValue('middle')]).toEqual(['left', 'top'])
  await showPanel(Type.Optional(Type.String()), { presets: [['a', 'A']] }, 'b')
  await expect.element(page.getByRole('combobox', { name: 'Own' })).toHaveValue('b')
})

it('CTRL-032: an unreadable order is reported and preserved', async () => {
  const order = Type.Array(Type.Unknown(), { default: [] })
  await showPanel(order, { as: 'order-by' }, ['["city",true]', 'city up'])
  await expect.element(page.getByText('Found invalid orderby options')).toBeVisible()
  await expect.element(page.getByText('city, ascending')).toBeVisible()
  expect(onChange).not.toHaveBeenCalled()
})

it('a readable order shows no error', async () => {
  await showPanel(Type.Array(Type.Unknown(), { default: [] }), { as: 'order-by' }, ['["city",false]'])
  await expect.element(page.getByText('city, descending')).toBeVisible()
  expect(page.getByText('Found invalid orderby options').elements()).toEqual([])
})

it('CTRL-109: a color is stored as red, green, blue and opacity', async () => {
  await showPanel(Type.Unknown({ default: { r: 0, g: 122, b: 135, a: 0.5 } }), { as: 'color' })
  const field = page.getByRole('textbox', { name: 'Own' }).element() as HTMLInputElement
  expect(field.value).toBe('#007a87')
  await page.getByRole('textbox', { name: 'Own' }).fill('#ff8000')
  expect(onChange).toHaveBeenLastCalledWith({ r: 255, g: 128, b: 0, a: 0.5 })
})

it('CTRL-033: clamps the opacity of a color between 0 and 1', async () => {
  await showPanel(Type.Unknown({ default: { r: 0, g: 122, b: 135, a: 0.5 } }), { as: 'color', hasOpacity: true })
  const opacity = page.getByRole('spinbutton', { name: 'Opacity of Own' })
  for (const [text, a] of [
    ['1.5', 1],
    ['-1', 0],
  ] as const) {
    await opacity.fill(text)
    await userEvent.click(page.getByRole('button', { name: 'Elsewhere' }))
    expect(onChange).toHaveBeenLastCalledWith({ r: 0, g: 122, b: 135, a })
  }
  expect(onChange).toHaveBeenCalledTimes(2)
})

it("EXP-093: states that the dashboard sets the chart's colors", async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const isOwn = String(input).includes('/dashboard/7')
    return Response.json({ result: { json_metadata: isOwn ? '{"color_scheme":"parquetry"}' : '{}' } })
  })
  const note = page.getByText('This color scheme is set by the dashboard that shows this chart.')
  await showControl(<SchemeNote form={{ dashboardId: 7 }} />)
  await expect.element(note).toBeVisible()
  const calls = fetchSpy.mock.calls.length
  await (await showControl(<SchemeNote form={{}} />)).unmount()
  expect(fetchSpy.mock.calls.length).toBe(calls)
  await showControl(<SchemeNote form={{ dashboardId: 8 }} />)
  await expect.poll(() => fetchSpy.mock.calls.length).toBe(calls + 1)
  expect(note.elements()).toHaveLength(1)
  fetchSpy.mockRestore()
})

it('CTRL-110: offers the first seven theme colors as presets', async () => {
  await showPanel(Type.Unknown({ default: { r: 0, g: 122, b: 135, a: 0.5 } }), { as: 'color' })
  const presets = page.getByRole('group', { name: 'Theme colors for Own' }).getByRole('button')
  const colors = presets.elements().map((each) => each.getAttribute('aria-label')!)
  expect(colors).toEqual(schemeOf('parquetry').colors.slice(0, 7))
  await presets.nth(2).click()
  const [r, g, b] = [1, 3, 5].map((index) => Number.parseInt(colors[2]!.slice(index, index + 2), 16))
  expect(onChange).toHaveBeenLastCalledWith({ r, g, b, a: 0.5 })
  await expect.element(presets.nth(2)).toHaveAttribute('aria-pressed', 'true')
})

it('CTRL-112: previews a linear color scheme with ten colors from end to end', async () => {
  await showPanel(Type.String({ default: 'lapis' }), { as: 'linear-scheme' })
  await page.getByRole('button', { name: /Lapis/ }).first().click()
  const row = page.getByRole('dialog').getByText('Dawn', { exact: true }).element().parentElement!
  const shown = [...row.querySelectorAll('i')].map((each) => getComputedStyle(each).backgroundColor)
  expect(shown).toHaveLength(10)
  expect(new Set(shown).size).toBe(10)
  await page.getByRole('radio', { name: /Dawn/ }).click()
  await expect.element(storedValue).toHaveTextContent('"dawn"')
})

it('EXP-036: a time range is chosen in its picker', async () => {
  await showPanel(Type.String({ default: 'No filter' }), { as: 'time-range' })
  const instants = { since: '2026-01-01T00:00:00', until: '2026-01-08T00:00:00', timeRange: 'Last week' }
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ result: [instants] }))
  await page.getByRole('button', { name: 'Choose a range for Own' }).click()
  await page.getByRole('radio', { name: 'last week' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(storedValue).toHaveTextContent('"Last week"')
  fetchSpy.mockRestore()
})

it('CONST-014: a time shift accepts free text', async () => {
  await showPanel(Type.Array(Type.String(), { default: [] }), {
    as: 'offsets',
    presets: [['1 week ago', '1 week ago']],
  })
  await page.getByRole('combobox', { name: 'Own' }).fill('6 weeks ago')
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith(['6 weeks ago'])
})

it('regression: keeps .3f instead of the first preset that contains it', async () => {
  await showPanel(Type.String({ default: 'SMART_NUMBER' }), {
    as: 'number-format',
    presets: [
      ['SMART_NUMBER', 'Adaptive formatting'],
      [',.3f', ',.3f (12345.432 => 12,345.432)'],
    ],
  })
  await page.getByRole('combobox', { name: 'Own' }).fill('.3f')
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith('.3f')
})

const readOptionLabels = async (field: string) => {
  await userEvent.click(page.getByRole('combobox', { name: field }))
  return page
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent)
}

it('CONST-009, CONST-017: offers the column types and comparisons of a time-series table', async () => {
  await showControl(<TimeColumnPopover column={null} onSave={onChange} onCancel={() => undefined} />)
  const kinds = ['Time comparison', 'Contribution', 'Sparkline', 'Period average']
  expect(await readOptionLabels('Type')).toEqual(kinds)
  await userEvent.keyboard('{Escape}')
  const saved: unknown[] = []
  for (const label of await readOptionLabels('Comparison')) {
    await userEvent.keyboard('{Escape}')
    await userEvent.click(page.getByRole('combobox', { name: 'Comparison' }))
    await userEvent.click(page.getByRole('option', { name: label!, exact: true }))
    await userEvent.click(page.getByRole('button', { name: 'Save' }))
    saved.push((onChange.mock.lastCall![0] as { comparisonType: string }).comparisonType)
  }
  expect(saved).toEqual(['value', 'diff', 'perc', 'perc_change'])
  const types: unknown[] = []
  for (const label of kinds) {
    await userEvent.click(page.getByRole('combobox', { name: 'Type' }))
    await userEvent.click(page.getByRole('option', { name: label, exact: true }))
    await userEvent.click(page.getByRole('button', { name: 'Save' }))
    types.push((onChange.mock.lastCall![0] as { colType: string }).colType)
  }
  expect(types).toEqual(['time', 'contrib', 'spark', 'avg'])
})

it('CTRL-012: reports that a dataset has no saved metrics', async () => {
  await showControl(<MetricPopover metric={null} dataset={dataset} onSave={onChange} onCancel={() => undefined} />)
  await userEvent.click(page.getByRole('tab', { name: 'Saved' }))
  await expect.element(page.getByText('No saved metrics found')).toBeVisible()
})

it('EXP-027, CTRL-108: preserves the API fields of a time-series table column', async () => {
  const column = {
    key: 'k',
    label: 'Trend',
    tooltip: 'of the year',
    colType: 'spark',
    timeLag: 2,
    timeRatio: 4,
    comparisonType: 'diff',
    width: 90,
    height: 30,
    showYAxis: true,
    yAxisBounds: [0, 1],
    bounds: [2, 3],
    d3format: '.2f',
    dateFormat: '%Y',
  }
  await showControl(<TimeColumnPopover column={column} onSave={onChange} onCancel={() => undefined} />)
  await page.getByLabelText('Label').fill('Trend')
  await page.getByLabelText('Width in pixels').fill('120')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onChange).toHaveBeenCalledWith({ ...column, label: 'Trend', width: 120 })
})

it('EXP-028, CTRL-107, CTRL-114: edits the viewport of a map by field, starting at zoom 1', async () => {
  await showPanel(Type.Optional(Type.Unknown()), { as: 'viewport' })
  await userEvent.click(page.getByRole('button', { name: 'Set a viewport' }))
  await expect.element(page.getByLabelText('Zoom')).toHaveValue('1')
  // The popover is 300 px wide.
  expect(page.getByRole('dialog').element().getBoundingClientRect().width).toBe(300)
  await page.getByLabelText('Longitude').fill('13.4')
  await page.getByLabelText('Pitch').fill('30')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onChange).toHaveBeenLastCalledWith({ longitude: 13.4, latitude: 0, zoom: 1, bearing: 0, pitch: 30 })
})

it('CTRL-104: switching from a metric to a fixed size sets it to 5', async () => {
  await showPanel(Type.Optional(Type.Unknown()), { as: 'fix-or-metric' }, { type: 'metric', value: 'count' })
  await userEvent.click(page.getByRole('combobox', { name: 'Fixed value or metric' }))
  await userEvent.click(page.getByRole('option', { name: 'Fixed' }))
  expect(onChange).toHaveBeenLastCalledWith({ type: 'fix', value: 5 })
})

it('CTRL-104: removing the metric sets a fixed size of 5', async () => {
  await showPanel(Type.Optional(Type.Unknown()), { as: 'fix-or-metric' }, { type: 'metric', value: 'count' })
  await userEvent.click(page.getByRole('button', { name: 'Remove count' }))
  expect(onChange).toHaveBeenLastCalledWith({ type: 'fix', value: 5 })
})
