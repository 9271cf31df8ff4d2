import { useEffect, useState } from 'react'
import type { RenderContext } from '../../resolve/render-context.ts'
import { escapeHtml } from '../../resolve/text.ts'
import type { MapSpec } from './layers.ts'
import type { Drawable } from './marks/kinds.ts'
import styles from './map.module.css'

interface StaticMapProps {
  spec: MapSpec
  drawable: Drawable
  around: RenderContext
}

/** The static map as an image, so that nothing in it can run. */
export function StaticMap({ spec, drawable, around }: StaticMapProps) {
  const [source, setSource] = useState<string | null>(null)
  const { theme, width, height } = around
  useEffect(() => {
    let isCurrent = true
    const draw = async () => {
      const { drawMapSvg } = await import('./map-svg.ts')
      const { body } = await drawMapSvg(spec, drawable, { ...around, isStill: true })
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeHtml(theme.font)}">${body}</svg>`
      if (isCurrent) setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`)
    }
    draw().catch(() => undefined)
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is drawn, not the object around it
  }, [drawable, theme, width, height])
  return source && <img className={styles.still} src={source} alt="" />
}
