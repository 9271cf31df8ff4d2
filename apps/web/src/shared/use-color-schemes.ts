import { schemes, themes, toThemeColor } from '@parquetry/charts'
import { useTheme } from '@parquetry/ui'

export interface ColorSchemeOption {
  id: string
  label: string
  /** In the current theme. */
  colors: readonly string[]
}

/** Returns the categorical color schemes. */
export function useColorSchemes(): ColorSchemeOption[] {
  const theme = themes[useTheme()]
  return schemes.map(({ colors, ...scheme }) => ({
    ...scheme,
    colors: colors.map((color) => toThemeColor(color, theme)),
  }))
}
