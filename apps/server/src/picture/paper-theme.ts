import type { Picture } from '@parquetry/model'
import type { ChartDeps } from '../chart/deps.ts'
import { loadThemeVariables } from '../theme/system-themes.ts'

/** Returns the colors of an image. A PDF is for paper: it is light, even if the theme has a dark background in light mode. */
export async function choosePictureTheme(
  deps: ChartDeps,
  id: number | null,
  { format, theme = 'light' }: { format: Picture['format']; theme?: Picture['theme'] | undefined },
): Promise<Pick<Picture, 'theme' | 'themeVariables'>> {
  if (format !== 'pdf') return { theme, themeVariables: await loadThemeVariables(deps, id, theme) }
  const themeVariables = await loadThemeVariables(deps, id, 'light')
  return { theme: 'light', themeVariables: isDark(themeVariables['--surface']) ? {} : themeVariables }
}

/** True for `#rrggbb` and `rgb(…)` that are darker than a middle gray. */
function isDark(color: string | undefined): boolean {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color ?? '')
  const [red, green, blue] = hex
    ? hex.slice(1).map((pair) => Number.parseInt(pair, 16))
    : (/^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/i
        .exec(color ?? '')
        ?.slice(1)
        .map(Number) ?? [255, 255, 255])
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! < 128
}
