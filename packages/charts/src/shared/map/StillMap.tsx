import { useEffect, useState } from 'react'
import type { Surroundings } from '../../resolve/surroundings.ts'
import { escaped } from '../../resolve/words.ts'
import type { MapSpec } from './layers.ts'
import type { Drawable } from './marks/kinds.ts'
import styles from './map.module.css'

interface StillMapProps {
  spec: MapSpec
  drawable: Drawable
  around: Surroundings
}

/** The picture that runners draw, as an image: nothing in it can run. */
export function StillMap({ spec, drawable, around }: StillMapProps) {
  const [source, setSource] = useState<string | null>(null)
  const { theme, width, height } = around
  useEffect(() => {
    let isCurrent = true
    const draw = async () => {
      const { drawMarks } = await import('./still.ts')
      const { body } = await drawMarks(spec, drawable, { ...around, isStill: true })
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(theme.font)}">${body}</svg>`
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
