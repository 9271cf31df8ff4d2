import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { setTheme, setThemeVariables, useTheme, useThemeVariables } from './theme.ts'
import { ThemeScope } from './ThemeScope.tsx'

afterEach(() => {
  setThemeVariables(null)
  setTheme('light')
})

const valueOf = (name: string, element: Element = document.documentElement): string =>
  getComputedStyle(element).getPropertyValue(name)

function Shown() {
  return <p>{`${useTheme()} ${useThemeVariables()['--accent'] ?? 'own'}`}</p>
}

it('variables hold in their mode, on the page and in canvases, until they are taken back', async () => {
  setTheme('light')
  const before = valueOf('--accent')
  await show(<Shown />)
  setThemeVariables({ light: { '--accent': '#112233' }, dark: { '--accent': '#aabbcc' } })
  await expect.element(page.getByText('light #112233')).toBeInTheDocument()
  expect(valueOf('--accent')).toBe('#112233')
  setTheme('dark')
  await expect.element(page.getByText('dark #aabbcc')).toBeInTheDocument()
  expect(valueOf('--accent')).toBe('#aabbcc')
  setTheme('light')
  setThemeVariables(null)
  await expect.element(page.getByText('light own')).toBeInTheDocument()
  expect(valueOf('--accent')).toBe(before)
})

it('no value leaves its variable', () => {
  const width = valueOf('width', document.body)
  for (const value of ['red; width: 3px', 'red } body { width: 3px', '</style><style>body{width:3px}'])
    setThemeVariables({ light: { '--accent': value }, dark: {} })
  expect(valueOf('width', document.body)).toBe(width)
})

it('a scope has a mode of its own inside the page, with all of its colors', async () => {
  for (const mode of ['light', 'dark'] as const) {
    setTheme(mode)
    const surface = valueOf('--surface')
    setTheme(mode === 'light' ? 'dark' : 'light')
    const { container } = await show(
      <ThemeScope theme={mode} variables={{ '--accent': '#445566' }}>
        <Shown />
      </ThemeScope>,
    )
    await expect.element(page.getByText(`${mode} #445566`)).toBeInTheDocument()
    const scope = container.querySelector('[data-theme]') ?? container
    expect([valueOf('--surface', scope), valueOf('--accent', scope)]).toEqual([surface, '#445566'])
  }
})
