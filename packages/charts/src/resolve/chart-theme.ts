import { withAlpha } from '../shared/colors/color.ts'
import { themes, type ChartTheme } from './theme.ts'

/** Colors of charts by the CSS variables from which they come. */
const variables = {
  surface: '--surface',
  raised: '--raised',
  sunken: '--sunken',
  border: '--border',
  text: '--text',
  text2: '--text-2',
  text3: '--text-3',
  accent: '--accent',
  axis: '--chart-axis',
  grid: '--chart-grid',
  tick: '--chart-tick',
  font: '--font',
} as const satisfies Partial<Record<keyof ChartTheme, string>>

const chosenOpacity = { light: 0.12, dark: 0.25 }
const known = new WeakMap<object, Partial<Record<ChartTheme['name'], ChartTheme>>>()

/**
 * The theme of charts on a page where themes have set CSS variables.
 * @param set  values by variable; equal objects give the same theme, so that charts are not drawn again
 */
export function resolveChartTheme(name: ChartTheme['name'], set: Readonly<Record<string, string>>): ChartTheme {
  const found = known.get(set) ?? {}
  known.set(set, found)
  return (found[name] ??= build(name, set))
}

function build(name: ChartTheme['name'], set: Readonly<Record<string, string>>): ChartTheme {
  const own = Object.entries(variables).flatMap(([key, variable]) => (set[variable] ? [[key, set[variable]]] : []))
  if (own.length === 0) return themes[name]
  const theme = { ...themes[name], ...(Object.fromEntries(own) as Partial<ChartTheme>) }
  return { ...theme, chosen: withAlpha(theme.accent, chosenOpacity[name]) }
}
